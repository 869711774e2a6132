import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { canonicalText } from './quantity.ts'
import { goType, type GoField, type GoType } from './types.ts'

/** What one type gets when it is decoded, once its own fields are complete. */
export type Defaults = { readonly [type: string]: (value: JsonObject) => JsonObject }

/**
 * A value as the server has it after decoding and answers it: nulls and empty values gone where
 * Go's encoder leaves them out, fields without that mark present, quantities canonical, defaults
 * filled in. Shares all that is so already; a complete value comes back itself.
 */
export function complete(typeName: string, value: JsonObject, defaults: Defaults): JsonObject {
  return completeStruct(goType(typeName), value, defaults)
}

function completeStruct(type: GoType, value: JsonObject, defaults: Defaults): JsonObject {
  let changed: { [key: string]: Json } | undefined
  for (const key in value) {
    const field = type.byJson.get(key)
    if (field === undefined) continue
    const old = value[key]
    const next = completeField(field, old, defaults)
    if (next === old) continue
    changed ??= { ...value } as { [key: string]: Json }
    if (next === undefined) delete changed[key]
    else changed[key] = next
  }
  for (const field of type.always) {
    if (value[field.json] !== undefined) continue
    const zero = zeroOf(field, defaults)
    if (zero === undefined) continue
    changed ??= { ...value } as { [key: string]: Json }
    changed[field.json] = zero
  }
  const found = changed ?? value
  const fill = defaults[type.name]
  return fill === undefined ? found : fill(found)
}

/** Undefined: the answer does not have it. */
function completeField(
  field: GoField,
  value: Json | undefined,
  defaults: Defaults,
): Json | undefined {
  if (value === undefined || value === null) return zeroOf(field, defaults)
  if (field.wrap === 'list') return isList(value) ? completeList(field, value, defaults) : value
  if (field.wrap === 'map') return isObject(value) ? completeMap(field, value, defaults) : value
  const next = completeOne(field, value, defaults)
  return field.omitEmpty && !field.pointer && isEmpty(next) ? undefined : next
}

function isEmpty(value: Json): boolean {
  return value === '' || value === 0 || value === false
}

function completeList(field: GoField, list: readonly Json[], defaults: Defaults): Json | undefined {
  if (list.length === 0) return field.omitEmpty ? undefined : list
  let changed: Json[] | undefined
  for (let at = 0; at < list.length; at += 1) {
    const old = list[at] as Json
    const next = completeOne(field, old, defaults)
    if (next === old) continue
    changed ??= [...list]
    changed[at] = next
  }
  return changed ?? list
}

function completeMap(field: GoField, map: JsonObject, defaults: Defaults): Json | undefined {
  let changed: { [key: string]: Json } | undefined
  let empty = true
  for (const key in map) {
    empty = false
    const old = map[key] as Json
    const next = completeOne(field, old, defaults)
    if (next === old) continue
    changed ??= { ...map } as { [key: string]: Json }
    changed[key] = next
  }
  if (empty && field.omitEmpty) return undefined
  return changed ?? map
}

function completeOne({ of, struct, wrap }: GoField, value: Json, defaults: Defaults): Json {
  if (struct !== undefined) {
    if (value === null) return completeStruct(struct, {}, defaults)
    return isObject(value) ? completeStruct(struct, value, defaults) : value
  }
  if (value === null) return zeroes[of] ?? null
  if (of === 't') return typeof value === 'string' ? utcText(value) : value
  if (of !== 'q') return value
  // Lists of resources round to thousandths.
  if (typeof value === 'string') return canonicalText(value, wrap === 'map')
  return typeof value === 'number' ? canonicalText(String(value), wrap === 'map') : value
}

/** In UTC, cut to whole seconds. */
function utcText(text: string): string {
  if (text.length === 20 && text.endsWith('Z')) return text
  const instant = Date.parse(text)
  if (Number.isNaN(instant)) return text
  return `${new Date(Math.floor(instant / 1000) * 1000).toISOString().slice(0, 19)}Z`
}

const zeroes: { readonly [letter: string]: Json } = { s: '', b: false, i: 0, q: '0', o: 0 }

/** What an answer has in place of nothing; undefined: nothing. */
function zeroOf(field: GoField, defaults: Defaults): Json | undefined {
  if (field.omitEmpty) return undefined
  if (field.pointer || field.wrap !== 'none') return null
  if (field.struct !== undefined) return completeStruct(field.struct, {}, defaults)
  return zeroes[field.of] ?? null
}
