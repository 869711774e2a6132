import { isList, isObject, type Json } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { isUnowned } from './compare.ts'
import { fieldElement, itemElement } from './element.ts'
import { itemType, memberType, natureOf } from './nature.ts'
import { SetBuilder, type FieldSet } from './set.ts'

/** All that a configuration says: its leaves, list items, and members of maps. */
export function fieldSetOf(value: Json, type: TypeRef): FieldSet {
  const builder = new SetBuilder()
  collect(value, type, [], builder)
  return builder.build()
}

function collect(value: Json, type: TypeRef, path: string[], into: SetBuilder): void {
  const nature = value === null && type.kind === 'any' ? 'map' : natureOf(type, value)
  if (nature === 'leaf') into.add(path)
  else if (nature === 'map') collectMembers(value, type, path, into)
  else collectItems(value, type, path, into)
}

function collectMembers(value: Json, type: TypeRef, path: string[], into: SetBuilder): void {
  if (!isObject(value)) return
  for (const key in value) {
    const member = value[key]
    if (member === undefined || (path.length < 2 && isUnowned(path, key))) continue
    path.push(fieldElement(key))
    collect(member, memberType(type, key), path, into)
    const isBare = member === null || (isObject(member) && Object.keys(member).length === 0)
    const isFree = type.fields?.has(key) !== true
    if ((isBare || isFree) && !(path.length === 1 && key === 'metadata')) into.add(path)
    path.pop()
  }
}

/** A key that is there twice is owned as a whole. */
function collectItems(value: Json, type: TypeRef, path: string[], into: SetBuilder): void {
  if (!isList(value)) return
  const seen = new Map<string, number>()
  const elements: (string | undefined)[] = []
  for (const item of value) {
    const found = itemElement(item, type)
    const element = 'element' in found ? found.element : undefined
    elements.push(element)
    if (element !== undefined) seen.set(element, (seen.get(element) ?? 0) + 1)
  }
  for (const [at, item] of value.entries()) {
    const element = elements[at]
    if (element === undefined) continue
    path.push(element)
    if (seen.get(element) === 1) collect(item, itemType(type), path, into)
    into.add(path)
    path.pop()
  }
}

/**
 * The set with each named field on the way to a member as a member too: who owns `.spec.a.b` then
 * owns `.spec.a`, where that is a field of a struct and not a key of a map.
 */
export function withNamedParents(set: FieldSet, type: TypeRef): FieldSet {
  const next: { [element: string]: FieldSet } = {}
  for (const element in set) {
    const below = set[element]
    if (below === undefined || Object.keys(below).length === 0) {
      if (below !== undefined) next[element] = below
      continue
    }
    const name = element.startsWith('f:') ? element.slice(2) : undefined
    const inner = innerType(type, element)
    const named = name !== undefined && type.fields?.has(name) === true
    const deeper = inner === undefined ? below : withNamedParents(below, inner)
    next[element] = named && deeper['.'] === undefined ? { '.': {}, ...deeper } : deeper
  }
  return next
}

function innerType(type: TypeRef, element: string): TypeRef | undefined {
  if (element.startsWith('f:')) {
    return type.kind === 'list' ? undefined : memberType(type, element.slice(2))
  }
  return element.startsWith('k:') && type.kind === 'list' ? itemType(type) : undefined
}
