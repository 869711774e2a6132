import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import type { TypeRef } from './contract.ts'
import { ANY, ANY_ATOMIC } from './schema.ts'

/** How a value of a type is taken apart: a leaf, by its members, or by its items. */
export type Nature = 'leaf' | 'map' | 'list'

/** Without a type the value itself decides; lists are then one value. */
export function natureOf(type: TypeRef, value: Json | undefined): Nature {
  switch (type.kind) {
    case 'object':
    case 'map':
      return type.mapType === 'atomic' ? 'leaf' : 'map'
    case 'list':
      return type.listType === 'set' || type.listType === 'map' ? 'list' : 'leaf'
    case 'any':
      return type.mapType !== 'atomic' && isObject(value) ? 'map' : 'leaf'
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'int-or-string':
    case 'quantity':
    case 'time':
    case 'bytes':
      break
  }
  return 'leaf'
}

/** The type of a member of a map or struct. */
export function memberType(type: TypeRef, key: string): TypeRef {
  const field = type.fields?.get(key)
  if (field !== undefined) return field
  if (type.items !== undefined && type.kind !== 'list') return type.items
  return type.kind === 'any' && type.mapType === 'atomic' ? ANY_ATOMIC : ANY
}

export function itemType(type: TypeRef): TypeRef {
  return type.items ?? ANY_ATOMIC
}

/** A struct inside a Go struct: it is never absent, at most empty. */
export function isGoStruct(type: TypeRef): boolean {
  return type.kind === 'object' && type.goType !== undefined && type.pointer !== true
}

export function isEmptyContainer(value: Json | undefined): boolean {
  if (isList(value)) return value.length === 0
  if (!isObject(value)) return true
  for (const key in value) if (value[key] !== undefined) return false
  return true
}

/** Names of members in their order in sets. */
export function sortedKeys(value: JsonObject): readonly string[] {
  const keys: string[] = []
  let isSorted = true
  let before = ''
  for (const key in value) {
    if (value[key] === undefined) continue
    if (key < before) isSorted = false
    before = key
    keys.push(key)
  }
  return isSorted ? keys : keys.sort(compareText)
}
