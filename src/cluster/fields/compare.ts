import { isList, isObject, type Json } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { fieldElement, itemElement } from './element.ts'
import { equal } from './equal.ts'
import { isEmptyContainer, isGoStruct, itemType, memberType, natureOf } from './nature.ts'
import { SetBuilder, type FieldSet } from './set.ts'

/** What differs between two objects. No field is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

/** Members of the root and of `metadata` that nobody owns. */
const UNOWNED: ReadonlySet<string> = new Set(['apiVersion', 'kind'])
const UNOWNED_METADATA: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
])

/** Nobody owns these: names, versions and the server's own bookkeeping. */
export function isUnowned(path: readonly string[], key: string): boolean {
  if (path.length === 0) return UNOWNED.has(key)
  return path.length === 1 && path[0] === 'f:metadata' && UNOWNED_METADATA.has(key)
}

/** Compares whole objects; what both share costs nothing. */
export function compare(before: Json | undefined, after: Json | undefined, type: TypeRef): Comparison {
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
    if (nature === 'map') this.#map(before, after, type)
    else this.#list(before, after, type)
    if (before === undefined) this.added.add(this.#path)
    else if (after === undefined) this.removed.add(this.#path)
  }

  #leaf(before: Json | undefined, after: Json | undefined): void {
    if (before === undefined) this.added.add(this.#path)
    else if (after === undefined) this.removed.add(this.#path)
    else if (!equal(before, after)) this.modified.add(this.#path)
  }

  #map(before: Json | undefined, after: Json | undefined, type: TypeRef): void {
    const old = isObject(before) ? before : {}
    const next = isObject(after) ? after : {}
    const depth = this.#path.length
    for (const key in next) {
      const value = next[key]
      const had = Object.hasOwn(old, key) ? old[key] : undefined
      if (value === had || (depth < 2 && isUnowned(this.#path, key))) continue
      this.#member(key, had, value, type)
    }
    for (const key in old) {
      if (old[key] === undefined || (Object.hasOwn(next, key) && next[key] !== undefined)) continue
      if (depth < 2 && isUnowned(this.#path, key)) continue
      this.#member(key, old[key], undefined, type)
    }
  }

  #member(key: string, before: Json | undefined, after: Json | undefined, type: TypeRef): void {
    const inner = memberType(type, key)
    const absent = type.goType !== undefined && isGoStruct(inner) ? {} : undefined
    this.#path.push(fieldElement(key))
    this.node(before ?? (before === null ? null : absent), after ?? (after === null ? null : absent), inner)
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
