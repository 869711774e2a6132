import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../object.ts'
import { Asking, asking, CONFIGMAPS, configMap } from './testing.ts'

const NAMES = ['a', 'b', 'c'] as const
const FINALIZERS = [[], ['x.dev/y'], ['x.dev/y', 'x.dev/z']] as const

type Step =
  | { readonly do: 'create'; readonly name: string; readonly finalizers: readonly string[] }
  | { readonly do: 'patch'; readonly name: string; readonly data: JsonObject }
  | { readonly do: 'finalizers'; readonly name: string; readonly finalizers: readonly string[] }
  | { readonly do: 'delete'; readonly name: string; readonly policy: Policy }

type Policy = 'Background' | 'Foreground' | 'Orphan' | undefined

const name = fc.constantFrom(...NAMES)
const finalizers = fc.constantFrom(...FINALIZERS)
const policy = fc.constantFrom<Policy>('Background', 'Foreground', 'Orphan', undefined)
const data = fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('1', '2'))
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), name, finalizers }),
  fc.record({ do: fc.constant('patch' as const), name, data }),
  fc.record({ do: fc.constant('finalizers' as const), name, finalizers }),
  fc.record({ do: fc.constant('delete' as const), name, policy }),
)
const steps = fc.array(step, { maxLength: 40 })

function take(maps: Asking, next: Step): void {
  if (next.do === 'create') maps.create(configMap(next.name, {}, { finalizers: next.finalizers }))
  if (next.do === 'patch') maps.merge(next.name, { data: next.data })
  if (next.do === 'finalizers') maps.merge(next.name, { metadata: { finalizers: next.finalizers } })
  if (next.do !== 'delete') return
  const options = next.policy === undefined ? {} : { propagationPolicy: next.policy }
  maps.delete(next.name, { options })
}

function listed(maps: Asking): readonly KubeObject[] {
  return maps.cluster.api.read.list(CONFIGMAPS, 'default')
}

describe('whatever is asked of the API server', () => {
  test('uids are given once and versions only rise', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const maps = asking(CONFIGMAPS)
        const uids = new Set<string>()
        const begin = maps.cluster.api.resourceVersion
        for (const next of all) take(maps, next)
        let version = begin
        for (const { type, object } of maps.cluster.api.eventsSince(begin) ?? []) {
          const { uid, resourceVersion } = object.metadata
          if (type === 'ADDED') expect(uids.has(uid)).toBe(false)
          uids.add(uid)
          expect(Number(resourceVersion)).toBeGreaterThan(version)
          version = Number(resourceVersion)
        }
        expect(maps.cluster.api.resourceVersion).toBe(version)
      }),
    )
  })

  test('no object outlives the absence of its finalizers', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const maps = asking(CONFIGMAPS)
        for (const next of all) {
          take(maps, next)
          for (const { metadata } of listed(maps)) {
            if (metadata.deletionTimestamp === undefined) continue
            expect(metadata.finalizers ?? []).not.toHaveLength(0)
          }
        }
      }),
    )
  })

  test('the events of a watch replay to what a list shows', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const maps = asking(CONFIGMAPS)
        for (const next of before) take(maps, next)
        const seen = new Map(listed(maps).map((object) => [object.metadata.name, object]))
        const from = maps.cluster.api.resourceVersion
        for (const next of after) take(maps, next)
        for (const { type, object, before: was } of maps.cluster.api.eventsSince(from) ?? []) {
          expect(seen.get(object.metadata.name)).toBe(was)
          if (type === 'DELETED') seen.delete(object.metadata.name)
          else seen.set(object.metadata.name, object)
        }
        const names = [...seen.keys()].sort()
        expect(names.map((one) => seen.get(one))).toEqual(listed(maps))
      }),
    )
  })

  test('a copy and its original answer alike, and neither touches the other', () => {
    fc.assert(
      fc.property(steps, steps, steps, (before, mine, theirs) => {
        const maps = asking(CONFIGMAPS)
        for (const next of before) take(maps, next)
        const frozen = JSON.stringify(listed(maps))
        const twin = new Asking(CONFIGMAPS, maps.cluster.copy(), 'default')
        for (const next of theirs) take(twin, next)
        expect(JSON.stringify(listed(maps))).toBe(frozen)
        const third = new Asking(CONFIGMAPS, maps.cluster.copy(), 'default')
        const theirState = JSON.stringify(listed(twin))
        for (const next of mine) {
          take(maps, next)
          take(third, next)
        }
        expect(JSON.stringify(listed(twin))).toBe(theirState)
        expect(listed(third)).toEqual(listed(maps))
      }),
    )
  })

  test('what is listed at an earlier version is what was listed then', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const maps = asking(CONFIGMAPS)
        for (const next of before) take(maps, next)
        const then = maps.list().body['items']
        const resourceVersion = String(maps.cluster.api.resourceVersion)
        for (const next of after) take(maps, next)
        const options = { resourceVersion, resourceVersionMatch: 'Exact' } as const
        expect(maps.list(options).body['items']).toEqual(then)
      }),
    )
  })
})
