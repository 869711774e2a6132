import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { IDEALISED, REALISTIC } from '../../actor.ts'
import type { PodScript } from '../../kubelet/script.ts'
import { controllerOf } from '../../object.ts'
import { asPod, isActive, PODS } from '../../pod.ts'
import { asJob, isFinished, JOBS } from './job.ts'
import { jobManifest, world, type World } from './testing.ts'

/** What happens to a Job from outside, so many milliseconds after the event before. */
interface Step {
  readonly afterMs: number
  readonly what: 'restart' | 'pause' | 'suspend' | 'resume' | 'parallelism' | 'delete pod' | 'copy'
  readonly size: number
}

interface Case {
  readonly spec: JsonObject
  readonly outcomes: readonly { readonly durationMs: number; readonly exitCode: number }[]
  readonly stopMs: number
  readonly steps: readonly Step[]
  readonly isReal: boolean
}

const outcomes = fc.array(
  fc.record({ durationMs: fc.integer({ min: 0, max: 9000 }), exitCode: fc.constantFrom(0, 0, 1) }),
  { minLength: 1, maxLength: 8 },
)

const plain = fc.record({
  parallelism: fc.integer({ min: 1, max: 4 }),
  completions: fc.integer({ min: 1, max: 6 }),
  backoffLimit: fc.integer({ min: 0, max: 3 }),
})

const indexed = plain.chain((spec) =>
  fc.record({
    completionMode: fc.constant('Indexed'),
    parallelism: fc.constant(spec.parallelism),
    completions: fc.constant(spec.completions),
    backoffLimitPerIndex: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    maxFailedIndexes: fc.constant(undefined),
  }),
)

const stepsOf = (what: readonly Step['what'][]): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 15_000 }),
      what: fc.constantFrom(...what),
      size: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 6 },
  )

const cases = (what: readonly Step['what'][]): fc.Arbitrary<Case> =>
  fc.record({
    spec: fc.oneof(plain, indexed).map(({ ...spec }) => withoutUndefined(spec)),
    outcomes,
    stopMs: fc.constantFrom(0, 0, 3000, 12_000),
    steps: stepsOf(what),
    isReal: fc.boolean(),
  })

function withoutUndefined(spec: object): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined))
}

const FOREVER = 4000

/** Plays a case and judges every write of it. */
function play({ spec, outcomes: list, stopMs, steps, isReal }: Case): {
  readonly given: World
  readonly faults: readonly string[]
} {
  const faults: string[] = []
  const script: PodScript = {
    plan: (_, attempt) => ({
      containers: { main: { runs: [list[attempt % list.length] ?? { durationMs: 1 }] } },
      stopMs,
    }),
  }
  const given = world({
    script,
    latencies: isReal ? REALISTIC : IDEALISED,
    actors: [
      {
        name: 'judge',
        begin: () => ({}),
        observe: (_state, { object, type, resource }, { read }) => {
          if (resource.resource !== 'pods' || type !== 'ADDED') return
          const job = read.get(JOBS, 'default', 'one')
          if (job === undefined) return
          if (isFinished(asJob(job))) faults.push(`${object.metadata.name} after the end`)
          const active = read
            .list(PODS, 'default')
            .filter((pod) => isActive(asPod(pod)) && controllerOf(pod) !== undefined)
          const { parallelism = 1 } = asJob(job).spec
          if (active.length > parallelism) faults.push(`${active.length} of ${parallelism} run`)
        },
        wake: () => undefined,
        copy: () => ({}),
      },
    ],
  })
  given.create(jobManifest({ spec }))
  let now = 0
  for (const step of steps) {
    now += step.afterMs
    given.until(now / 1000)
    apply(given, step)
  }
  given.cluster.start('job-controller')
  given.patch('one', {
    spec: { suspend: false, parallelism: Math.max(spec['parallelism'] as number, 1) },
  })
  given.until(now / 1000 + FOREVER)
  return { given, faults }
}

function apply(given: World, { what, size }: Step): void {
  switch (what) {
    case 'restart':
      given.cluster.stop('job-controller')
      given.cluster.start('job-controller')
      return
    case 'pause':
      if (given.cluster.isRunning('job-controller')) given.cluster.stop('job-controller')
      else given.cluster.start('job-controller')
      return
    case 'suspend':
    case 'resume':
      given.patch('one', { spec: { suspend: what === 'suspend' } })
      return
    case 'parallelism':
      given.patch('one', { spec: { parallelism: size } })
      return
    case 'delete pod': {
      const name = given.podsNow().find(isActive)?.metadata.name
      if (name === undefined) return
      const request = { verb: 'delete', resource: PODS, namespace: 'default', name } as const
      given.cluster.request({ ...request, user: 'somebody' })
      return
    }
    case 'copy':
      given.cluster.copy().runUntil(given.cluster.now + 60_000)
      return
    default:
      what satisfies never
  }
}

const everything = [
  'restart',
  'pause',
  'suspend',
  'resume',
  'parallelism',
  'delete pod',
  'copy',
] as const
const RUNS = { numRuns: 25 }

describe('whatever happens to a Job', () => {
  it('no more pods are active than it wants, and none starts after its end', () => {
    fc.assert(
      fc.property(cases(everything), (one) => {
        expect(play(one).faults).toEqual([])
      }),
      RUNS,
    )
  })

  it('it ends, and then nothing is left to count', () => {
    fc.assert(
      fc.property(cases(everything), (one) => {
        const { given } = play(one)
        const job = given.job()
        expect(isFinished(job), JSON.stringify(job.status)).toBe(true)
        expect(job.status?.active ?? 0).toBe(0)
        expect(job.status?.terminating).toBe(0)
        expect(job.status?.uncountedTerminatedPods).toEqual({})
        const tracked = given.podsNow().flatMap(({ metadata }) => metadata.finalizers ?? [])
        expect(tracked).toEqual([])
      }),
      RUNS,
    )
  })

  it('the same case gives the same record, and a copy on the way changes nothing', () => {
    fc.assert(
      fc.property(cases(everything), (one) => {
        const { given } = play(one)
        const steps = one.steps.filter(({ what }) => what !== 'copy')
        if (steps.length === one.steps.length) {
          const again = play(one).given
          expect(again.pods).toEqual(given.pods)
          expect(again.cluster.api.read.list(JOBS)).toEqual(given.cluster.api.read.list(JOBS))
          return
        }
        expect(given.job().status).toBeDefined()
      }),
      { numRuns: 15 },
    )
  })
})

describe('unless somebody deletes pods, suspends or lowers the Job', () => {
  const quiet = ['restart', 'pause'] as const

  it('every pod is counted exactly once, also over restarts of the controller (K-18)', () => {
    fc.assert(
      fc.property(cases(quiet), (one) => {
        const { given } = play(one)
        const { succeeded = 0, failed = 0 } = given.job().status ?? {}
        expect(succeeded + failed).toBe(given.pods.length)
      }),
      RUNS,
    )
  })

  it('no work is done twice: successes are never more than completions, one per index', () => {
    fc.assert(
      fc.property(cases(quiet), (one) => {
        const { given } = play(one)
        const good = given.pods.filter(({ phase }) => phase === 'Succeeded')
        expect(good.length).toBeLessThanOrEqual(one.spec['completions'] as number)
        const byIndex = good.map(({ index }) => index).filter((index) => index !== undefined)
        expect(new Set(byIndex).size).toBe(byIndex.length)
      }),
      RUNS,
    )
  })

  it('failures stay within the limit and what ran beside the last one', () => {
    fc.assert(
      fc.property(cases(quiet), (one) => {
        const { given } = play(one)
        const { backoffLimit, parallelism = 1 } = given.job().spec
        expect(given.job().status?.failed ?? 0).toBeLessThanOrEqual(
          (backoffLimit ?? 6) + parallelism,
        )
      }),
      RUNS,
    )
  })
})
