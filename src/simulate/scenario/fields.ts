import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'

/** Maps whose keys have dots of their own. */
const MAPS: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'matchLabels',
  'nodeSelector',
  'data',
  'stringData',
  'binaryData',
])

/**
 * The keys of a path as scenarios write it: `spec.replicas`, `metadata.annotations.a.b/c` (what
 * follows a map of free keys is one key), `spec.template.spec.containers[0].image`.
 */
export function keysOf(path: string): readonly string[] {
  const parts = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const keys: string[] = []
  while (parts.length > 0) {
    const key = parts.shift() ?? ''
    keys.push(key)
    if (!MAPS.has(key) || parts.length === 0) continue
    keys.push(parts.join('.').replaceAll(/^["']|["']$/g, ''))
    break
  }
  return keys
}

/** The object with the value at a path of keys; a number is a place in a list that is there. */
export function withField(
  object: JsonObject,
  path: readonly string[],
  value: Json | undefined,
): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return object
  const there = object[key]
  return { ...object, [key]: rest.length === 0 ? value : within(there, rest, value) }
}

function within(
  there: Json | undefined,
  path: readonly string[],
  value: Json | undefined,
): Json | undefined {
  const [key = '', ...rest] = path
  if (!isList(there) || !/^\d+$/.test(key)) {
    return withField(isObject(there) ? there : {}, path, value)
  }
  return there.map((one, at) => {
    if (at !== Number(key)) return one
    return (rest.length === 0 ? value : within(one, rest, value)) ?? null
  })
}

export function fieldAt(object: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, key) => (isObject(value) ? value[key] : isList(value) ? value[Number(key)] : undefined),
    object,
  )
}

/** What a merge patch must say to set these fields of a live object: lists are given whole. */
export function mergeBody(
  live: JsonObject,
  fields: readonly (readonly [path: readonly string[], value: Json])[],
): JsonObject {
  return fields.reduce<JsonObject>((body, [path, value]) => {
    const at = path.findIndex(
      (_, depth) => depth > 0 && isList(fieldAt(live, path.slice(0, depth))),
    )
    if (at < 0) return withField(body, path, value)
    const list = path.slice(0, at)
    const written =
      fieldAt(body, list) === undefined ? withField(body, list, fieldAt(live, list)) : body
    return withField(written, path, value)
  }, {})
}
