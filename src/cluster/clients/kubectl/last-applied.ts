import {
  isList,
  isObject,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { LAST_APPLIED } from './messages.ts'

/**
 * The manifest with the annotation that says what was applied: the manifest itself as JSON with
 * sorted keys and a line end, without this annotation.
 */
export function withLastApplied(object: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const { [LAST_APPLIED]: _, ...annotations } = objectAt(metadata, ['annotations']) ?? {}
  const plain: JsonObject = { ...object, metadata: { ...metadata, annotations } }
  const text = `${goJson(plain)}\n`
  return {
    ...plain,
    metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: text } },
  }
}

/** What the live object says was applied last; undefined when it says nothing. */
export function lastAppliedOf(live: JsonObject): JsonObject | undefined {
  const text = stringAt(live, ['metadata', 'annotations', LAST_APPLIED])
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Apply drops nulls when it creates, to end as an apply over an older object would. */
export function withoutNulls(value: JsonObject): JsonObject {
  const kept: { [key: string]: Json } = {}
  for (const [key, part] of Object.entries(value)) {
    if (part === null || part === undefined) continue
    kept[key] = isObject(part) ? withoutNulls(part) : part
  }
  return kept
}

/** As Go's encoder writes: keys in order, `<`, `>` and `&` escaped. */
function goJson(value: Json): string {
  return canonicalJson(withoutUndefined(value))
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
}

function withoutUndefined(value: Json): Json {
  if (isList(value)) return value.map(withoutUndefined)
  if (!isObject(value)) return value
  const kept: { [key: string]: Json } = {}
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined) kept[key] = withoutUndefined(part)
  }
  return kept
}
