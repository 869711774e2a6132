import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { REALISTIC } from '../actor.ts'
import type { KubeObject, OwnerReference } from '../object.ts'
import { JOBS } from './cronjob-job.ts'
import { CONFIGMAPS, jobSpec, NAMESPACES, PODS, world, type World } from './testing.ts'

const COLLECTOR = 'generic-garbage-collector'

function configMap(
  name: string,
  owners: readonly JsonObject[] = [],
  more: JsonObject = {},
): JsonObject {
  const ownerReferences = owners.length === 0 ? {} : { ownerReferences: owners }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...ownerReferences, ...more } }
}

function owner({ apiVersion, kind, metadata }: KubeObject, more: JsonObject = {}): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more }
}

function names(given: World): readonly string[] {
  return given.cluster.api.read.list(CONFIGMAPS, 'default').map(({ metadata }) => metadata.name)
}

function runningJob(given: World, linger: string): void {
  const metadata = { name: 'one' }
  const spec = jobSpec({ duration: '60000', linger })
  given.create({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec })
  given.until(5)
}

describe('deletion of an owner', () => {
  it('in the background takes its dependents with it, and theirs (K-51)', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const b = given.create(configMap('b', [owner(a)]))
    given.create(configMap('c', [owner(b)]))
    given.remove(CONFIGMAPS, 'a', 'Background')
    expect(names(given)).toEqual(['b', 'c'])
    given.until(1)
    expect(names(given)).toEqual([])
  })

  it('comes to the dependents a moment later in realistic mode', () => {
    const given = world({ latencies: REALISTIC })
    given.until(1)
    const a = given.create(configMap('a'))
    given.create(configMap('b', [owner(a)]))
    given.remove(CONFIGMAPS, 'a', 'Background')
    given.until(1.019)
    expect(names(given)).toEqual(['b'])
    given.until(1.021)
    expect(names(given)).toEqual([])
  })

  it('in the foreground waits for the dependents that block, and only for those (K-52)', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const held = { finalizers: ['example.test/held'] }
    given.create(configMap('blocking', [owner(a, { blockOwnerDeletion: true })], held))
    given.create(configMap('other', [owner(a)], held))
    given.remove(CONFIGMAPS, 'a', 'Foreground')
    given.until(10)
    expect(given.get(CONFIGMAPS, 'a')?.metadata.finalizers).toEqual(['foregroundDeletion'])
    given.merge(CONFIGMAPS, 'blocking', { metadata: { finalizers: null } })
    given.until(11)
    expect(names(given)).toEqual(['other'])
    expect(given.get(CONFIGMAPS, 'other')?.metadata.deletionTimestamp).toBeDefined()
  })

  it('in the foreground cascades: a dependent with dependents of its own waits for them, too', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const b = given.create(configMap('b', [owner(a, { blockOwnerDeletion: true })]))
    const c = configMap('c', [owner(b, { blockOwnerDeletion: true })])
    given.create({
      ...c,
      metadata: { ...(c['metadata'] as object), finalizers: ['example.test/x'] },
    })
    given.remove(CONFIGMAPS, 'a', 'Foreground')
    given.until(1)
    expect(given.get(CONFIGMAPS, 'b')?.metadata.finalizers).toEqual(['foregroundDeletion'])
    given.merge(CONFIGMAPS, 'c', { metadata: { finalizers: null } })
    given.until(2)
    expect(names(given)).toEqual([])
  })

  it('in the foreground ends a circle of owners', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const b = given.create(configMap('b', [owner(a, { blockOwnerDeletion: true })]))
    const back = [owner(b, { blockOwnerDeletion: true })]
    given.merge(CONFIGMAPS, 'a', { metadata: { ownerReferences: back } })
    given.remove(CONFIGMAPS, 'a', 'Foreground')
    given.until(1)
    expect(names(given)).toEqual([])
  })

  it('as an orphan leaves the dependents without the reference (K-54)', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const b = given.create(configMap('b'))
    given.create(configMap('one', [owner(a)]))
    given.create(configMap('two', [owner(a), owner(b)]))
    given.remove(CONFIGMAPS, 'a', 'Orphan')
    given.until(1)
    expect(names(given)).toEqual(['b', 'one', 'two'])
    expect(given.get(CONFIGMAPS, 'one')?.metadata.ownerReferences).toBeUndefined()
    expect(given.get(CONFIGMAPS, 'two')?.metadata.ownerReferences).toEqual([owner(b)])
  })

  it('leaves a dependent that has another owner, but takes the reference off (K-53)', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const b = given.create(configMap('b'))
    given.create(configMap('both', [owner(a), owner(b)]))
    given.remove(CONFIGMAPS, 'a', 'Background')
    given.until(1)
    expect(given.get(CONFIGMAPS, 'both')?.metadata.ownerReferences).toEqual([owner(b)])
    given.remove(CONFIGMAPS, 'b', 'Background')
    given.until(2)
    expect(names(given)).toEqual([])
  })

  it('in the foreground does not wait for a dependent that has another owner', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const b = given.create(configMap('b'))
    given.create(configMap('both', [owner(a, { blockOwnerDeletion: true }), owner(b)]))
    given.remove(CONFIGMAPS, 'a', 'Foreground')
    given.until(1)
    expect(names(given)).toEqual(['b', 'both'])
  })

  it('is tried again with a doubling pause while a dependent may not be deleted', () => {
    let isForbidden = true
    const guard = {
      name: 'guard',
      validate: ({ operation, name }: { operation: string; name: string }) =>
        isForbidden && operation === 'DELETE' && name === 'b'
          ? ({ allowed: false, code: 403, reason: 'Forbidden', message: 'no' } as const)
          : ({ allowed: true } as const),
    }
    const given = world({ admission: [guard] })
    const a = given.create(configMap('a'))
    given.create(configMap('b', [owner(a)]))
    given.remove(CONFIGMAPS, 'a', 'Background')
    given.until(1)
    isForbidden = false
    given.until(10)
    expect(names(given)).toEqual([])
    const tries = given.requests.filter(({ by }) => by === COLLECTOR).map(({ at }) => at)
    expect(tries).toEqual([0, 0.005, 0.015, 0.035, 0.075, 0.155, 0.315, 0.635, 1.275])
  })
})

describe('a dependent whose owner was never there', () => {
  it('is deleted (K-50)', () => {
    const given = world()
    const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'no-such-uid' }
    given.create(configMap('b', [absent]))
    given.until(1)
    expect(names(given)).toEqual([])
  })

  it.each([
    ['another name', { name: 'other' }],
    ['another kind', { kind: 'Secret' }],
  ])('is deleted when the uid is that of an object with %s', (_, wrong) => {
    const given = world()
    const a = given.create(configMap('a'))
    given.create(configMap('b', [owner(a, wrong)]))
    given.until(1)
    expect(names(given)).toEqual(['a'])
  })

  it('is deleted when the owner lives in another namespace, and an event says so', () => {
    const given = world()
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'far' } }
    given.ask({ verb: 'create', resource: NAMESPACES, namespace: undefined as never, body })
    given.ask({ verb: 'create', resource: CONFIGMAPS, namespace: 'far', body: configMap('a') })
    const [a] = given.cluster.api.read.list(CONFIGMAPS, 'far')
    if (a === undefined) throw new Error('the owner was not created')
    given.create(configMap('b', [owner(a)]))
    given.until(1)
    expect(names(given)).toEqual([])
    expect(given.events.at(-1)).toMatchObject({
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef [v1/ConfigMap, namespace: default, name: a, uid: ${a.metadata.uid}] does not exist in namespace "default"`,
    })
  })

  it('is left alone when nobody serves the kind of its owner', () => {
    const given = world()
    const absent = { apiVersion: 'example.test/v1', kind: 'Thing', name: 'a', uid: 'x' }
    given.create(configMap('b', [absent]))
    given.until(10_000)
    expect(names(given)).toEqual(['b'])
  })

  it('is left alone when it is cluster-wide and its owner would live in a namespace', () => {
    const given = world()
    const a = given.create(configMap('a'))
    const metadata = { name: 'wide', ownerReferences: [owner(a)] }
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata }
    given.ask({ verb: 'create', resource: NAMESPACES, namespace: undefined as never, body })
    given.remove(CONFIGMAPS, 'a', 'Background')
    given.until(10_000)
    expect(given.cluster.api.read.get(NAMESPACES, undefined, 'wide')).toBeDefined()
  })

  it('is found when the collector comes up again (074)', () => {
    const given = world()
    runningJob(given, '1000')
    given.cluster.stop(COLLECTOR)
    given.remove(JOBS, 'one', 'Background')
    given.until(50)
    expect(given.cluster.api.read.list(PODS)).toHaveLength(1)
    given.cluster.start(COLLECTOR)
    given.until(52)
    expect(given.cluster.api.read.list(PODS)).toEqual([])
  })

  it.each(['Foreground', 'Orphan'])(
    'a deletion with %s waits while the collector is down (074)',
    (policy) => {
      const given = world()
      runningJob(given, '1000')
      given.cluster.stop(COLLECTOR)
      given.remove(JOBS, 'one', policy)
      given.until(50)
      expect(given.get(JOBS, 'one')?.metadata.deletionTimestamp).toBeDefined()
      given.cluster.start(COLLECTOR)
      given.until(55)
      expect(given.get(JOBS, 'one')).toBeUndefined()
      expect(given.cluster.api.read.list(PODS)).toHaveLength(policy === 'Orphan' ? 1 : 0)
    },
  )
})

describe('a Job', () => {
  it('in foreground deletion stays until its slow pod has stopped (030)', () => {
    const given = world()
    runningJob(given, '5000')
    given.remove(JOBS, 'one', 'Foreground')
    given.until(9.9)
    expect(given.get(JOBS, 'one')?.metadata.deletionTimestamp).toBeDefined()
    given.until(10)
    expect(given.get(JOBS, 'one')).toBeUndefined()
    expect(given.cluster.api.read.list(PODS)).toEqual([])
  })

  it('whose foreground deletion is followed by one in the background is gone at once (101)', () => {
    const given = world()
    runningJob(given, '5000')
    given.remove(JOBS, 'one', 'Foreground')
    given.until(6)
    given.remove(JOBS, 'one', 'Background')
    expect(given.get(JOBS, 'one')).toBeUndefined()
    expect(given.cluster.api.read.list(PODS)).toHaveLength(1)
  })

  it('deleted without a policy leaves its pods without owner (028)', () => {
    const given = world()
    runningJob(given, '5000')
    given.remove(JOBS, 'one')
    given.until(6)
    expect(given.get(JOBS, 'one')).toBeUndefined()
    const [pod] = given.cluster.api.read.list(PODS)
    expect(pod?.metadata.ownerReferences).toBeUndefined()
    expect(pod?.metadata.deletionTimestamp).toBeUndefined()
  })
})

describe('for every graph of owners', () => {
  const edges = fc.array(
    fc.record({
      from: fc.integer({ min: 1, max: 7 }),
      to: fc.integer({ min: 0, max: 6 }),
      blockOwnerDeletion: fc.boolean(),
    }),
    { maxLength: 14 },
  )
  const deletions = fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 5 }),
      index: fc.integer({ min: 0, max: 7 }),
      policy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
    }),
    { minLength: 1, maxLength: 5 },
  )

  it('nothing is left dangling, nothing with an owner is lost, nobody waits for ever', () => {
    fc.assert(
      fc.property(edges, deletions, fc.boolean(), (given, removed, isDown) => {
        const cluster = world()
        const made: KubeObject[] = []
        for (let index = 0; index < 8; index += 1) {
          const owners = given
            .filter(({ from, to }) => from === index && to < index)
            .filter((edge, at, all) => all.findIndex(({ to }) => to === edge.to) === at)
          const references = owners.map(({ to, blockOwnerDeletion }) => {
            const object = made[to]
            if (object === undefined) throw new Error('an owner comes first')
            return owner(object, { blockOwnerDeletion })
          })
          made.push(cluster.create(configMap(`o${index}`, references)))
        }
        if (isDown) cluster.cluster.stop(COLLECTOR)
        for (const { at, index, policy } of removed.sort((one, other) => one.at - other.at)) {
          cluster.until(at)
          cluster.remove(CONFIGMAPS, `o${index}`, policy)
        }
        cluster.until(6)
        if (isDown) cluster.cluster.start(COLLECTOR)
        cluster.until(3000)
        const left = cluster.cluster.api.read.list(CONFIGMAPS, 'default')
        const uids = new Set(left.map(({ metadata }) => metadata.uid))
        for (const { metadata } of left) {
          expect(metadata.deletionTimestamp).toBeUndefined()
          for (const reference of metadata.ownerReferences ?? []) {
            expect(uids.has(reference.uid)).toBe(true)
          }
        }
        const roots = made.filter(({ metadata }) => metadata.ownerReferences === undefined)
        for (const { metadata } of roots) {
          const isRemoved = removed.some(({ index }) => `o${index}` === metadata.name)
          expect(uids.has(metadata.uid)).toBe(!isRemoved)
        }
      }),
      { numRuns: 150, seed: 9 },
    )
  })
})
