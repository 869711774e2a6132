import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { controllerManager } from '../controllers/index.ts'
import type { Cluster, ClusterEvent } from '../cluster.ts'
import { createCluster } from '../index.ts'
import { asPod, PODS, type Pod } from '../pod.ts'
import { executionsOf } from './executions.ts'
import { kubelet } from './kubelet.ts'
import { registry, type RegistryChange } from './registry.ts'
import { scenarioScript, isInjectedSidecar, type Workload } from './scenario-script.ts'

const zero = Date.UTC(2026, 0, 5)
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const IMAGE = 'registry.example.test/shop/migrate:dev'

const at = (seconds: number): number => zero + seconds * 1000

interface Room {
  readonly cluster: Cluster
  readonly events: readonly ClusterEvent[]
  create(name: string, pod?: JsonObject, job?: JsonObject): void
  until(seconds: number): void
  pods(job: string): readonly Pod[]
  job(name: string): JsonObject
}

function room(changes: readonly RegistryChange[], workload: Partial<Workload> = {}): Room {
  const events: ClusterEvent[] = []
  const work = { name: 'default/*', durationMs: 5000, ...workload }
  const script = scenarioScript({ workloads: [work] })
  const cluster = createCluster({
    now: zero,
    actors: [...controllerManager(), kubelet(script, { registry: registry(changes) })],
    listener: { event: (event) => events.push(event) },
  })
  return {
    cluster,
    events,
    create(name, container = {}, job = {}) {
      const containers = [{ name: 'main', image: IMAGE, ...container }]
      const template = { spec: { restartPolicy: 'Never', containers } }
      cluster.request({
        verb: 'create',
        resource: JOBS,
        namespace: 'default',
        user: 'somebody',
        body: {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name },
          spec: { ...job, template },
        },
      })
    },
    until: (seconds) => cluster.runUntil(at(seconds)),
    pods: (job) =>
      cluster.api.read
        .list(PODS)
        .map(asPod)
        .filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === job),
    job: (name) => (cluster.api.read.get(JOBS, 'default', name)?.['status'] ?? {}) as JsonObject,
  }
}

function reasonOf([pod]: readonly Pod[]): string | undefined {
  return pod?.status?.containerStatuses?.[0]?.state.waiting?.reason
}

/** When the work of the first pod began, in seconds. */
function begunAt([pod]: readonly Pod[]): number | undefined {
  const { state } = pod?.status?.containerStatuses?.[0] ?? { state: undefined }
  const text = state?.running?.startedAt ?? state?.terminated?.startedAt
  return text === undefined ? undefined : (Date.parse(text) - zero) / 1000
}

function imageIdOf([pod]: readonly Pod[]): string | undefined {
  return pod?.status?.containerStatuses?.[0]?.imageID
}

describe('a registry that cannot be reached (K-94)', () => {
  it('holds the pod, which asks again 10, 20, 40 ... 300 s after the try before', () => {
    const beginsAt = (until: number): number | undefined => {
      const given = room([{ do: 'outage', at: zero, until: at(until) }])
      given.create('work')
      given.until(0)
      expect(reasonOf(given.pods('work'))).toBe('ImagePullBackOff')
      given.until(20_000)
      return begunAt(given.pods('work'))
    }
    const tries = [10, 30, 70, 150, 310, 610, 910, 1210, 1510]
    for (const [index, next] of tries.entries()) {
      expect(beginsAt(next)).toBe(next)
      expect(beginsAt(next + 1)).toBe(tries[index + 1] ?? 1810)
    }
    expect(beginsAt(7200)).toBe(7210)
  })

  it('is no failure: the Job waits and completes afterwards', () => {
    const given = room([{ do: 'outage', at: zero, until: at(7200) }])
    given.create('work', {}, { backoffLimit: 0 })
    given.until(7000)
    expect(given.job('work')).toMatchObject({ active: 1, ready: 0 })
    expect(given.job('work')['failed']).toBeUndefined()
    given.until(8000)
    expect(given.job('work')).toMatchObject({ succeeded: 1 })
    expect(given.pods('work')).toHaveLength(1)
  })

  it('fails a Job whose deadline is earlier', () => {
    const given = room([{ do: 'outage', at: zero, until: at(7200) }])
    given.create('work', {}, { activeDeadlineSeconds: 600 })
    given.until(700)
    expect(given.job('work')).toMatchObject({ failed: 1 })
    expect(JSON.stringify(given.job('work'))).toContain('DeadlineExceeded')
  })

  it('holds only images of its host, and only pods that start then', () => {
    const given = room([{ do: 'outage', at: at(2), until: at(600), host: 'registry.example.test' }])
    given.create('before')
    given.until(3)
    given.create('here', { image: 'registry.example.test/other:1' })
    given.create('elsewhere', { image: 'busybox' })
    given.until(20)
    expect(given.job('before')).toMatchObject({ succeeded: 1 })
    expect(given.job('elsewhere')).toMatchObject({ succeeded: 1 })
    expect(given.job('here')).toMatchObject({ active: 1 })
  })

  it('is not asked for an image that the node has, unless the policy is Always', () => {
    const given = room([{ do: 'outage', at: at(10), until: at(600) }])
    given.create('first')
    given.until(20)
    given.create('present', { imagePullPolicy: 'IfNotPresent' })
    given.create('asks', { imagePullPolicy: 'Always' })
    given.create('latest', { image: 'registry.example.test/shop/migrate' })
    given.until(30)
    expect(given.job('present')).toMatchObject({ succeeded: 1 })
    expect(reasonOf(given.pods('asks'))).toBe('ImagePullBackOff')
    expect(reasonOf(given.pods('latest'))).toBe('ImagePullBackOff')
  })

  it('tells of the first try in an event', () => {
    const given = room([{ do: 'outage', at: zero, until: at(600) }])
    given.create('work')
    given.until(500)
    expect(given.events.filter(({ by }) => by === 'kubelet').map(({ message }) => message)).toEqual(
      [
        `Failed to pull image "${IMAGE}": failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: Head "https://registry.example.test/v2/shop/migrate/manifests/dev": connect: connection refused`,
      ],
    )
  })
})

describe('an image that is not there (K-94)', () => {
  it('holds the pod until it is pushed', () => {
    const given = room([
      { do: 'remove', at: zero, image: IMAGE },
      { do: 'push', at: at(100), image: IMAGE, digest: 'sha256:aaa' },
    ])
    given.create('work')
    given.until(99)
    expect(given.pods('work')[0]?.status?.phase).toBe('Pending')
    expect(given.events.at(-1)?.message).toMatch(/: not found$/)
    given.until(200)
    expect(begunAt(given.pods('work'))).toBe(150)
  })

  it('holds it for ever, without a wake, when nobody pushes it', () => {
    const given = room([{ do: 'remove', at: zero, image: IMAGE }])
    given.create('work')
    given.until(86_400)
    expect(reasonOf(given.pods('work'))).toBe('ImagePullBackOff')
    expect(given.cluster.planned()).toEqual([])
    given.cluster.request({
      verb: 'delete',
      resource: JOBS,
      namespace: 'default',
      name: 'work',
      user: 'somebody',
      body: { propagationPolicy: 'Foreground' },
    })
    given.until(86_500)
    expect(given.pods('work')).toEqual([])
  })

  it('is not asked for under the policy Never', () => {
    const given = room([])
    given.create('work', { imagePullPolicy: 'Never' })
    given.until(10)
    expect(reasonOf(given.pods('work'))).toBe('ErrImageNeverPull')
  })
})

describe('a tag that is moved', () => {
  const moved: readonly RegistryChange[] = [
    { do: 'push', at: zero, image: IMAGE, digest: 'sha256:one' },
    { do: 'push', at: at(100), image: IMAGE, digest: 'sha256:two' },
  ]
  const exits = { 'sha256:one': 'ok', 'sha256:two': 7 } as const

  it('gives the new content to the next pod whose policy asks, and to those that find it on the node', () => {
    const given = room(moved, { exits })
    const job = { backoffLimit: 0 }
    given.create('first', { imagePullPolicy: 'Always' }, job)
    given.until(150)
    given.create('asks', { imagePullPolicy: 'Always' }, job)
    given.create('late', { imagePullPolicy: 'IfNotPresent' }, job)
    given.until(200)
    const ends = (name: string): string => (given.job(name)['succeeded'] === 1 ? 'ok' : 'failed')
    expect([ends('first'), ends('asks'), ends('late')]).toEqual(['ok', 'failed', 'failed'])
    expect(imageIdOf(given.pods('asks'))).toBe(`${IMAGE}@sha256:two`)
  })

  it('leaves the old content on a node where nobody asks', () => {
    const given = room(moved, { exits })
    given.create('first', { imagePullPolicy: 'IfNotPresent' })
    given.until(150)
    given.create('second', { imagePullPolicy: 'IfNotPresent' })
    given.until(200)
    expect(given.job('second')).toMatchObject({ succeeded: 1 })
    expect(imageIdOf(given.pods('second'))).toBe(`${IMAGE}@sha256:one`)
  })

  it('does not move a pinned image', () => {
    const given = room(moved, { exits })
    given.until(150)
    const image = `${IMAGE}@sha256:one`
    given.create('pinned', { image, imagePullPolicy: 'Always' })
    given.until(200)
    expect(given.job('pinned')).toMatchObject({ succeeded: 1 })
    expect(imageIdOf(given.pods('pinned'))).toBe(image)
  })

  it('counts less than a commit and more than the tag', () => {
    const given = room(moved, { exits: { ...exits, dev: 'fail' } })
    given.create('work', {}, { backoffLimit: 0 })
    given.until(50)
    expect(given.job('work')).toMatchObject({ succeeded: 1 })
  })
})

describe('what work needs (K-95)', () => {
  const make = (given: Room, kind: string, name: string, spec: JsonObject = {}): void => {
    const group = kind === 'Deployment' ? 'apps' : kind === 'Job' ? 'batch' : ''
    const apiVersion = group === '' ? 'v1' : `${group}/v1`
    const answer = given.cluster.request({
      verb: 'create',
      resource: { group, version: 'v1', resource: `${kind.toLowerCase()}s` },
      namespace: 'default',
      user: 'somebody',
      body: { apiVersion, kind, metadata: { name }, ...spec },
    })
    expect(answer.code).toBe(201)
  }
  const needs = (kind: string, name: string, namespace = 'default'): Partial<Workload> => ({
    name: 'default/work',
    needs: [{ kind, namespace, name }],
  })

  it.each(['ConfigMap', 'Secret'])('a %s holds the container until it is there', (kind) => {
    const given = room([], needs(kind, 'settings'))
    given.create('work')
    given.until(1000)
    expect(reasonOf(given.pods('work'))).toBe('CreateContainerConfigError')
    make(given, kind, 'settings')
    given.until(1001)
    expect(begunAt(given.pods('work'))).toBe(1000)
  })

  it('anything else makes the work fail at once, and the Job tries again', () => {
    const given = room([], needs('Service', 'database'))
    given.create('work', {}, { backoffLimit: 6 })
    given.until(25)
    // 0 s, 10 s; the next comes at 30 s.
    expect(given.job('work')).toMatchObject({ failed: 2 })
    make(given, 'Service', 'database', { spec: { ports: [{ port: 5432 }] } })
    given.until(40)
    expect(given.job('work')).toMatchObject({ failed: 2, succeeded: 1 })
  })

  it('a ConfigMap of another namespace is nothing that a pod could wait for', () => {
    const given = room([], needs('ConfigMap', 'settings', 'elsewhere'))
    given.create('work', {}, { backoffLimit: 0 })
    given.until(5)
    expect(given.job('work')).toMatchObject({ failed: 1 })
  })

  it('a Job has to be complete', () => {
    const given = room([], needs('Job', 'first'))
    given.create('first', { image: 'busybox' })
    given.create('work', {}, { backoffLimit: 0 })
    given.until(1)
    expect(given.job('work')).toMatchObject({ failed: 1 })
  })

  it('a Deployment is ready with all its replicas', () => {
    const given = room([], needs('Deployment', 'app'))
    make(given, 'Deployment', 'app', {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'app' } },
        template: {
          metadata: { labels: { app: 'app' } },
          spec: { containers: [{ name: 'main', image: 'busybox' }] },
        },
      },
    })
    given.create('soon', {}, { backoffLimit: 0 })
    given.until(5)
    given.create('work', {}, { backoffLimit: 0 })
    given.until(20)
    expect(given.job('work')).toMatchObject({ succeeded: 1 })
  })
})

describe('executions of the work', () => {
  const count = (given: Room, name: string): number =>
    given.pods(name).reduce((sum, pod) => sum + executionsOf(pod, isInjectedSidecar), 0)

  it('are container starts: each attempt, restarts in the pod among them, proxies not', () => {
    const given = room([], { attempts: ['fail', 'fail', 'ok'] })
    given.create('work')
    given.until(200)
    expect(count(given, 'work')).toBe(3)
    const waiting = room([{ do: 'outage', at: zero, until: at(3600) }])
    waiting.create('work')
    waiting.until(10)
    expect(count(waiting, 'work')).toBe(0)
  })

  const ends = (exitCode: number) => ({
    'istio-proxy': { runs: [{ endsAfter: { container: 'main' }, exitCode }] },
  })
  it.each([
    ['of work whose call to a proxy that is not there fails it', { exits: 'fail' }, false, 4],
    ['with a proxy that ends with an error', { containers: ends(1) }, true, 4],
    ['without a proxy, and a call whose result is ignored', {}, false, 1],
    [
      'of work that fails twice, with a proxy that ends well',
      { attempts: ['fail', 'fail'], containers: ends(0) },
      true,
      3,
    ],
  ] as const)('%s', (_title, workload, hasProxy, executions) => {
    const given = room([], workload)
    const proxy = [{ name: 'istio-proxy', image: 'registry.example.test/proxy:1' }]
    const main = [{ name: 'main', image: IMAGE }]
    const containers = hasProxy ? [...main, ...proxy] : main
    given.cluster.request({
      verb: 'create',
      resource: JOBS,
      namespace: 'default',
      user: 'somebody',
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'work' },
        spec: { backoffLimit: 3, template: { spec: { restartPolicy: 'Never', containers } } },
      },
    })
    given.until(600)
    expect(count(given, 'work')).toBe(executions)
    expect(given.job('work')['succeeded']).toBe(executions === 4 ? undefined : 1)
  })

  it('go on without end where the work never completes', () => {
    const given = room([], { completes: false, exits: 'fail' })
    given.create('work')
    given.until(86_400)
    expect(given.job('work')).toMatchObject({ active: 1, ready: 1 })
  })
})
