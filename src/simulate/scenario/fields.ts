import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** The object with the value at a path of keys. */
export function withField(
  object: JsonObject,
  path: readonly string[],
  value: Json | undefined,
): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return object
  const there = object[key]
  const next = rest.length === 0 ? value : withField(isObject(there) ? there : {}, rest, value)
  return { ...object, [key]: next }
}
