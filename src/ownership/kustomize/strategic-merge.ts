import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Origin, Traced } from '../traced.ts'
import { isTracedObject, itemsOf, partOf, traced, tracedList } from '../traced.ts'

/** Fields that tell the items of a list apart, by the name of the list in the API of Jobs. */
const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  claims: ['name'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'protocol'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
}

const DIRECTIVE = '$patch'

/**
 * A strategic merge patch as kustomize applies it to a Job or CronJob: mappings are merged, lists
 * with keys by their keys, the items of the patch in front, other lists replaced, `null` and
 * `$patch: delete` take away. Undefined when the patch deletes the object.
 */
export function mergePatch(
  whole: Traced<JsonObject>,
  patch: JsonObject,
  origin: Origin,
): Traced<JsonObject> | undefined {
  const after = merge(whole, patch, origin, '')
  return after !== undefined && isTracedObject(after) ? after : undefined
}

function merge(
  before: Traced | undefined,
  patch: Json,
  origin: Origin,
  field: string,
): Traced | undefined {
  if (patch === null) return undefined
  if (isObject(patch)) return mergeObject(before, patch, origin)
  if (isList(patch)) return mergeList(before, patch, origin, field)
  // A patch that repeats what is there has not set it.
  return before?.value === patch ? before : traced(patch, origin)
}

function mergeObject(
  before: Traced | undefined,
  patch: JsonObject,
  origin: Origin,
): Traced<JsonObject> | undefined {
  const directive = patch[DIRECTIVE]
  if (directive === 'delete') return undefined
  const start =
    directive === 'replace' || before === undefined || !isTracedObject(before) ? undefined : before
  const after: Traced<JsonObject> = start ?? traced({}, origin)
  const value: Record<string, Json | undefined> = { ...after.value }
  const parts = new Map(after.trace.parts)
  for (const [key, wanted] of Object.entries(patch)) {
    if (key.startsWith('$') || wanted === undefined) continue
    const there: Origin = { document: origin.document, path: [...origin.path, key] }
    const merged = merge(partOf(after, key), wanted, there, key)
    if (merged === undefined) {
      delete value[key]
      parts.set(key, { origin: there })
    } else {
      value[key] = merged.value
      parts.set(key, merged.trace)
    }
  }
  return { value, trace: { origin: after.trace.origin, parts } }
}

function mergeList(
  before: Traced | undefined,
  patch: readonly Json[],
  origin: Origin,
  field: string,
): Traced | undefined {
  const items = patch.map((item, index) => ({
    item,
    origin: { document: origin.document, path: [...origin.path, index] },
  }))
  const replaces = patch.some((item) => isObject(item) && item[DIRECTIVE] === 'replace')
  const old = before === undefined || replaces ? [] : itemsOf(before)
  const keys = LIST_KEYS[field]
  if (keys === undefined || replaces) return tracedList(items.flatMap(fresh), origin)
  const touched = new Set<number>()
  const front = items.flatMap(({ item, origin: there }): readonly Traced[] => {
    const found = old.findIndex(
      (candidate, index) => !touched.has(index) && sameItem(candidate.value, item, keys),
    )
    if (found >= 0) touched.add(found)
    const merged = merge(found < 0 ? undefined : old[found], item, there, '')
    return merged === undefined ? [] : [merged]
  })
  const rest = old.filter((_, index) => !touched.has(index))
  return tracedList([...front, ...rest], before?.trace.origin ?? origin)
}

function fresh({ item, origin }: { item: Json; origin: Origin }): readonly Traced[] {
  if (isObject(item) && Object.keys(item).length === 1 && item[DIRECTIVE] === 'replace') return []
  const value = isObject(item) ? mergeObject(undefined, item, origin) : traced(item, origin)
  return value === undefined ? [] : [value]
}

function sameItem(one: Json, other: Json, keys: readonly string[]): boolean {
  if (!isObject(one) || !isObject(other)) return one === other
  return (
    keys.every((key) => (one[key] ?? null) === (other[key] ?? null)) &&
    keys.some((key) => one[key] !== undefined)
  )
}
