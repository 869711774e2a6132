import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { goTypeOf } from './go-value.ts'
import { itemType, memberType } from './nature.ts'
import { badPatchType, PatchRefused } from './strategic-fault.ts'
import {
  checkElementOrder,
  deletedFrom,
  DIRECTIVE,
  editedOrder,
  inElementOrder,
  mergeList,
} from './strategic-list.ts'

const RETAIN_KEYS = '$retainKeys'
const ELEMENT_ORDER = '$setElementOrder'
const DELETE_ITEMS = '$deleteFromPrimitiveList'

type Draft = { [key: string]: Json | undefined }

/** Directives first, then ordered lists, then member by member, as the server goes. */
export function mergeMap(original: JsonObject, patch: JsonObject, type: TypeRef): JsonObject {
  if (patch[DIRECTIVE] !== undefined) return directed(patch)
  const draft: Draft = { ...original }
  const rest: Draft = { ...patch }
  retainKeys(draft, rest)
  mergeOrderedLists(draft, rest, type)
  let changed = Object.keys(draft).length !== Object.keys(original).length
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue
    const isDeletion = name.startsWith(`${DELETE_ITEMS}/`)
    const key = isDeletion ? name.slice(DELETE_ITEMS.length + 1) : name
    if (name.startsWith(DELETE_ITEMS) && !isDeletion) {
      throw new PatchRefused('invalid patch format of primitive list', 400)
    }
    mergeMember(draft, { key, value, isDeletion }, type)
  }
  for (const key in draft) if (draft[key] !== original[key]) changed = true
  return changed || Object.keys(draft).length !== Object.keys(original).length ? draft : original
}

function directed(patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE]
  if (directive === 'replace') {
    const { [DIRECTIVE]: _, ...rest } = patch
    return rest
  }
  if (directive === 'delete') return {}
  throw badPatchType(directive, patch)
}

/** `$retainKeys`: what the list does not name goes, and the patch may name nothing else. */
function retainKeys(draft: Draft, patch: Draft): void {
  const keys = patch[RETAIN_KEYS]
  if (keys === undefined) return
  delete patch[RETAIN_KEYS]
  if (!isList(keys)) throw new PatchRefused('invalid patch format of retainKeys', 400)
  const retained = new Set(keys)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(DELETE_ITEMS) || key.startsWith(ELEMENT_ORDER)) continue
    if (!retained.has(key)) throw new PatchRefused('invalid patch format of retainKeys', 400)
  }
  for (const key of Object.keys(draft)) if (!retained.has(key)) delete draft[key]
}

function mergeOrderedLists(draft: Draft, patch: Draft, type: TypeRef): void {
  for (const name of Object.keys(patch)) {
    if (!name.startsWith(ELEMENT_ORDER)) continue
    const order = patch[name]
    delete patch[name]
    if (!isList(order)) throw badType('[]interface {}', order)
    if (!name.startsWith(`${ELEMENT_ORDER}/`)) {
      throw new PatchRefused('invalid patch format of setElementOrder list', 400)
    }
    const key = name.slice(ELEMENT_ORDER.length + 1)
    const live = draft[key]
    const wanted = patch[key]
    if (live !== undefined && !isList(live)) throw badType('[]interface {}', live)
    if (wanted !== undefined && !isList(wanted)) throw badType('[]interface {}', wanted)
    const field = fieldOf(type, key)
    const mergeKey = field.patchMergeKey ?? ''
    checkElementOrder(wanted ?? [], order, mergeKey)
    if (live === undefined && wanted === undefined) continue
    const merged =
      wanted === undefined
        ? (live ?? [])
        : live === undefined
          ? (withoutDirectives(wanted) as readonly Json[])
          : mergedList(live, wanted, { field, isDeletion: false })
    const before = editedOrder(live ?? [], wanted ?? [], mergeKey)
    draft[key] = inElementOrder(merged, { order, live: before, wanted: wanted ?? [], mergeKey })
    delete patch[key]
  }
}

function badType(expected: string, found: Json | undefined): PatchRefused {
  return new PatchRefused(`expected a ${expected}, but received a ${goTypeOf(found)}`)
}

function fieldOf(type: TypeRef, key: string): TypeRef {
  if (type.fields !== undefined && !type.fields.has(key) && type.items === undefined) {
    const message = `unable to find api field in struct ${(type.goType ?? '').replace(/^v1\./, '')} for the json field "${key}"`
    throw new PatchRefused(message)
  }
  return memberType(type, key)
}

interface Change {
  readonly key: string
  readonly value: Json
  readonly isDeletion: boolean
}

function mergeMember(draft: Draft, { key, value, isDeletion }: Change, type: TypeRef): void {
  if (value === null) {
    delete draft[key]
    return
  }
  const had = draft[key]
  if (had === undefined || goTypeOf(had) !== goTypeOf(value)) {
    if (isDeletion) return
    const taken = withoutDirectives(withoutNulls(value))
    if (taken === undefined) delete draft[key]
    else draft[key] = taken
    return
  }
  if (isObject(value) && isObject(had)) {
    const field = fieldOf(type, key)
    draft[key] = strategyOf(field) === 'replace' ? value : mergeMap(had, value, field)
  } else if (isList(value) && isList(had)) {
    draft[key] = mergedList(had, value, { field: fieldOf(type, key), isDeletion })
  } else draft[key] = value
}

function mergedList(
  live: readonly Json[],
  patch: readonly Json[],
  { field, isDeletion }: { readonly field: TypeRef; readonly isDeletion: boolean },
): readonly Json[] {
  if (isDeletion) return deletedFrom(live, patch)
  if (strategyOf(field) !== 'merge') return patch
  const items = itemType(field)
  return mergeList(live, patch, {
    mergeKey: field.patchMergeKey ?? '',
    mergeItem: (item, change) => mergeMap(item, change, items),
  })
}

/** The strategy beside retainKeys, which only tells clients what to send. */
function strategyOf({ patchStrategy = '' }: TypeRef): string {
  return patchStrategy.split(',').find((strategy) => strategy !== 'retainKeys') ?? ''
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const kept: Draft = {}
  for (const [key, member] of Object.entries(value)) {
    if (member !== null && member !== undefined) kept[key] = withoutNulls(member)
  }
  return kept
}

/** What holds a $patch directive is nothing to add. */
function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  if (value[DIRECTIVE] !== undefined) return undefined
  const kept: Draft = {}
  for (const [key, member] of Object.entries(value)) {
    const left = member === undefined ? undefined : withoutDirectives(member)
    if (left !== undefined) kept[key] = left
  }
  return kept
}
