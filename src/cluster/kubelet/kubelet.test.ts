import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { REALISTIC } from '../actor.ts'
import type { WatchEvent } from '../api/request.ts'
import type { Cluster } from '../cluster.ts'
import { createCluster } from '../index.ts'
import { asPod, PODS, type Pod } from '../pod.ts'
import { kubelet } from './kubelet.ts'
import type { PodPlan } from './script.ts'

const zero = Date.UTC(2026, 0, 5)

interface Room {
  readonly cluster: Cluster
  readonly writes: readonly WatchEvent[]
  pod(name?: string): Pod
  until(seconds: number): void
}

function room(plan: PodPlan, spec: JsonObject = {}, latencies?: typeof REALISTIC): Room {
  const writes: WatchEvent[] = []
  const cluster = createCluster({
    now: zero,
    actors: [kubelet({ plan: () => plan })],
    listener: { write: (event) => writes.push(event) },
    ...(latencies === undefined ? {} : { latencies }),
  })
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one' },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'registry.example.test/one:1' }],
      ...spec,
    },
  }
  const answer = cluster.request({
    verb: 'create',
    resource: PODS,
    namespace: 'default',
    body,
    user: 'somebody',
  })
  expect(answer.code).toBe(201)
  return {
    cluster,
    writes,
    pod: (name = 'one') => {
      const found = cluster.api.read.get(PODS, 'default', name)
      if (found === undefined) throw new Error(`no pod ${name}`)
      return asPod(found)
    },
    until: (seconds) => cluster.runUntil(zero + seconds * 1000),
  }
}

const once = (durationMs: number, exitCode = 0): PodPlan => ({
  containers: { main: { runs: [{ durationMs, exitCode }] } },
})

function conditions(pod: Pod): { readonly [type: string]: string } {
  return Object.fromEntries(
    (pod.status?.conditions ?? []).map(({ type, status, reason }) => [
      type,
      reason === undefined ? status : `${status} ${reason}`,
    ]),
  )
}

function remove(given: Room, gracePeriodSeconds?: number): void {
  given.cluster.request({
    verb: 'delete',
    resource: PODS,
    namespace: 'default',
    name: 'one',
    body: gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
    user: 'somebody',
  })
}

describe('a played pod', () => {
  it('runs and ends, with everything that controllers read in its status', () => {
    const given = room(once(1500))
    given.until(1)
    expect(given.pod().spec.nodeName).toBe('node-1')
    expect(given.pod().status).toMatchObject({
      phase: 'Running',
      startTime: '2026-01-05T00:00:00Z',
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: '2026-01-05T00:00:00Z' } },
        },
      ],
    })
    expect(conditions(given.pod())).toMatchObject({
      Ready: 'True',
      ContainersReady: 'True',
      Initialized: 'True',
    })
    given.until(2)
    expect(given.pod().status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [
        {
          ready: false,
          state: {
            terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-01-05T00:00:01Z' },
          },
        },
      ],
    })
    expect(conditions(given.pod())).toMatchObject({ Ready: 'False PodCompleted' })
  })

  it('that runs for a year is written twice: when it starts and when it ends', () => {
    const year = 365 * 86_400
    const given = room(once(year * 1000))
    given.until(1)
    const { length } = given.writes
    given.until(year - 1)
    expect(given.writes).toHaveLength(length)
    given.until(year)
    expect(given.writes).toHaveLength(length + 1)
    expect(given.pod().status?.phase).toBe('Succeeded')
  })

  it('says why it failed', () => {
    const given = room(once(500, 3))
    given.until(1)
    expect(given.pod().status?.containerStatuses?.[0]?.state.terminated).toMatchObject({
      exitCode: 3,
      reason: 'Error',
    })
    expect(conditions(given.pod())).toMatchObject({ Ready: 'False PodFailed' })
  })

  it('starts a little later where starting takes time', () => {
    const given = room(once(500), {}, REALISTIC)
    given.until(0.029)
    expect(given.pod().status?.phase ?? 'Pending').toBe('Pending')
    given.until(0.03)
    expect(given.pod().status?.phase).toBe('Running')
  })

  it('is Ready later, or never, when its plan says so', () => {
    const late = room({ readyMs: 4000 })
    late.until(3)
    expect(conditions(late.pod())['Ready']).toBe('False ContainersNotReady')
    late.until(4)
    expect(conditions(late.pod())['Ready']).toBe('True')
    const never = room({ readyMs: 'never' })
    never.until(1e6)
    expect(conditions(never.pod())['Ready']).toBe('False ContainersNotReady')
  })

  it('shows restarts and the crash loop', () => {
    const given = room(once(1000, 1), { restartPolicy: 'OnFailure' })
    given.until(1.5)
    expect(given.pod().status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      ready: true,
    })
    given.until(5)
    expect(given.pod().status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1 } },
    })
    expect(given.pod().status?.phase).toBe('Running')
    given.until(12.5)
    expect(given.pod().status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 2,
      ready: true,
    })
  })
})

describe('a pod that is deleted', () => {
  it('stops when its plan says, reports it, and is gone', () => {
    const given = room({ ...once(60_000), stopMs: 4000 })
    given.until(2)
    remove(given)
    given.until(5.9)
    expect(given.pod().status?.phase).toBe('Running')
    given.until(6)
    const [end, gone] = given.writes.slice(-2)
    expect(end?.object).toMatchObject({
      status: {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { exitCode: 143 } } }],
      },
    })
    expect(gone?.type).toBe('DELETED')
  })

  it('goes on for the time that it takes to stop, although its own end would come earlier', () => {
    const given = room({ ...once(3000), stopMs: 10_000 })
    given.until(2)
    remove(given)
    given.until(11.9)
    expect(given.pod().status?.phase).toBe('Running')
  })

  it('is killed after its grace period', () => {
    const given = room({ stopMs: 600_000 })
    given.until(2)
    remove(given)
    given.until(31.9)
    expect(given.pod().status?.phase).toBe('Running')
    given.until(32)
    expect(given.cluster.api.read.get(PODS, 'default', 'one')).toBeUndefined()
  })

  it('is gone at once when it has ended', () => {
    const given = room(once(500))
    given.until(2)
    remove(given)
    expect(given.cluster.api.read.get(PODS, 'default', 'one')).toBeUndefined()
  })
})

describe('a pod that cannot start', () => {
  it('for want of a node stays Pending and says why, for as long as its plan says', () => {
    const message = '0/3 nodes are available: 3 Insufficient cpu.'
    const given = room({ ...once(500), unschedulable: { message, forMs: 60_000 } })
    given.until(59)
    expect(given.pod().status?.phase).toBe('Pending')
    expect(conditions(given.pod())).toEqual({ PodScheduled: 'False Unschedulable' })
    given.until(61)
    expect(given.pod().status?.phase).toBe('Succeeded')
  })

  it('for want of its image waits', () => {
    const main = { runs: [{ durationMs: 500 }], pullFails: { message: 'manifest unknown' } }
    const given = room({ containers: { main } })
    given.until(1e6)
    expect(given.pod().status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [
        { state: { waiting: { reason: 'ImagePullBackOff', message: 'manifest unknown' } } },
      ],
    })
  })

  it.each([
    [
      'in its environment',
      {
        containers: [
          { name: 'main', image: 'one:1', envFrom: [{ configMapRef: { name: 'settings' } }] },
        ],
      },
      'CreateContainerConfigError',
    ],
    [
      'in a volume',
      { volumes: [{ name: 'v', configMap: { name: 'settings' } }] },
      'ContainerCreating',
    ],
  ])('for want of a ConfigMap %s waits until it is there', (_, spec: JsonObject, reason) => {
    const given = room(once(500), spec)
    given.until(100)
    expect(given.pod().status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason } } }],
    })
    given.cluster.request({
      verb: 'create',
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      namespace: 'default',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
      user: 'somebody',
    })
    given.until(101)
    expect(given.pod().status?.phase).toBe('Succeeded')
  })

  it('does not wait for what is optional', () => {
    const configMapRef = { name: 'settings', optional: true }
    const given = room(once(500), {
      containers: [{ name: 'main', image: 'one:1', envFrom: [{ configMapRef }] }],
    })
    given.until(1)
    expect(given.pod().status?.phase).toBe('Succeeded')
  })
})

describe('a pod that is disrupted', () => {
  it('by its node ends as Failed, marked, and stays', () => {
    const given = room({ disruption: { afterMs: 5000, reason: 'TerminationByKubelet' } })
    given.until(10)
    expect(given.pod().status).toMatchObject({ phase: 'Failed', reason: 'Evicted' })
    expect(conditions(given.pod())['DisruptionTarget']).toBe('True TerminationByKubelet')
  })

  it('by somebody else is marked, and deleted', () => {
    const given = room({
      stopMs: 3000,
      disruption: { afterMs: 5000, reason: 'PreemptionByScheduler' },
    })
    given.until(7)
    expect(conditions(given.pod())['DisruptionTarget']).toBe('True PreemptionByScheduler')
    expect(given.pod().metadata.deletionTimestamp).toBeDefined()
    given.until(8)
    expect(given.cluster.api.read.get(PODS, 'default', 'one')).toBeUndefined()
  })
})

describe('a kubelet', () => {
  it('goes on after a restart with the pods that run', () => {
    const given = room(once(60_000))
    given.until(10)
    given.cluster.stop('kubelet')
    given.until(20)
    given.cluster.start('kubelet')
    given.until(59)
    expect(given.pod().status?.phase).toBe('Running')
    given.until(60)
    expect(given.pod().status?.phase).toBe('Succeeded')
  })

  it('can be copied with its cluster: both go on alike, neither touches the other', () => {
    const given = room(once(60_000))
    given.until(10)
    const twin = given.cluster.copy()
    given.until(100)
    expect(asPod(twin.api.read.list(PODS)[0] as never).status?.phase).toBe('Running')
    twin.runUntil(zero + 100_000)
    expect(twin.api.read.list(PODS)[0]).toEqual(given.pod())
  })
})
