import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { integerAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../object.ts'
import { fenceposts } from './deployment-rollout.ts'
import { PODS, world, type World } from './testing.ts'
import { conditionOf, DEPLOYMENTS, isReady, REPLICASETS, statusOf } from './workload.ts'

function manifest(spec: JsonObject = {}, image = 'registry.example.test/web:1'): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      selector: { matchLabels: { app: 'web' } },
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
      },
      ...spec,
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { restartPolicy: 'Always', containers: [{ name: 'main', image }] },
      },
    },
  }
}

function web(given: World): KubeObject {
  const found = given.get(DEPLOYMENTS, 'web')
  if (found === undefined) throw new Error('there is no Deployment')
  return found
}

function sets(given: World): readonly KubeObject[] {
  return given.cluster.api.read.list(REPLICASETS, 'default')
}

function pods(given: World): readonly KubeObject[] {
  return given.cluster.api.read.list(PODS, 'default')
}

function newImage(given: World, tag: string): void {
  const containers = [{ name: 'main', image: `registry.example.test/web:${tag}` }]
  given.merge(DEPLOYMENTS, 'web', { spec: { template: { spec: { containers } } } })
}

function progress(given: World): string {
  const found = conditionOf(statusOf(web(given)), 'Progressing')
  return `${stringAt(found, ['status'])} ${stringAt(found, ['reason'])}`
}

describe('a Deployment', () => {
  it('gets a ReplicaSet with the hash of its template, and pods that become ready (K-70)', () => {
    const given = world()
    given.create(manifest())
    given.until(5)
    const [set] = sets(given)
    const hash = set?.metadata.labels?.['pod-template-hash']
    expect(set?.metadata.name).toBe(`web-${hash}`)
    expect(set?.metadata.annotations).toEqual({
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    })
    expect(pods(given)).toHaveLength(3)
    expect(web(given).metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1')
    expect(statusOf(web(given))).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    })
    expect(progress(given)).toBe('True NewReplicaSetAvailable')
    expect(conditionOf(statusOf(web(given)), 'Available')?.['status']).toBe('True')
  })

  it('with a new image moves its pods to a new ReplicaSet with the next revision', () => {
    const given = world()
    given.create(manifest())
    given.until(5)
    newImage(given, '2')
    given.until(100)
    const sizes = sets(given).map((set): [string | undefined, number | undefined] => [
      set.metadata.annotations?.['deployment.kubernetes.io/revision'],
      integerAt(set, ['spec', 'replicas']),
    ])
    expect(new Map(sizes)).toEqual(
      new Map([
        ['1', 0],
        ['2', 3],
      ]),
    )
    expect(pods(given)).toHaveLength(3)
    expect(statusOf(web(given))).toMatchObject({ observedGeneration: 2, updatedReplicas: 3 })
  })

  it('that goes back to an old image takes its old ReplicaSet again, with a new revision', () => {
    const given = world()
    given.create(manifest())
    given.until(5)
    newImage(given, '2')
    given.until(100)
    newImage(given, '1')
    given.until(200)
    expect(sets(given)).toHaveLength(2)
    const [current] = sets(given).filter((set) => integerAt(set, ['spec', 'replicas']) === 3)
    expect(current?.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    })
  })

  it('with Recreate stops all old pods before the first new one starts', () => {
    const given = world()
    given.create(manifest({ strategy: { type: 'Recreate', rollingUpdate: null } }))
    given.until(5)
    newImage(given, '2')
    given.until(100)
    const stopped = given.lives.slice(0, 3).map(({ deleted }) => deleted ?? Infinity)
    const started = given.lives.slice(3).map(({ created }) => created)
    expect(started).toHaveLength(3)
    expect(Math.max(...stopped)).toBeLessThanOrEqual(Math.min(...started))
  })

  it('is scaled without a new revision', () => {
    const given = world()
    given.create(manifest())
    given.until(5)
    given.merge(DEPLOYMENTS, 'web', { spec: { replicas: 5 } })
    given.until(10)
    expect(pods(given)).toHaveLength(5)
    given.merge(DEPLOYMENTS, 'web', { spec: { replicas: 1 } })
    given.until(60)
    expect(pods(given)).toHaveLength(1)
    expect(sets(given)).toHaveLength(1)
    expect(web(given).metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1')
  })

  it('that is paused does not roll out, and says so', () => {
    const given = world()
    given.create(manifest())
    given.until(5)
    given.merge(DEPLOYMENTS, 'web', { spec: { paused: true } })
    given.until(6)
    newImage(given, '2')
    given.until(100)
    expect(sets(given)).toHaveLength(1)
    expect(progress(given)).toBe('Unknown DeploymentPaused')
    given.merge(DEPLOYMENTS, 'web', { spec: { paused: false } })
    given.until(200)
    expect(sets(given)).toHaveLength(2)
    expect(progress(given)).toBe('True NewReplicaSetAvailable')
  })

  it('whose pods may not be created times out at its deadline and says why (K-73)', () => {
    let isForbidden = false
    const guard = {
      name: 'guard',
      validate: ({ operation, resource }: { operation: string; resource: { resource: string } }) =>
        isForbidden && operation === 'CREATE' && resource.resource === 'pods'
          ? ({ allowed: false, code: 403, reason: 'Forbidden', message: 'no pods' } as const)
          : ({ allowed: true } as const),
    }
    const given = world({ admission: [guard] })
    given.create(manifest({ progressDeadlineSeconds: 30 }))
    given.until(5)
    isForbidden = true
    newImage(given, '2')
    given.until(20)
    const failure = conditionOf(statusOf(web(given)), 'ReplicaFailure')
    expect(failure).toMatchObject({ status: 'True', reason: 'FailedCreate', message: 'no pods' })
    expect(progress(given)).toBe('True NewReplicaSetCreated')
    given.until(40)
    expect(progress(given)).toBe('False ProgressDeadlineExceeded')
    expect(pods(given).filter(isReady).length).toBeGreaterThanOrEqual(2)
    isForbidden = false
    given.until(1000)
    expect(progress(given)).toBe('True NewReplicaSetAvailable')
  })

  it('keeps as many old ReplicaSets as revisionHistoryLimit says', () => {
    const given = world()
    given.create(manifest({ revisionHistoryLimit: 1 }))
    for (let version = 1; version <= 4; version += 1) {
      newImage(given, String(version))
      given.until(version * 100)
    }
    expect(sets(given)).toHaveLength(2)
  })

  it('that is deleted takes ReplicaSet and pods with it', () => {
    const given = world()
    given.create(manifest())
    given.until(5)
    given.remove(DEPLOYMENTS, 'web', 'Foreground')
    given.until(100)
    expect(given.get(DEPLOYMENTS, 'web')).toBeUndefined()
    expect(sets(given)).toEqual([])
    expect(pods(given)).toEqual([])
  })
})

it('a pod that goes is replaced at once (K-74)', () => {
  const given = world()
  given.create(manifest())
  given.until(5)
  const name = pods(given)[0]?.metadata.name ?? ''
  given.remove(PODS, name)
  given.until(60)
  expect(pods(given)).toHaveLength(3)
  expect(given.lives).toHaveLength(4)
})

it.each([
  [10, '25%', '25%', { surge: 3, missing: 2 }],
  [1, '25%', '25%', { surge: 1, missing: 0 }],
  [4, 0, 0, { surge: 0, missing: 1 }],
  [2, 5, 5, { surge: 5, missing: 2 }],
  [10, '1%', '1%', { surge: 1, missing: 0 }],
])(
  'of %i replicas with surge %s and unavailable %s may differ %j',
  (replicas, maxSurge, maxUnavailable, expected) => {
    const spec = {
      replicas,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
    }
    expect(fenceposts({ ...manifest(spec) } as KubeObject)).toEqual(expected)
  },
)

it('never has more pods than replicas and surge, nor fewer ready ones than it may do without', () => {
  const settings = fc.record({
    replicas: fc.integer({ min: 1, max: 6 }),
    maxSurge: fc.constantFrom(0, 1, 2, '25%', '100%'),
    maxUnavailable: fc.constantFrom(0, 1, '25%', '50%'),
    minReadySeconds: fc.constantFrom(0, 3),
  })
  fc.assert(
    fc.property(settings, ({ replicas, maxSurge, maxUnavailable, minReadySeconds }) => {
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }
      const given = world()
      given.create(manifest({ replicas, minReadySeconds, strategy }))
      given.until(10)
      const { surge, missing } = fenceposts(web(given))
      newImage(given, '2')
      for (let steps = 0; given.cluster.step() && steps < 2000; steps += 1) {
        const alive = pods(given).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        expect(alive.length).toBeLessThanOrEqual(replicas + surge)
        expect(alive.filter(isReady).length).toBeGreaterThanOrEqual(replicas - missing)
      }
      expect(statusOf(web(given))).toMatchObject({
        updatedReplicas: replicas,
        availableReplicas: replicas,
      })
      expect(progress(given)).toBe('True NewReplicaSetAvailable')
    }),
    { numRuns: 20, seed: 10 },
  )
})
