import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { fieldElement, itemElement } from './element.ts'
import { equal } from './equal.ts'
import {
  isEmptyContainer,
  isGoStruct,
  itemType,
  memberType,
  natureOf,
  sortedKeys,
} from './nature.ts'
import { Remembered } from './remembered.ts'
import { EMPTY, isEmpty, node, SetBuilder, setOf, type FieldSet } from './set.ts'

/** What differs between two objects. No field is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

/** Nobody owns these: names, versions and the server's own bookkeeping. */
export const UNOWNED: FieldSet = {
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    'f:clusterName': {},
    'f:creationTimestamp': {},
    'f:generation': {},
    'f:managedFields': {},
    'f:name': {},
    'f:namespace': {},
    'f:resourceVersion': {},
    'f:selfLink': {},
    'f:uid': {},
  },
}

function isUnowned(path: readonly string[], key: string): boolean {
  const [first] = path
  const among = first === undefined ? UNOWNED : first === 'f:metadata' ? UNOWNED[first] : undefined
  return !(first === undefined && key === 'metadata') && among?.[fieldElement(key)] !== undefined
}

/** Compares whole objects; what both share costs nothing. */
export function compare(
  before: Json | undefined,
  after: Json | undefined,
  type: TypeRef,
): Comparison {
  const walker = new Walker()
  walker.node(before, after, type)
  return {
    added: walker.added.build(),
    modified: walker.modified.build(),
    removed: walker.removed.build(),
  }
}

class Walker {
  readonly added = new SetBuilder()
  readonly modified = new SetBuilder()
  readonly removed = new SetBuilder()
  readonly #path: string[] = []

  node(before: Json | undefined, after: Json | undefined, type: TypeRef): void {
    if (before === after) return
    const nature = natureOf(type, after ?? before)
    const old = natureOf(type, before ?? after)
    if (old !== nature) {
      this.#leaf(before, after)
      this.#map(old === 'map' ? before : null, nature === 'map' ? after : null, type)
      return
    }
    if (nature === 'leaf' || (isEmptyContainer(before) && isEmptyContainer(after))) {
      this.#leaf(before, after)
      return
    }
    if (isEmptyContainer(before) && this.#isOrdinary()) {
      this.#graft(this.added, wholeBelow(after ?? null, type), before === undefined)
      return
    }
    if (isEmptyContainer(after) && this.#isOrdinary()) {
      this.#graft(this.removed, wholeBelow(before ?? null, type), after === undefined)
      return
    }
    if (nature === 'map') this.#map(before, after, type)
    else this.#list(before, after, type)
    if (before === undefined) this.added.add(this.#path)
    else if (after === undefined) this.removed.add(this.#path)
  }

  #graft(into: SetBuilder, below: FieldSet, isMember: boolean): void {
    if (isMember || !isEmpty(below)) into.graft(this.#path, node(below, isMember))
  }

  /** Below the root and the metadata all members are owned alike. */
  #isOrdinary(): boolean {
    return this.#path.length > 1 || (this.#path.length === 1 && this.#path[0] !== 'f:metadata')
  }

  #leaf(before: Json | undefined, after: Json | undefined): void {
    if (before === undefined) this.added.add(this.#path)
    else if (after === undefined) this.removed.add(this.#path)
    else if (!equal(before, after)) this.modified.add(this.#path)
  }

  #map(before: Json | undefined, after: Json | undefined, type: TypeRef): void {
    const old = isObject(before) ? before : EMPTY_OBJECT
    const next = isObject(after) ? after : EMPTY_OBJECT
    const isTop = this.#path.length < 2
    for (const key in next) {
      const value = next[key]
      const had = Object.hasOwn(old, key) ? old[key] : undefined
      if (value === had || (isTop && isUnowned(this.#path, key))) continue
      this.#member(key, had, value, { type, old: before, next: after })
    }
    for (const key in old) {
      if (old[key] === undefined || (Object.hasOwn(next, key) && next[key] !== undefined)) continue
      if (isTop && isUnowned(this.#path, key)) continue
      this.#member(key, old[key], undefined, { type, old: before, next: after })
    }
  }

  /** A struct in a Go struct is never absent, as long as the outer one is there. */
  #member(key: string, before: Json | undefined, after: Json | undefined, outer: Outer): void {
    const type = memberType(outer.type, key)
    const isStruct = outer.type.goType !== undefined && isGoStruct(type)
    const emptyOf = (of: Json | undefined): Json | undefined =>
      isStruct && isObject(of) ? EMPTY_OBJECT : undefined
    this.#path.push(fieldElement(key))
    this.node(
      before === undefined ? emptyOf(outer.old) : before,
      after === undefined ? emptyOf(outer.next) : after,
      type,
    )
    this.#path.pop()
  }

  #list(before: Json | undefined, after: Json | undefined, type: TypeRef): void {
    const old = grouped(before, type)
    const next = grouped(after, type)
    for (const element of new Set([...old.keys(), ...next.keys()])) {
      this.#path.push(element)
      this.#items(old.get(element) ?? [], next.get(element) ?? [], itemType(type))
      this.#path.pop()
    }
  }

  /** Items with one key. Where a key is there twice, its items are one value together. */
  #items(old: readonly Json[], next: readonly Json[], type: TypeRef): void {
    if (old.length <= 1 && next.length <= 1) return this.node(old[0], next[0], type)
    if (old.length >= 2 && next.length >= 2) {
      if (!equal(old, next)) this.modified.add(this.#path)
      return undefined
    }
    if (old.length >= 2) {
      if (next.length > 0) this.node(undefined, next[0], type)
      this.removed.add(this.#path)
      return undefined
    }
    if (old.length > 0) this.node(old[0], undefined, type)
    this.added.add(this.#path)
    return undefined
  }
}

function grouped(value: Json | undefined, type: TypeRef): Map<string, Json[]> {
  const groups = new Map<string, Json[]>()
  if (!isList(value)) return groups
  for (const item of value) {
    const found = itemElement(item, type)
    if ('fault' in found) continue
    const group = groups.get(found.element)
    if (group === undefined) groups.set(found.element, [item])
    else group.push(item)
  }
  return groups
}

interface Outer {
  readonly type: TypeRef
  readonly old: Json | undefined
  readonly next: Json | undefined
}

const EMPTY_OBJECT: JsonObject = {}

const WHOLE = new Remembered<FieldSet>()

/** All that lies below something which is wholly new, or wholly gone; containers count too. */
function wholeBelow(value: Json, type: TypeRef): FieldSet {
  if (isList(value)) {
    const nodes = new Map<string, FieldSet>()
    for (const [element, items] of grouped(value, type)) {
      const [item] = items
      const isOne = items.length === 1 && item !== undefined
      nodes.set(element, isOne ? whole(item, itemType(type)) : EMPTY)
    }
    return setOf(nodes)
  }
  if (!isObject(value)) return EMPTY
  const known = WHOLE.of(type)
  const before = known?.get(value)
  if (before !== undefined) return before
  const set: { [element: string]: FieldSet } = {}
  for (const key of sortedKeys(value)) {
    set[fieldElement(key)] = whole(value[key] ?? null, memberType(type, key))
  }
  known?.set(value, set)
  return set
}

function whole(value: Json, type: TypeRef): FieldSet {
  if (natureOf(type, value) === 'leaf' || isEmptyContainer(value)) return EMPTY
  return node(wholeBelow(value, type), true)
}
