import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { isList, isObject } from '../../src/core/json.ts'
import type { Field, Shape } from '../../src/core/normalise/field.ts'
import { TYPES } from '../../src/core/normalise/types.ts'

/**
 * Jobs of every shape that the tables know: each field may be there, with a value that is its
 * default, means nothing, or counts. Most of them would not pass the server's validation, which
 * is of no matter here: normalising must not depend on it.
 */
export function arbitraryJob(): fc.Arbitrary<JsonObject> {
  return structOf('JobSpec', 0).map((spec) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'x' },
    spec,
  }))
}

/** Of the fields of a rich type only a few at a time, so that Jobs stay small. */
const FIELDS_AT_ONCE = 5

function structOf(typeName: string, depth: number): fc.Arbitrary<JsonObject> {
  const fields = Object.entries(TYPES[typeName]?.fields ?? {})
  const must = fields.filter(([key]) => ALWAYS.has(key))
  return fc
    .shuffledSubarray(fields, {
      maxLength: Math.min(fields.length, Math.max(0, FIELDS_AT_ONCE - Math.floor(depth / 3))),
    })
    .chain((some) => {
      const chosen = new Map([...must, ...some])
      const members = [...chosen].map(([key, field]) =>
        fc.tuple(fc.constant(key), valueOf(field, key, depth)),
      )
      return fc.tuple(...members).map((pairs) => Object.fromEntries(pairs))
    })
}

const ALWAYS: ReadonlySet<string> = new Set(['template', 'spec', 'containers'])

function valueOf(field: Field, key: string, depth: number): fc.Arbitrary<Json> {
  if (field.never !== undefined) return fc.constantFrom(...(OPAQUE[key] ?? ['x', null]))
  const written = [...field.absent, ...field.idle].filter((value) => !isObject(value))
  const own = shapeOf(field.shape, key, depth, field)
  return written.length === 0 ? own : fc.oneof(own, fc.constantFrom(...written))
}

function shapeOf(shape: Shape, key: string, depth: number, field?: Field): fc.Arbitrary<Json> {
  if (shape.kind === 'struct') return structOf(shape.type, depth + 1)
  if (shape.kind === 'quantity') return fc.constantFrom<Json>('1', '500m', '1Gi', '1024Mi', 2, '0')
  if (shape.kind === 'map') {
    return fc.dictionary(
      fc.constantFrom('a', 'cpu', 'memory', 'job-name'),
      shapeOf(shape.of, key, depth),
      { maxKeys: 3 },
    )
  }
  if (shape.kind === 'list') {
    const codes = key === 'values' && shape.order.api === 'set'
    if (codes) return fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 3 })
    return fc.array(shapeOf(shape.of, key, depth), { maxLength: 3 })
  }
  return scalarOf(key, field)
}

/** Of the type that the API wants, by the values that the table names or by the field's name. */
function scalarOf(key: string, field?: Field): fc.Arbitrary<Json> {
  const sample = [...(field?.absent ?? []), ...(field?.idle ?? [])].map((value) => typeof value)
  if (sample.includes('number') || NUMBERS.has(key)) return fc.constantFrom<Json>(1, 2, 7)
  if (sample.includes('boolean') || BOOLEANS.has(key)) return fc.boolean()
  if (key === 'image' || key === 'reference')
    return fc.constantFrom('a', 'a:1', 'h:5000/a', 'a:latest', 'a@sha256:'.padEnd(73, '1'))
  return fc.constantFrom('x', 'y', 'Always')
}

const OPAQUE: Readonly<Record<string, readonly Json[]>> = {
  creationTimestamp: [null, '2026-01-02T03:04:05Z'],
  deletionGracePeriodSeconds: [30],
  deletionTimestamp: ['2026-01-02T03:04:05Z'],
  generation: [2],
  managedFields: [[], [{ manager: 'x' }]],
  ownerReferences: [[], [{ kind: 'X', name: 'x', uid: 'u', apiVersion: 'v1' }]],
}

const NUMBERS: ReadonlySet<string> = new Set([
  'activeDeadlineSeconds',
  'backoffLimit',
  'backoffLimitPerIndex',
  'completions',
  'fsGroup',
  'lun',
  'maxExpirationSeconds',
  'maxFailedIndexes',
  'mode',
  'parallelism',
  'port',
  'priority',
  'runAsGroup',
  'runAsUser',
  'succeededCount',
  'supplementalGroups',
  'terminationGracePeriodSeconds',
  'tolerationSeconds',
  'ttlSecondsAfterFinished',
])
const BOOLEANS: ReadonlySet<string> = new Set([
  'allowPrivilegeEscalation',
  'automountServiceAccountToken',
  'runAsNonRoot',
])

/** The same Job in another spelling; `choose` picks one of so many. */
export function respell(job: JsonObject, choose: (options: number) => number): JsonObject {
  const spec = isObject(job['spec']) ? job['spec'] : {}
  return { ...job, spec: respellStruct('JobSpec', spec, {}, choose) }
}

function respellStruct(
  typeName: string,
  written: JsonObject,
  outerPod: JsonObject,
  choose: (options: number) => number,
): JsonObject {
  const pod = typeName === 'PodSpec' ? written : outerPod
  const entries: [string, Json | undefined][] = []
  for (const [key, field] of Object.entries(TYPES[typeName]?.fields ?? {})) {
    const value = written[key]
    if (value === undefined || value === null)
      entries.push([key, absentSpelling(key, field, written, pod, choose)])
    else entries.push([key, respellShape(field.shape, value, pod, choose)])
  }
  const known = new Set(entries.map(([key]) => key))
  for (const [key, value] of Object.entries(written))
    if (!known.has(key)) entries.push([key, value])
  return Object.fromEntries(shuffled(entries, choose))
}

function absentSpelling(
  key: string,
  field: Field,
  owner: JsonObject,
  pod: JsonObject,
  choose: (options: number) => number,
): Json | undefined {
  if (field.aliasOf !== undefined || field.never !== undefined)
    return choose(2) === 0 ? null : undefined
  // Where these stand, their neighbour may not be written: it would win, or end a work queue.
  if (key === 'serviceAccountName' && owner['serviceAccount'] !== undefined) return undefined
  if (key === 'completions' && owner['parallelism'] !== undefined) return undefined
  const usual = field.when?.default(owner, pod)
  const empty: Json[] = field.shape.kind === 'list' ? [[]] : field.shape.kind === 'map' ? [{}] : []
  const conditional: Json[] = usual === undefined ? [] : [usual]
  const options = [
    undefined,
    undefined,
    null,
    ...field.absent,
    ...field.idle,
    ...empty,
    ...conditional,
  ]
  return options[choose(options.length)]
}

function respellShape(
  shape: Shape,
  value: Json,
  pod: JsonObject,
  choose: (options: number) => number,
): Json {
  if (shape.kind === 'struct' && isObject(value))
    return respellStruct(shape.type, value, pod, choose)
  if (shape.kind === 'quantity') return respellQuantity(value, choose)
  if (shape.kind === 'map' && isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => [key, respellShape(shape.of, item ?? null, pod, choose)] as const,
    )
    return Object.fromEntries(shuffled(entries, choose))
  }
  if (shape.kind === 'list' && isList(value)) {
    const items = value.map((item) => respellShape(shape.of, item, pod, choose))
    return shape.order.counts === 'order' || hasTwins(value, shape.order.keys)
      ? items
      : shuffled(items, choose)
  }
  return value
}

/** Items with equal keys keep their order, so such a list is not shuffled. */
function hasTwins(list: readonly Json[], keys: readonly string[]): boolean {
  if (keys.length === 0) return false
  const texts = list.map((item) =>
    JSON.stringify(keys.map((key) => (isObject(item) ? (item[key] ?? '') : item))),
  )
  return new Set(texts).size < list.length || texts.some((text) => text.includes('""'))
}

function respellQuantity(value: Json, choose: (options: number) => number): Json {
  const spellings: Readonly<Record<string, readonly Json[]>> = {
    '0': ['0', 0, '0m'],
    '1': ['1', 1, '1000m', '1e0'],
    '2': [2, '2', '2000m'],
    '500m': ['500m', '0.5', 0.5],
    '1Gi': ['1Gi', '1024Mi', 1073741824],
    '1024Mi': ['1Gi', '1024Mi', '1048576Ki'],
  }
  const options = spellings[typeof value === 'string' ? value : JSON.stringify(value)] ?? [value]
  return options[choose(options.length)] ?? value
}

function shuffled<T>(items: readonly T[], choose: (options: number) => number): T[] {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = choose(index + 1)
    const [one, two] = [result[index], result[other]]
    if (one !== undefined && two !== undefined) {
      result[index] = two
      result[other] = one
    }
  }
  return result
}
