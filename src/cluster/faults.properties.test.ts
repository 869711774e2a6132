import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { Cluster } from './cluster.ts'
import { controllerManager } from './controllers/index.ts'
import { createCluster } from './index.ts'
import { annotationScript } from './kubelet/annotation-script.ts'
import { kubelet } from './kubelet/kubelet.ts'
import { asPod, isTerminal, PODS } from './pod.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3600
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

interface Work {
  readonly at: number
  readonly duration: number
  readonly failures: number
  readonly ttl: number | undefined
  readonly parallelism: number
}

type Fault =
  | { readonly do: 'down'; readonly at: number; readonly for: number }
  | { readonly do: 'stop'; readonly at: number; readonly for: number; readonly name: string }
  | { readonly do: 'restore'; readonly at: number; readonly back: number }

const seconds = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most })
const works: fc.Arbitrary<readonly Work[]> = fc.array(
  fc.record({
    at: seconds(600),
    duration: fc.integer({ min: 1, max: 300 }),
    failures: seconds(3),
    ttl: fc.option(seconds(300), { nil: undefined }),
    parallelism: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
)
const down: fc.Arbitrary<Fault> = fc.record({
  do: fc.constant('down' as const),
  at: seconds(1200),
  for: fc.oneof(seconds(9), seconds(900)),
})
const stop: fc.Arbitrary<Fault> = fc.record({
  do: fc.constant('stop' as const),
  at: seconds(1200),
  for: seconds(900),
  name: fc.constantFrom(
    'job-controller',
    'ttl-after-finished-controller',
    'generic-garbage-collector',
    'kubelet',
  ),
})
const stopCron: fc.Arbitrary<Fault> = fc.record({
  do: fc.constant('stop' as const),
  at: seconds(1200),
  for: seconds(1800),
  name: fc.constantFrom('cronjob-controller', 'job-controller', 'kubelet'),
})
const restore: fc.Arbitrary<Fault> = fc.record({
  do: fc.constant('restore' as const),
  at: seconds(1200),
  back: seconds(600),
})

function jobOf({ duration, failures, ttl, parallelism }: Work, name: string): JsonObject {
  const exits = [...Array<number>(failures).fill(1), 0].join(',')
  const annotations = { 'play/duration': String(duration * 1000), 'play/exit': exits }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      parallelism,
      completions: parallelism,
      backoffLimit: 20,
      ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
      template: {
        metadata: { annotations },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] },
      },
    },
  }
}

/** What happened at which instant, in order; people ask again while nobody answers. */
function play(given: readonly Work[], faults: readonly Fault[]): Cluster {
  const cluster = createCluster({
    now: START,
    actors: [...controllerManager(), kubelet(annotationScript)],
  })
  const acts: Act[] = []
  for (const [index, work] of given.entries()) {
    const create = (): void => {
      const body = jobOf(work, `work-${index}`)
      const request = { verb: 'create', resource: JOBS, namespace: 'default' } as const
      if (cluster.request({ ...request, body, user: 'test' }).code !== 503) return
      acts.push({ at: (cluster.now - START) / 1000 + 1, act: create })
      acts.sort((one, other) => one.at - other.at)
    }
    acts.push({ at: work.at, act: create })
  }
  addFaults(cluster, faults, acts)
  playActs(cluster, acts)
  cluster.runUntil(START + 24 * HOUR * 1000)
  return cluster
}

interface Act {
  readonly at: number
  readonly act: () => void
}

function addFaults(cluster: Cluster, faults: readonly Fault[], acts: Act[]): void {
  for (const fault of faults) {
    if (fault.do === 'down') {
      acts.push({ at: fault.at, act: () => cluster.down(cluster.now + fault.for * 1000) })
    } else if (fault.do === 'stop') {
      acts.push({ at: fault.at, act: () => cluster.stop(fault.name) })
      acts.push({ at: fault.at + fault.for, act: () => cluster.start(fault.name) })
    } else {
      let backup = cluster.backup()
      acts.push({ at: Math.max(0, fault.at - fault.back), act: () => (backup = cluster.backup()) })
      acts.push({ at: fault.at, act: () => cluster.restore(backup) })
    }
  }
}

function playActs(cluster: Cluster, acts: Act[]): void {
  acts.sort((one, other) => one.at - other.at)
  for (let next = acts.shift(); next !== undefined; next = acts.shift()) {
    cluster.runBefore(START + next.at * 1000)
    next.act()
  }
}

/** Names of the Jobs in the order of their creation, and how many ran at once. */
function playCron(
  schedule: string,
  durationMs: number,
  faults: readonly Fault[],
): { readonly names: readonly string[]; readonly most: number } {
  const names: string[] = []
  const running = new Set<string>()
  let most = 0
  const cluster = createCluster({
    now: START,
    actors: [...controllerManager(), kubelet(annotationScript)],
    listener: {
      write({ type, object }) {
        if (type === 'ADDED' && object.kind === 'Job') names.push(object.metadata.name)
        if (object.kind !== 'Pod') return
        const isOver = type === 'DELETED' || isTerminal(asPod(object))
        if (isOver) running.delete(object.metadata.uid)
        else running.add(object.metadata.uid)
        most = Math.max(most, running.size)
      },
    },
  })
  const annotations = { 'play/duration': String(durationMs) }
  const containers = [{ name: 'main', image: 'a:1' }]
  const template = { metadata: { annotations }, spec: { restartPolicy: 'Never', containers } }
  cluster.request({
    verb: 'create',
    resource: { group: 'batch', version: 'v1', resource: 'cronjobs' },
    namespace: 'default',
    user: 'test',
    body: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: { schedule, concurrencyPolicy: 'Forbid', jobTemplate: { spec: { template } } },
    },
  })
  const acts: Act[] = []
  addFaults(cluster, faults, acts)
  playActs(cluster, acts)
  cluster.runUntil(START + 2 * HOUR * 1000)
  return { names, most }
}

/** How each Job stands at the end, and how many of its pods succeeded. */
function ends(cluster: Cluster): readonly string[] {
  return cluster.api.read.list(JOBS).map(({ metadata, ...job }) => {
    const status = (job['status'] ?? {}) as JsonObject
    const conditions = (status['conditions'] ?? []) as readonly JsonObject[]
    const types = conditions.map(({ type }) => type)
    return JSON.stringify([metadata.name, types, status['succeeded']])
  })
}

function expectQuiet(cluster: Cluster): void {
  expect(cluster.planned()).toEqual([])
  for (const pod of cluster.api.read.list(PODS).map(asPod)) {
    expect(isTerminal(pod)).toBe(true)
    expect(pod.metadata.finalizers).toBeUndefined()
    const [owner] = pod.metadata.ownerReferences ?? []
    expect(cluster.api.read.byUid(owner?.uid ?? '')).toBeDefined()
  }
}

describe('whatever fails for a while', () => {
  it('ends as it would have ended without, however often the API server or a controller is away', () => {
    fc.assert(
      fc.property(works, fc.array(fc.oneof(down, stop), { maxLength: 4 }), (given, faults) => {
        const calm = ends(play(given, []))
        const cluster = play(given, faults)
        expect(ends(cluster)).toEqual(calm)
        expectQuiet(cluster)
      }),
      { seed: 20261130, numRuns: 25 },
    )
  })

  it('never makes a CronJob run one tick twice, nor two runs at once under Forbid', () => {
    const schedule = fc.constantFrom('*/5 * * * *', '7 * * * *', '*/2 * * * *')
    const workMs = fc.integer({ min: 1, max: 900 }).map((one) => one * 1000)
    fc.assert(
      fc.property(
        schedule,
        workMs,
        fc.array(fc.oneof(down, stopCron), { maxLength: 4 }),
        (text, ms, faults) => {
          const runs = playCron(text, ms, faults)
          expect(new Set(runs.names).size).toBe(runs.names.length)
          expect(runs.most).toBe(1)
        },
      ),
      { seed: 20261130, numRuns: 20 },
    )
  })

  it('comes to rest after etcd went back, with no pod left that nobody counts', () => {
    fc.assert(
      fc.property(works, fc.array(fc.oneof(down, restore), { maxLength: 3 }), (given, faults) => {
        const cluster = play(given, faults)
        for (const end of ends(cluster)) expect(end).toContain('["SuccessCriteriaMet","Complete"]')
        expectQuiet(cluster)
      }),
      { seed: 20261130, numRuns: 25 },
    )
  })
})
