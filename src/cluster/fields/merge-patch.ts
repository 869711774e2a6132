import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { PatchFault } from './contract.ts'
import { jsonKind } from './decode-scalar.ts'

/** RFC 7386, as the API server applies `application/merge-patch+json`. Shares what stays. */
export function mergePatch(target: JsonObject, patch: Json): JsonObject | PatchFault {
  if (!isObject(patch)) {
    const message =
      patch === null
        ? 'Invalid JSON Patch'
        : `error decoding patch: json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`
    return { code: 400, reason: 'BadRequest', message }
  }
  return merged(target, patch)
}

/** Objects in a list that takes the place of another lose their nulls; nulls of the list stay. */
function pruned(value: Json): Json {
  if (isList(value)) {
    const items = value.map(pruned)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isObject(value)) return value
  let next: { [key: string]: Json | undefined } | undefined
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const kept = member === null ? undefined : pruned(member)
    if (kept === member) continue
    next ??= { ...value }
    if (kept === undefined) delete next[key]
    else next[key] = kept
  }
  return next ?? value
}

function merged(target: Json | undefined, patch: JsonObject): JsonObject {
  const base = isObject(target) ? target : {}
  let next: { [key: string]: Json | undefined } | undefined
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const had = base[key]
    if (value === null) {
      if (had === undefined) continue
      next ??= { ...base }
      delete next[key]
      continue
    }
    const after = isObject(value) ? merged(had, value) : isObject(had) ? value : pruned(value)
    if (after === had) continue
    next ??= { ...base }
    next[key] = after
  }
  return next ?? (isObject(target) ? target : {})
}
