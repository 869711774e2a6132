import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { fieldElement, itemElement } from './element.ts'
import { isEmptyContainer, itemType, memberType, natureOf, sortedKeys } from './nature.ts'
import { EMPTY, isEmpty, setOf, type FieldSet } from './set.ts'

/** All that a value says: its leaves, list items, and members of maps. */
export function fieldSetOf(value: Json, type: TypeRef): FieldSet {
  const nature = natureOf(type, value)
  if (nature === 'map') return isObject(value) ? setOfMembers(value, type) : EMPTY
  return nature === 'list' && isList(value) ? setOfItems(value, type) : EMPTY
}

/** What is below a value, where a leaf has nothing; undefined for what says nothing at all. */
function nodeOf(value: Json, type: TypeRef, isMember: boolean): FieldSet | undefined {
  if (value !== null && natureOf(type, value) === 'leaf') return EMPTY
  if (value === null) return isMember || natureOf(type, value) === 'leaf' ? EMPTY : undefined
  const below = fieldSetOf(value, type)
  if (isEmpty(below)) return isMember ? EMPTY : undefined
  return isMember ? { '.': EMPTY, ...below } : below
}

function setOfMembers(value: JsonObject, type: TypeRef): FieldSet {
  const set: { [element: string]: FieldSet } = {}
  for (const key of sortedKeys(value)) {
    const member = value[key] ?? null
    const isBare = member === null || (isObject(member) && isEmptyContainer(member))
    const isFree = type.fields?.has(key) !== true
    const node = nodeOf(member, memberType(type, key), isBare || isFree)
    if (node !== undefined) set[fieldElement(key)] = node
  }
  return set
}

/** A key that is there twice is owned as a whole. */
function setOfItems(value: readonly Json[], type: TypeRef): FieldSet {
  const nodes = new Map<string, FieldSet>()
  for (const item of value) {
    const found = itemElement(item, type)
    if ('fault' in found) continue
    const isTwice = nodes.has(found.element)
    nodes.set(found.element, isTwice ? EMPTY : (nodeOf(item, itemType(type), true) ?? EMPTY))
  }
  return setOf(nodes)
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
