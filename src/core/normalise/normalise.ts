import { canonicalJson } from '../canonical-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { canonicalQuantity } from '../quantity.ts'
import { withoutImpliedRequests } from './conditional.ts'
import type { Field, Order, Shape } from './field.ts'
import { TYPES } from './types.ts'

/**
 * runs: what makes the same pods run is equal; the order of a set says nothing.
 * server: what the API server stores alike is equal, which is what it compares with when it
 *   refuses to change a pod template.
 */
export type Equality = 'runs' | 'server'

/**
 * The one spelling of a Job's or CronJob's `spec`: defaults, nulls and empty values left out,
 * quantities by value, sets sorted. Twice is the same as once.
 * Known fields follow the tables of types*.ts; an unknown field, and a known one that holds
 * something of another type (a template's text), stays as written.
 */
export function normaliseSpec(
  kind: 'Job' | 'CronJob',
  spec: JsonObject,
  equality: Equality = 'runs',
): JsonObject {
  const type = kind === 'Job' ? 'JobSpec' : 'CronJobSpec'
  return normaliseStruct(type, spec, { equality, pod: {} })
}

interface Context {
  readonly equality: Equality
  /** The pod spec around, as written. */
  readonly pod: JsonObject
}

function normaliseStruct(typeName: string, written: JsonObject, outer: Context): JsonObject {
  const type = TYPES[typeName]
  if (type === undefined) return written
  const value = withoutAliases(type.fields, type.prepare?.(written) ?? written)
  const context = typeName === 'PodSpec' ? { ...outer, pod: value } : outer
  const result: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue
    const field = Object.hasOwn(type.fields, key) ? type.fields[key] : undefined
    const kept = field === undefined ? item : normaliseField(field, item, value, context)
    if (kept !== undefined) setOwn(result, key, kept)
  }
  if (typeName === 'ObjectMeta') return withoutForeignMetadata(result)
  if (typeName === 'ResourceRequirements' && context.equality === 'runs') {
    return withoutImpliedRequests(result)
  }
  return result
}

/** Undefined when the written value says no more than its absence. */
function normaliseField(
  field: Field,
  written: Json,
  owner: JsonObject,
  context: Context,
): Json | undefined {
  if (field.never !== undefined && context.equality === 'runs') return undefined
  const value = normaliseShape(field.shape, written, context)
  if (isEmptyCollection(field.shape, value)) return undefined
  if (field.absent.some((same) => equal(same, value))) return undefined
  if (context.equality === 'runs' && field.idle.some((same) => equal(same, value))) return undefined
  const { when } = field
  if (when !== undefined && (when.onServer || context.equality === 'runs')) {
    const usual = when.default(owner, context.pod)
    if (usual !== undefined && equal(usual, value)) return undefined
  }
  return value
}

function normaliseShape(shape: Shape, value: Json, context: Context): Json {
  if (shape.kind === 'list') {
    if (!isList(value)) return value
    const items = value.map((item) => normaliseShape(shape.of, item, context))
    return context.equality === 'runs' ? sorted(items, shape.order) : items
  }
  if (isObject(value)) {
    if (shape.kind === 'map') return normaliseMap(shape.of, value, context)
    return shape.kind === 'struct' ? normaliseStruct(shape.type, value, context) : value
  }
  const maybeQuantity = typeof value === 'string' || typeof value === 'number'
  if (shape.kind !== 'quantity' || !(maybeQuantity || typeof value === 'bigint')) return value
  return canonicalQuantity(value, shape.scale) ?? value
}

function normaliseMap(of: Shape, map: JsonObject, context: Context): JsonObject {
  const result: Record<string, Json> = {}
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined || value === null) continue
    setOwn(result, key, normaliseShape(of, value, context))
  }
  return result
}

/** Items with equal keys keep their order: where an API allows them, the order may count. */
function sorted(items: readonly Json[], order: Order): readonly Json[] {
  if (order.counts === 'order') return items
  const keyOf = (item: Json): string =>
    order.counts === 'keys' && isObject(item)
      ? canonicalJson(order.keys.map((key) => item[key] ?? null))
      : canonicalJson(item)
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  const unique = new Map(keyed.map((entry) => [entry.key, entry]))
  const kept = order.counts === 'members' ? [...unique.values()] : keyed
  return kept
    .sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ item }) => item)
}

function withoutAliases(fields: Readonly<Record<string, Field>>, written: JsonObject): JsonObject {
  let value = written
  for (const [alias, { aliasOf }] of Object.entries(fields)) {
    if (aliasOf === undefined || value[alias] === undefined) continue
    const { [alias]: other, ...rest } = value
    const own = rest[aliasOf]
    const missing = own === undefined || own === null || own === ''
    value = missing && other !== null ? { ...rest, [aliasOf]: other } : rest
  }
  return value
}

/** Written by the Job controller and by Kueue into templates that they take over. */
export const FOREIGN_LABELS: ReadonlySet<string> = new Set([
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  'job-name',
  'kueue.x-k8s.io/cluster-queue-name',
  'kueue.x-k8s.io/local-queue-name',
  'kueue.x-k8s.io/podset',
  'kueue.x-k8s.io/tas',
])
export const FOREIGN_ANNOTATIONS: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'kueue.x-k8s.io/workload',
])

function withoutForeignMetadata(metadata: JsonObject): JsonObject {
  return withoutKeys(
    withoutKeys(metadata, 'labels', FOREIGN_LABELS),
    'annotations',
    FOREIGN_ANNOTATIONS,
  )
}

/** `object` without these keys of its map `field`, and without the map when nothing is left. */
export function withoutKeys(
  object: JsonObject,
  field: string,
  keys: ReadonlySet<string>,
): JsonObject {
  const map = object[field]
  if (!isObject(map)) return object
  const kept = Object.entries(map).filter(([key]) => !keys.has(key))
  const { [field]: _, ...rest } = object
  return kept.length === 0 ? rest : { ...object, [field]: Object.fromEntries(kept) }
}

function isEmptyCollection(shape: Shape, value: Json): boolean {
  if (shape.kind === 'list') return isList(value) && value.length === 0
  return shape.kind === 'map' && isObject(value) && Object.keys(value).length === 0
}

function equal(one: Json, other: Json): boolean {
  if (typeof one !== 'object' && typeof other !== 'object') return one === other
  return canonicalJson(one) === canonicalJson(other)
}

/** Also for the key `__proto__`, which plain assignment would lose. */
function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true })
}
