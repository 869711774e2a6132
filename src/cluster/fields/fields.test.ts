import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'
import type { Applied, TypeRef } from './contract.ts'
import { equal, fields, typeOf } from './index.ts'

const CONFIG_MAP = named('io.k8s.api.core.v1.ConfigMap')
const JOB = named('io.k8s.api.batch.v1.Job')
const DEPLOYMENT = named('io.k8s.api.apps.v1.Deployment')
const NOON = Date.UTC(2026, 0, 1, 12)

function named(name: string): TypeRef {
  const type = typeOf(name)
  if (type === undefined) throw new Error(`no type ${name}`)
  return type
}

function configMap(over: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...over }
}

function stored(applied: Applied): KubeObject {
  if (!('object' in applied)) throw new Error(JSON.stringify(applied))
  const { object, managedFields } = applied
  const metadata = { ...(object['metadata'] as JsonObject), uid: 'u', managedFields }
  return { ...object, metadata } as unknown as KubeObject
}

interface By {
  readonly live?: KubeObject
  readonly manager?: string
  readonly force?: boolean
  readonly now?: number
}

function apply(
  config: JsonObject,
  { live, manager = 'me', force = false, now = NOON }: By,
): Applied {
  const type = config['kind'] === 'Job' ? JOB : CONFIG_MAP
  return fields.apply({ live, config, type, manager, force, now })
}

function managersOf(object: KubeObject): readonly ManagedFieldsEntry[] {
  return object.metadata.managedFields ?? []
}

const data = fc.dictionary(fc.constantFrom('p', 'q', 'r', 's'), fc.constantFrom('1', '2', '3'), {
  maxKeys: 4,
  noNullPrototype: true,
})

describe('apply', () => {
  it('changes nothing the second time, not even a time', () => {
    fc.assert(
      fc.property(data, data, (one, other) => {
        const first = stored(apply(configMap({ data: one }), {}))
        const config = configMap({ data: other })
        const second = stored(apply(config, { live: first, manager: 'you', force: true }))
        const again = stored(apply(config, { live: second, manager: 'you', now: NOON + 5000 }))
        expect(fields.settleTimes(again, second)).toEqual(second)
      }),
    )
  })

  it('leaves exactly what its appliers say, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), data)), (steps) => {
        let live: KubeObject | undefined
        const said = new Map<string, { readonly [key: string]: string }>()
        for (const [manager, one] of steps) {
          const by = live === undefined ? {} : { live }
          const config = configMap({ data: one })
          live = stored(apply(config, { ...by, manager, force: true }))
          for (const [who, theirs] of said) {
            const kept = Object.entries(theirs).filter(([key, value]) => {
              return one[key] === undefined || one[key] === value
            })
            said.set(who, Object.fromEntries(kept))
          }
          said.set(manager, one)
        }
        const all = Object.assign({}, ...said.values()) as JsonObject
        expect(live?.['data'] ?? {}).toEqual(all)
      }),
    )
  })

  it('refuses what others own otherwise, and names each field with its owner', () => {
    const live = stored(apply(configMap({ data: { p: '1', q: '1' } }), { manager: 'you' }))
    expect(apply(configMap({ data: { p: '2', q: '2' } }), { live })).toEqual({
      conflicts: [
        { owner: '"you"', field: '.data.p' },
        { owner: '"you"', field: '.data.q' },
      ],
    })
  })

  it('says nothing about a value that is the same: both own it then', () => {
    const live = stored(apply(configMap({ data: { p: '1' } }), { manager: 'you' }))
    const both = stored(apply(configMap({ data: { p: '1' } }), { live }))
    expect(managersOf(both).map(({ manager }) => manager)).toEqual(['me', 'you'])
  })

  it('takes away only what nobody else owns', () => {
    const mine = stored(apply(configMap({ data: { p: '1', q: '1' } }), {}))
    const both = stored(apply(configMap({ data: { p: '1' } }), { live: mine, manager: 'you' }))
    expect(stored(apply(configMap({}), { live: both }))['data']).toEqual({ p: '1' })
  })

  it('does not own what defaults and admission bring', () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }
    const spec = { template, backoffLimit: 2 }
    const config = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec }
    const first = stored(apply(config, {}))
    const job = { ...first, spec: { ...(first['spec'] as JsonObject), parallelism: 1 } }
    const without = { ...config, spec: { template } }
    const next = stored(apply(without, { live: job }))
    expect(next['spec']).toMatchObject({ parallelism: 1 })
    expect(next['spec']).not.toHaveProperty('backoffLimit')
  })
})

describe('updateManagers', () => {
  const before = stored(apply(configMap({ data: { p: '1', q: '1' } }), {}))
  const update = (after: JsonObject): readonly ManagedFieldsEntry[] =>
    fields.updateManagers({ before, after, type: CONFIG_MAP, manager: 'u', now: NOON + 5000 })

  it('gives what changes to the writer, and takes it from everybody else', () => {
    const managers = update({ ...before, data: { p: '2', q: '1' } })
    expect(managers.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['me', { 'f:data': { 'f:q': {} } }],
      ['u', { 'f:data': { 'f:p': {} } }],
    ])
  })

  it('is silent when nothing changes: the same managers, the same times', () => {
    expect(update({ ...before, data: { q: '1', p: '1' } })).toBe(before.metadata.managedFields)
  })

  it('does not track an object that nobody tracked', () => {
    const { managedFields: _, ...metadata } = before.metadata
    const untracked: KubeObject = { ...before, metadata }
    const after = { ...untracked, data: { p: '2' } }
    const input = { before: untracked, after, type: CONFIG_MAP, manager: 'u', now: NOON }
    expect(fields.updateManagers(input)).toEqual([])
  })
})

describe('settleTimes', () => {
  const live = stored(apply(configMap({ data: { p: '1' } }), {}))
  const later = managersOf(live).map((entry) => ({ ...entry, time: '2026-01-01T13:00:00Z' }))
  const next: KubeObject = { ...live, metadata: { ...live.metadata, managedFields: later } }

  it('takes times back when nothing else has changed', () => {
    expect(fields.settleTimes(next, live)).toEqual(live)
  })

  it('lets them stand when anything has', () => {
    const changed: KubeObject = { ...next, data: { p: '2' } }
    expect(fields.settleTimes(changed, live)).toBe(changed)
  })
})

describe('decode', () => {
  it('shares what it does not have to change', () => {
    const spec = { template: { spec: { containers: [{ name: 'c', resources: {} }] } } }
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: {}, spec, status: {} }
    const decoded = fields.decode(body, JOB)
    if ('message' in decoded) throw new Error(decoded.message)
    const template = (decoded.object['spec'] as JsonObject)['template'] as JsonObject
    expect(template['spec']).toBe(spec.template.spec)
    expect(fields.decode(decoded.object, JOB)).toEqual({ object: decoded.object, unknown: [] })
  })

  it('brings in what is never left out', () => {
    const decoded = fields.decode({ kind: 'Job', spec: {} }, JOB)
    expect(decoded).toMatchObject({
      object: {
        metadata: {},
        spec: { template: { metadata: {}, spec: { containers: null } } },
        status: {},
      },
    })
  })
})

/** The strategic merge patch that leads from one pod's containers to another's. */
function difference(before: JsonObject, after: JsonObject): JsonObject {
  const patch: { [key: string]: Json } = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [before[key], after[key]]
    if (equal(old, next)) continue
    patch[key] = key === 'env' ? listDifference(itemsOf(old), itemsOf(next)) : (next ?? null)
  }
  return patch
}

function listDifference(before: readonly JsonObject[], after: readonly JsonObject[]): Json[] {
  const names = (list: readonly JsonObject[]): readonly Json[] =>
    list.map(({ name }) => name ?? null)
  const gone = before.filter(({ name }) => !names(after).includes(name ?? null))
  return [
    ...after.map((item) => {
      const old = before.find(({ name }) => name === item['name'])
      return { ...(old === undefined ? item : difference(old, item)), name: item['name'] }
    }),
    ...gone.map(({ name }) => ({ name, $patch: 'delete' })),
  ]
}

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return (value ?? []) as readonly JsonObject[]
}

describe('strategicMergePatch', () => {
  const env = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('A', 'B', 'C'), value: fc.constantFrom('1', '2') }),
    { selector: ({ name }) => name, minLength: 1 },
  )
  const container = fc.record(
    { name: fc.constantFrom('a', 'b', 'c', 'd'), image: fc.constantFrom('i', 'j'), env },
    { requiredKeys: ['name', 'image', 'env'] },
  )
  const containers = fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1 })
  const pod = (list: Json): JsonObject => ({
    kind: 'Deployment',
    spec: { template: { spec: { containers: list } } },
  })

  it('of a difference leads from the one to the other', () => {
    fc.assert(
      fc.property(containers, containers, (before, after) => {
        const patch = pod(listDifference(before, after))
        const merged = fields.strategicMergePatch(pod(before), patch, DEPLOYMENT)
        expect(merged).toEqual(pod(after))
      }),
    )
  })

  it('changes nothing, and copies nothing, where the patch is empty', () => {
    const target = pod([{ name: 'a', image: 'i' }])
    expect(fields.strategicMergePatch(target, {}, DEPLOYMENT)).toBe(target)
    expect(fields.strategicMergePatch(target, { spec: {} }, DEPLOYMENT)).toBe(target)
  })
})

describe('mergePatch', () => {
  it('shares what the patch leaves alone', () => {
    const target = configMap({ data: { p: '1' }, metadata: { name: 'a', labels: { l: '1' } } })
    const patched = fields.mergePatch(target, { data: { p: '2' } }) as JsonObject
    expect(patched['metadata']).toBe(target['metadata'])
    expect(fields.mergePatch(target, { data: { p: '1' } })).toBe(target)
  })
})
