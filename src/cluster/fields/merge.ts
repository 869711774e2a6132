import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { itemElement } from './element.ts'
import { isEmptyContainer, itemType, memberType, natureOf } from './nature.ts'

/**
 * The live object with an applied configuration laid over it. Nothing is removed by this. Lists by
 * key keep the order of the configuration where both name an item, and the live order elsewhere.
 */
export function merge(
  live: Json | undefined,
  config: Json | undefined,
  type: TypeRef,
): Json | undefined {
  if (config === undefined || live === config) return live
  if (live === undefined) return config
  const nature = natureOf(type, config ?? live)
  if (nature === 'leaf' || (isEmptyContainer(live) && isEmptyContainer(config))) return config
  if (nature === 'map') return mergeMembers(live, config, type)
  return mergeItems(isList(live) ? live : [], isList(config) ? config : [], type)
}

function mergeMembers(live: Json, config: Json, type: TypeRef): Json {
  const old = isObject(live) ? live : {}
  if (!isObject(config)) return old
  let next: { [key: string]: Json | undefined } | undefined
  for (const key in config) {
    const had = Object.hasOwn(old, key) ? old[key] : undefined
    const merged = merge(had, config[key], memberType(type, key))
    if (merged === had) continue
    next ??= { ...old }
    next[key] = merged
  }
  return next ?? (isObject(live) ? live : config)
}

interface Indexed {
  readonly elements: readonly string[]
  readonly values: ReadonlyMap<string, Json>
}

function indexed(list: readonly Json[], type: TypeRef): Indexed {
  const elements: string[] = []
  const values = new Map<string, Json>()
  for (const item of list) {
    const found = itemElement(item, type)
    const element = 'element' in found ? found.element : ''
    elements.push(element)
    // What is there twice is not merged with anything.
    values.set(element, values.has(element) ? null : item)
  }
  return { elements, values }
}

/**
 * Walks both lists at once. `shared` are the items of both, in the order of the configuration; a
 * live item that is shared waits until it is its turn.
 */
function mergeItems(
  live: readonly Json[],
  config: readonly Json[],
  type: TypeRef,
): Json | undefined {
  const mine = indexed(live, type)
  const theirs = indexed(config, type)
  const items = itemType(type)
  const merged: Json[] = []
  const done = new Set<string>()
  const shared = theirs.elements.filter((element) => mine.values.has(element))
  let turn = 0
  const push = (item: Json | undefined): void => {
    if (item !== undefined) merged.push(item)
  }
  const both = (element: string): Json | undefined =>
    merge(mine.values.get(element), theirs.values.get(element), items)
  for (let left = 0, right = 0; left < live.length || right < config.length;) {
    const old = mine.elements[left]
    const next = theirs.elements[right]
    if (old !== undefined && next !== undefined) {
      if (old === next) {
        done.add(old)
        push(both(old))
        left += 1
        right += 1
        turn += 1
        continue
      }
      if (theirs.values.has(old) && turn < shared.length && shared[turn] !== old) {
        left += 1
        continue
      }
    }
    if (old !== undefined) {
      if (!theirs.values.has(old)) {
        push(live[left])
        left += 1
        continue
      }
      if (done.has(old)) left += 1
    }
    if (next !== undefined) {
      done.add(next)
      push(both(next))
      right += 1
      if (shared[turn] === next) turn += 1
    }
  }
  return sameItems(live, merged) ? live : merged.length > 0 ? merged : undefined
}

function sameItems(one: readonly Json[], other: readonly Json[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at])
}

/**
 * Without the members and items of a set. What loses all its members is null, as it is on the
 * server; lists and maps that are one value can only go as a whole.
 */
export function remove(
  value: Json,
  set: { readonly [element: string]: unknown },
  type: TypeRef,
): Json {
  const nature = natureOf(type, value)
  if (nature === 'map') return isObject(value) ? removeMembers(value, set, type) : null
  if (nature === 'list') return isList(value) ? removeItems(value, set, type) : null
  return isList(value) || isObject(value) ? null : value
}

type Removing = { readonly [element: string]: unknown }

function below(set: Removing, element: string): { node: Removing; isMember: boolean } | undefined {
  const node = set[element] as Removing | undefined
  if (node === undefined) return undefined
  return { node, isMember: node['.'] !== undefined || Object.keys(node).length === 0 }
}

function removeMembers(value: JsonObject, set: Removing, type: TypeRef): Json {
  let next: { [key: string]: Json | undefined } | undefined
  for (const element in set) {
    const key = element.slice(2)
    const found = below(set, element)
    if (!element.startsWith('f:') || !Object.hasOwn(value, key) || found === undefined) continue
    const had = value[key]
    if (had === undefined) continue
    const after = found.isMember ? undefined : remove(had, found.node, memberType(type, key))
    if (after === had) continue
    next ??= { ...value }
    if (after === undefined) delete next[key]
    else next[key] = after
  }
  if (next === undefined) return isEmptyContainer(value) ? null : value
  return isEmptyContainer(next) ? null : next
}

function removeItems(value: readonly Json[], set: Removing, type: TypeRef): Json {
  const kept: Json[] = []
  let changed = false
  for (const item of value) {
    const element = itemElement(item, type)
    const found = 'element' in element ? below(set, element.element) : undefined
    if (found?.isMember === true) {
      changed = true
      continue
    }
    const after = found === undefined ? item : remove(item, found.node, itemType(type))
    if (after !== item) changed = true
    kept.push(after)
  }
  if (kept.length === 0) return null
  return changed ? kept : value
}
