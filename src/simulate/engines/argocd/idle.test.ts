import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { configMap, hook, job, JOBS, Stage, ZERO } from './testing.ts'

/** The same scenarios each time; SEED=n tries others, RUNS=n more of them (400 take minutes). */
const SEED = Number(process.env['SEED'] ?? 20_261_130)
const RUNS = Number(process.env['RUNS'] ?? 40)

const named = fc.constantFrom('one', 'two')
const work = fc.record({
  name: named,
  image: fc.constantFrom('work:1', 'work:2'),
  ttl: fc.constantFrom(undefined, 0, 3, 25, 400),
  seconds: fc.integer({ min: 1, max: 40 }),
  exit: fc.constantFrom(0, 0, 1),
  annotations: fc.constantFrom<JsonObject | undefined>(
    undefined,
    undefined,
    hook('PreSync'),
    { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' },
    { 'argocd.argoproj.io/sync-wave': '1' },
  ),
})
type Work = typeof work extends fc.Arbitrary<infer One> ? One : never
const works = fc.uniqueArray(work, { selector: ({ name }) => name, minLength: 1, maxLength: 2 })

type Act =
  | { readonly do: 'commit'; readonly works: readonly Work[]; readonly map: number }
  | { readonly do: 'push'; readonly works: readonly Work[]; readonly map: number }
  | { readonly do: 'delete' | 'label' | 'edit'; readonly name: string }
  | { readonly do: 'restart' | 'sync' | 'refresh' | 'heal' | 'window' | 'wait' }

const commit = { works, map: fc.integer({ min: 0, max: 2 }) }
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('commit' as const), ...commit }),
  fc.record({ do: fc.constant('push' as const), ...commit }),
  fc.record({ do: fc.constantFrom('delete', 'label', 'edit'), name: named }) as fc.Arbitrary<Act>,
  fc.record({
    do: fc.constantFrom('restart', 'sync', 'refresh', 'heal', 'window', 'wait'),
  }) as fc.Arbitrary<Act>,
)
const policy = fc.record({
  selfHeal: fc.boolean(),
  prune: fc.boolean(),
  automated: fc.constantFrom(true, true, true, false),
  options: fc.constantFrom([], ['ServerSideApply=true'], ['ApplyOutOfSyncOnly=true']),
})
const scenario = fc.record({
  policy,
  works,
  resyncSeconds: fc.constantFrom(30, 47, 120),
  headCacheSeconds: fc.constantFrom(0, 50, 180),
  acts: fc.array(fc.record({ after: fc.integer({ min: 1, max: 400 }), act }), { maxLength: 6 }),
})
type Scenario = typeof scenario extends fc.Arbitrary<infer One> ? One : never

interface Played {
  readonly jobs: readonly string[]
  /** Each write of the Application that says more than when it was compared. */
  readonly writes: readonly string[]
  readonly causes: readonly string[]
}

function play(isEager: boolean, { policy: own, works: first, acts, ...rest }: Scenario): Played {
  const { selfHeal, prune, automated, options } = own
  const syncPolicy = {
    ...(automated ? { automated: { selfHeal, prune } } : {}),
    syncOptions: options,
  }
  const stage = new Stage({ syncPolicy }, { isEager, ...rest })
  stage.commit(...objectsOf(first, 0)).start()
  let seconds = 0
  for (const { after, act: next } of acts) {
    // At no instant of a tick: who comes first there is a matter of convention.
    seconds += after + 0.07
    stage.until(seconds)
    perform(stage, next)
  }
  stage.until(seconds + 1200)
  return { jobs: stage.lives(), writes: stage.statuses, causes: stage.causes }
}

function objectsOf(all: readonly Work[], map: number): JsonObject[] {
  return [
    configMap(String(map)),
    ...all.map(({ name, image, ttl, seconds, exit, annotations }) =>
      job({
        name,
        image,
        play: { 'play/duration': String(seconds * 1000), 'play/exit': String(exit) },
        ...(annotations === undefined ? {} : { annotations }),
        ...(ttl === undefined ? {} : { spec: { ttlSecondsAfterFinished: ttl } }),
      }),
    ),
  ]
}

function perform(stage: Stage, next: Act): void {
  switch (next.do) {
    case 'commit':
      stage.commit(...objectsOf(next.works, next.map))
      return
    case 'push':
      stage.push(...objectsOf(next.works, next.map))
      return
    case 'restart':
      stage.cluster.stop('argocd-application-controller')
      stage.cluster.start('argocd-application-controller')
      return
    case 'sync':
      stage.sync()
      return
    case 'refresh':
      stage.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } } })
      return
    case 'heal':
      stage.patch({ spec: { syncPolicy: { automated: { selfHeal: true } } } })
      return
    case 'window':
      stage.deny('*/10 * * * *', '3m')
      return
    case 'wait':
      return
    case 'delete':
    case 'label':
    case 'edit':
      touch(stage, next.do, next.name)
  }
}

function touch(stage: Stage, how: 'delete' | 'label' | 'edit', name: string): void {
  const place = { resource: JOBS, namespace: 'shop', name, user: 'person' }
  if (how === 'delete') {
    stage.cluster.request({
      verb: 'delete',
      ...place,
      options: { propagationPolicy: 'Background' },
    })
    return
  }
  const body = how === 'label' ? { metadata: { labels: { by: 'hand' } } } : { spec: LONGER }
  stage.cluster.request({ verb: 'patch', ...place, patch: { type: 'merge', body } })
}

const LONGER = { activeDeadlineSeconds: 9000 }

describe('ticks over an unchanged cluster', () => {
  it('leave out nothing: skipping them is comparing at each of them', () => {
    fc.assert(
      fc.property(scenario, (one) => {
        const eager = play(true, one)
        const lazy = play(false, one)
        expect(lazy.jobs).toEqual(eager.jobs)
        expect(lazy.writes).toEqual(eager.writes)
        expect(lazy.causes).toEqual(eager.causes)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  }, 600_000)

  it('ask for the head of a branch when it is too old, and not at a tick that compared nothing', () => {
    const quick = {
      image: 'work:1',
      ttl: undefined,
      exit: 0,
      annotations: undefined,
      seconds: 1,
    } as const
    const one: Work = { ...quick, name: 'one' }
    const wave = { 'argocd.argoproj.io/sync-wave': '1' }
    const slow: Work = { ...one, seconds: 8, annotations: hook('PreSync') }
    const found: Scenario = {
      policy: { selfHeal: true, prune: true, automated: true, options: [] },
      works: [
        { ...one, annotations: wave },
        { ...quick, name: 'two', exit: 1 },
      ],
      resyncSeconds: 30,
      headCacheSeconds: 50,
      acts: [
        { after: 15, act: { do: 'push', works: [slow], map: 0 } },
        { after: 375, act: { do: 'push', works: [one], map: 0 } },
      ],
    }
    expect(play(false, found)).toEqual(play(true, found))
  })

  it('come back in time for a branch that moves without a word', () => {
    const stage = new Stage({ syncPolicy: { automated: {} } }, { headCacheSeconds: 0 })
    stage.commit(configMap('1')).start().until(5000)
    expect(stage.cluster.planned()).toEqual([])
    stage.push(configMap('2')).until(5200)
    const written = stage.causes.filter((line) => line.includes('A-26 configured'))
    expect(written).toEqual([expect.stringMatching(/^5040 /)])
    expect(stage.cluster.now).toBe(ZERO + 5_200_000)
  })

  it('come when a manifest that tells the time would be rendered anew', () => {
    const stage = new Stage(
      { syncPolicy: { automated: {} } },
      {
        manifestCacheSeconds: 3600,
        sources: {
          resolve: () => '1'.padStart(40, '0'),
          render: (_source, _revision, now) => ({
            objects: [configMap('1', `at-${(now - ZERO) / 1000}`)],
          }),
          nextChange: () => undefined,
        },
      },
    )
    stage.start().until(8000)
    const made = stage.causes.filter((line) => line.includes('created ConfigMap'))
    expect(made).toHaveLength(1)
    const found = stage.causes.filter((line) => line.includes('OutOfSync'))
    expect(found.map((line) => line.split(' ')[0])).toEqual(['0', '3600'])
  })

  it('with jitter lie within a period and the jitter', () => {
    const delays = { compare: 1, watch: 1, operation: 1, firstPass: 1, pass: 1, batch: 5000 }
    const realistic = { ...delays, staleShare: 1e-9, noticedShare: 0 }
    const stage = new Stage({ syncPolicy: { automated: {} } }, { delays: realistic })
    stage.commit(configMap('1')).start().until(100_000)
    expect(stage.cluster.planned()).toEqual([])
    stage.push(configMap('2')).until(100_500)
    const written = stage.causes.find((line) => line.includes('A-26 configured'))
    const at = Number(written?.split(' ')[0])
    expect(at).toBeGreaterThan(100_000)
    expect(at).toBeLessThan(100_000 + 120 + 60 + 120 + 60)
  })
})
