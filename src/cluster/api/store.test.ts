import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../object.ts'
import { Store } from './store.ts'
import { CONFIGMAPS, JOBS } from './testing.ts'

function object(
  namespace: string,
  name: string,
  more: Partial<KubeObject['metadata']> = {},
): KubeObject {
  const metadata = { namespace, name, uid: `uid-${namespace}-${name}`, resourceVersion: '' }
  const times = { creationTimestamp: '2026-01-01T00:00:00Z' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, ...times, ...more } }
}

function namesOf(objects: readonly KubeObject[] | undefined): readonly string[] {
  return (objects ?? []).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
}

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'uid-owner' }

describe('the store', () => {
  test('lists in the order of etcd keys: namespace a-b before a, name a before a-b', () => {
    const store = new Store(10)
    for (const [namespace, name] of [
      ['a', 'b'],
      ['a', 'a-b'],
      ['a-b', 'x'],
      ['a', 'a'],
    ] as const) {
      store.put(CONFIGMAPS, object(namespace, name), undefined)
    }
    expect(namesOf(store.list(CONFIGMAPS))).toEqual(['a-b/x', 'a/a', 'a/a-b', 'a/b'])
    store.put(CONFIGMAPS, object('a', 'aa'), undefined)
    expect(namesOf(store.list(CONFIGMAPS, 'a'))).toEqual(['a/a', 'a/a-b', 'a/aa', 'a/b'])
  })

  test('keeps resources of the same name apart', () => {
    const store = new Store(10)
    store.put(CONFIGMAPS, object('a', 'x'), undefined)
    expect(store.get(JOBS, 'a', 'x')).toBeUndefined()
    expect(store.list(JOBS)).toEqual([])
  })

  test('knows dependents by owner, also after owners change and objects go', () => {
    const store = new Store(10)
    const owned = store.put(CONFIGMAPS, object('a', 'x', { ownerReferences: [OWNER] }), undefined)
    const second = store.put(CONFIGMAPS, object('a', 'y', { ownerReferences: [OWNER] }), undefined)
    expect(store.dependents('uid-owner')).toHaveLength(2)
    const freed = store.put(CONFIGMAPS, object('a', 'x'), owned)
    expect(store.dependents('uid-owner').map((row) => row.object.metadata.name)).toEqual(['y'])
    store.remove(CONFIGMAPS, second)
    expect(store.dependents('uid-owner')).toEqual([])
    expect(store.byUid(freed.metadata.uid)?.object).toBe(freed)
    store.remove(CONFIGMAPS, freed)
    expect(store.byUid(freed.metadata.uid)).toBeUndefined()
  })

  test('forgets events outside its window, and says so', () => {
    const store = new Store(2)
    let last = store.put(CONFIGMAPS, object('a', 'x'), undefined)
    for (let count = 0; count < 9; count += 1) {
      last = store.put(CONFIGMAPS, { ...last, data: { count: `${count}` } }, last)
    }
    expect(store.eventsSince(0)).toBeUndefined()
    expect(store.eventsSince(store.version - 2)).toHaveLength(2)
    expect(store.eventsSince(store.version)).toEqual([])
  })

  test('lists as it was at an earlier version', () => {
    const store = new Store(10)
    const first = store.put(CONFIGMAPS, object('a', 'x'), undefined)
    const { version } = store
    store.put(CONFIGMAPS, object('a', 'y'), undefined)
    store.remove(CONFIGMAPS, first)
    expect(namesOf(store.listAt(CONFIGMAPS, undefined, version))).toEqual(['a/x'])
    expect(namesOf(store.list(CONFIGMAPS))).toEqual(['a/y'])
  })

  test('equal entries of managers become one object', () => {
    const store = new Store(10)
    const entry = (): KubeObject['metadata']['managedFields'] => [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': {} },
      },
    ]
    const [one, other] = ['x', 'y'].map((name) =>
      store.put(CONFIGMAPS, object('a', name, { managedFields: entry() ?? [] }), undefined),
    )
    expect(one?.metadata.managedFields?.[0]).toBe(other?.metadata.managedFields?.[0])
  })
})
