import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { discoveryOf, type Discovery } from '../../../cluster/clients/discovery.ts'
import type { Ended } from '../../../cluster/clients/kubectl/run.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { typeOf } from '../../../cluster/fields/schema.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import { kubectlSchedule, nextStart } from './index.ts'

const ZERO = Date.UTC(2026, 0, 5)
const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Outcome {
  /** `name hours` of each Job that was created. */
  readonly jobs: readonly string[]
  readonly exits: readonly number[]
  readonly words: readonly string[]
}

/** Runs the command every day over the objects, for a week. */
function week(command: string, objectsAt: (day: number) => readonly JsonObject[]): Outcome {
  const jobs: string[] = []
  const runs: Ended[] = []
  let discovery: Discovery | undefined
  const cluster = createCluster({
    now: ZERO,
    actors: [
      ...controllerManager({ rules: { minor: 36 } }),
      kubelet(annotationScript),
      kubectlSchedule({
        command,
        namespace: 'default',
        objectsAt: (at) => objectsAt(Math.floor((at - ZERO) / DAY)),
        starts: { from: ZERO + HOUR, everyMs: DAY },
        discovery: () =>
          discovery ??
          discoveryOf(
            () => [],
            () => undefined,
          ),
        ended: (run) => runs.push(run),
      }),
    ],
    listener: {
      write({ type, resource, object }, at) {
        if (type !== 'ADDED' || resource.resource !== 'jobs') return
        const name = object.metadata.generateName ?? object.metadata.name
        jobs.push(`${name} ${Math.round((at - ZERO) / HOUR)}`)
      },
    },
  })
  discovery = discoveryOf(
    () => cluster.api.kinds(),
    ({ type }) => (type === undefined ? undefined : typeOf(type)),
  )
  cluster.runUntil(ZERO + 7 * DAY)
  return {
    jobs,
    exits: runs.map(({ exit }) => exit),
    words: runs.map(({ stdout, stderr }) => `${stdout}${stderr}`),
  }
}

function job(metadata: JsonObject, spec: JsonObject = {}, image = 'task:1'): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: {
      ...spec,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'task', image }] } },
    },
  }
}

const NIGHTS = [1, 25, 49, 73, 97, 121, 145]

describe('kubectl apply on a schedule', () => {
  it('runs an unchanged Job once', () => {
    const { jobs, exits } = week('kubectl apply -f -', () => [job({ name: 'a' })])
    expect(jobs).toEqual(['a 1'])
    expect(exits).toEqual(NIGHTS.map(() => 0))
  })

  it('runs it each night when its TTL took it away in between (S4)', () => {
    const short = job({ name: 'a' }, { ttlSecondsAfterFinished: 60 })
    const { jobs } = week('kubectl apply -f -', () => [short])
    expect(jobs).toEqual(NIGHTS.map((hour) => `a ${hour}`))
  })

  it('is refused once the template changed, each night anew (S3)', () => {
    const { jobs, exits, words } = week('kubectl apply -f -', (day) => [
      job({ name: 'a' }, {}, day < 3 ? 'task:1' : 'task:2'),
    ])
    expect(jobs).toEqual(['a 1'])
    expect(exits).toEqual([0, 0, 0, 1, 1, 1, 1])
    expect(words[3]).toContain('field is immutable')
  })
})

describe('kubectl replace on a schedule', () => {
  it('with --force deletes and creates, so the Job runs each night (K-12)', () => {
    const { jobs } = week('kubectl replace --force -f -', () => [job({ name: 'a' })])
    expect(jobs).toEqual(NIGHTS.map((hour) => `a ${hour}`))
  })

  it('without --force is an error while nobody made the Job', () => {
    const { jobs, exits } = week('kubectl replace -f -', () => [job({ name: 'a' })])
    expect(jobs).toEqual([])
    expect(new Set(exits)).toEqual(new Set([1]))
  })
})

describe('kubectl create on a schedule', () => {
  it('is refused while the name is taken', () => {
    const { jobs, exits } = week('kubectl create -f -', () => [job({ name: 'a' })])
    expect(jobs).toEqual(['a 1'])
    expect(exits).toEqual([0, 1, 1, 1, 1, 1, 1])
  })

  it('runs anew each time with generateName (trace kubernetes/092)', () => {
    const { jobs } = week('kubectl create -f -', () => [job({ generateName: 'a-' })])
    expect(jobs).toEqual(NIGHTS.map((hour) => `a- ${hour}`))
  })
})

describe('nextStart', () => {
  it('is the first at or after an instant, and none after the end', () => {
    expect(nextStart({ at: [3, 1, 2] }, 2)).toBe(2)
    expect(nextStart({ at: [1] }, 2)).toBeUndefined()
    expect(nextStart({ from: 10, everyMs: 5, until: 20 }, 21)).toBeUndefined()
    expect(nextStart({ from: 10, everyMs: 0 }, 11)).toBeUndefined()
  })

  it('lies on the schedule, not before and less than a period after', () => {
    const whole = fc.integer({ min: 0, max: 1e9 })
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 1e6 }), whole, (from, everyMs, asked) => {
        const at = nextStart({ from, everyMs }, asked) ?? Number.NaN
        expect(at).toBeGreaterThanOrEqual(Math.max(from, asked))
        expect((at - from) % everyMs).toBe(0)
        if (asked > from) expect(at - asked).toBeLessThan(everyMs)
      }),
    )
  })
})
