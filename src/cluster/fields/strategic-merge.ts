import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { PatchFault, TypeRef } from './contract.ts'
import { jsonKind } from './decode-scalar.ts'
import { decodeMerged } from './decode.ts'
import { goValue } from './go-value.ts'
import { PatchRefused } from './strategic-fault.ts'
import { mergeMap } from './strategic-map.ts'

/**
 * Strategic merge patch, as the API server applies it to built-in kinds: lists with a merge key are
 * merged by it, directives ($patch, $retainKeys, $setElementOrder, $deleteFromPrimitiveList) are
 * obeyed. The target is never changed; what the patch leaves alone is shared.
 */
export function strategicMergePatch(
  target: JsonObject,
  patch: Json,
  type: TypeRef,
): JsonObject | PatchFault {
  if (patch === null) return target
  if (!isObject(patch)) {
    const message = `json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`
    return { code: 400, reason: 'BadRequest', message }
  }
  const merged = attempt(target, patch, type)
  if (merged instanceof PatchRefused) return merged.fault
  const decoded = decodeMerged(merged, type, target)
  if (!('message' in decoded)) return withHeldNumbers(merged, decoded.object) as JsonObject
  const detail = decoded.message
  const error = {
    type: 'Invalid',
    field: 'patch',
    value: goValue(told(patch, target)),
    detail,
  } as const
  return { code: 422, reason: 'Invalid', message: '', errors: [error] }
}

/** Numbers that their types cannot hold, as they are held: what comes next reads JSON again. */
function withHeldNumbers(merged: Json, held: Json | undefined): Json {
  if (merged === held || held === undefined) return merged
  if (typeof merged === 'number' || typeof merged === 'bigint') {
    return typeof held === 'number' || typeof held === 'bigint' ? held : merged
  }
  if (isList(merged) && isList(held)) {
    const items = merged.map((item, at) => withHeldNumbers(item, held[at]))
    return items.some((item, at) => item !== merged[at]) ? items : merged
  }
  if (!isObject(merged) || !isObject(held)) return merged
  let next: { [key: string]: Json | undefined } | undefined
  for (const [key, member] of Object.entries(merged)) {
    if (member === undefined) continue
    const kept = withHeldNumbers(member, held[key])
    if (kept === member) continue
    next ??= { ...merged }
    next[key] = kept
  }
  return next ?? merged
}

/** The patch without the nulls of what the target lacks: they have gone when it is told. */
function told(patch: Json, target: Json | undefined): Json {
  if (isList(patch))
    return target === undefined ? patch.map((item) => told(item, undefined)) : patch
  if (!isObject(patch)) return patch
  const kept: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || (value === null && target === undefined)) continue
    kept[key] = told(value, isObject(target) ? target[key] : undefined)
  }
  return kept
}

function attempt(target: JsonObject, patch: JsonObject, type: TypeRef): JsonObject | PatchRefused {
  try {
    return mergeMap(target, patch, type)
  } catch (error) {
    if (error instanceof PatchRefused) return error
    throw error
  }
}
