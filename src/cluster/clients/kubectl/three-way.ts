import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { TypeRef } from '../../fields/contract.ts'
import { equal } from '../../fields/equal.ts'

/**
 * What client-side apply sends: deletions are what the last applied manifest had and the new one
 * has not; changes and additions are what the new one has and the live object has not. Fields that
 * others set stay. With a type: a strategic merge patch; without: a JSON merge patch.
 * Equal to `{}` when there is nothing to do.
 */
export function threeWayPatch(
  original: JsonObject | undefined,
  modified: JsonObject,
  live: JsonObject,
  type: TypeRef | undefined,
): JsonObject {
  return patchOf(original, modified, live, type)
}

function patchOf(
  original: JsonObject | undefined,
  modified: JsonObject,
  live: JsonObject,
  type: TypeRef | undefined,
): JsonObject {
  const patch: { [key: string]: Json } = {}
  for (const key of Object.keys(original ?? {})) {
    if (modified[key] === undefined && original?.[key] !== undefined) patch[key] = null
  }
  for (const [key, value] of Object.entries(modified)) {
    if (value === undefined) continue
    if (value === null) {
      if (live[key] !== undefined && live[key] !== null) patch[key] = null
      continue
    }
    const part = valuePatch(original?.[key], value, live[key], fieldOf(type, key))
    if (part === undefined) continue
    patch[key] = part.value
    if (part.order !== undefined) patch[`$setElementOrder/${key}`] = part.order
  }
  return patch
}

interface Part {
  readonly value: Json
  readonly order?: Json
}

function valuePatch(
  original: Json | undefined,
  modified: Json,
  live: Json | undefined,
  type: TypeRef | undefined,
): Part | undefined {
  if (isObject(modified) && isObject(live)) {
    const strategies = type?.patchStrategy?.split(',') ?? []
    if (strategies.includes('replace')) {
      return equal(modified, live) ? undefined : { value: { ...modified, $patch: 'replace' } }
    }
    const before = isObject(original) ? original : undefined
    const patch = patchOf(before, modified, live, type)
    if (Object.keys(patch).length === 0) return undefined
    if (strategies.includes('retainKeys')) {
      return { value: { ...patch, $retainKeys: Object.keys(modified).sort() } }
    }
    return { value: patch }
  }
  if (isList(modified) && isList(live) && type?.patchStrategy?.split(',').includes('merge')) {
    return listPatch(isList(original) ? original : [], modified, live, type)
  }
  return live !== undefined && equal(modified, live) ? undefined : { value: modified }
}

function listPatch(
  original: readonly Json[],
  modified: readonly Json[],
  live: readonly Json[],
  type: TypeRef,
): Part | undefined {
  const mergeKey = type.patchMergeKey
  if (mergeKey === undefined || mergeKey === '') return scalarListPatch(original, modified, live)
  const keyOf = (item: Json): Json | undefined => (isObject(item) ? item[mergeKey] : undefined)
  const find = (list: readonly Json[], key: Json | undefined): JsonObject | undefined =>
    list.filter(isObject).find((item) => item[mergeKey] === key)
  const parts: Json[] = []
  for (const item of modified) {
    const key = keyOf(item)
    const there = find(live, key)
    if (!isObject(item) || there === undefined) {
      parts.push(item)
      continue
    }
    const patch = patchOf(find(original, key), item, there, type.items)
    if (Object.keys(patch).length > 0) parts.push({ [mergeKey]: key, ...patch })
  }
  for (const item of original) {
    const key = keyOf(item)
    if (find(modified, key) === undefined) parts.push({ $patch: 'delete', [mergeKey]: key })
  }
  if (parts.length === 0 && isInOrder(modified.map(keyOf), live.map(keyOf))) return undefined
  const order = modified.map((item) => ({ [mergeKey]: keyOf(item) }))
  return { value: parts, order }
}

function scalarListPatch(
  original: readonly Json[],
  modified: readonly Json[],
  live: readonly Json[],
): Part | undefined {
  const gone = original.filter((item) => !modified.includes(item))
  const added = modified.filter((item) => !live.includes(item))
  if (gone.length === 0 && added.length === 0 && isInOrder(modified, live)) return undefined
  return { value: added, order: [...modified] }
}

/** Whether those of `wanted` that are in `live` stand there in the same order. */
function isInOrder(
  wanted: readonly (Json | undefined)[],
  live: readonly (Json | undefined)[],
): boolean {
  const places = wanted.map((item) => live.indexOf(item)).filter((place) => place >= 0)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? -1) < place)
}

function fieldOf(type: TypeRef | undefined, key: string): TypeRef | undefined {
  if (type?.kind === 'map') return type.items
  return type?.fields?.get(key)
}
