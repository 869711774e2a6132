import { isObject, type Json, type JsonObject } from '../core/json.ts'

/**
 * The three ways in which levels (root, group, job) come together. In all of them presence counts,
 * not truthiness, and null takes away what the levels before have said.
 */
export type Level = Json | undefined

/** The value of the last level that has one; undefined after null, so that a default applies. */
export function pick(levels: readonly Level[]): Json | undefined {
  return levels.findLast((level) => level !== undefined) ?? undefined
}

/** Union by key; a later level replaces the whole entry. */
export function keyedMerge(levels: readonly Level[]): JsonObject {
  const merged = new Map<string, Json>()
  for (const level of levels) {
    if (level === null) merged.clear()
    if (!isObject(level)) continue
    for (const [key, value] of Object.entries(level)) {
      if (value === null) merged.delete(key)
      else if (value !== undefined) merged.set(key, value)
    }
  }
  return Object.fromEntries(merged)
}

/** Objects merge recursively, everything else replaces. Undefined when no level has an object. */
export function deepMerge(levels: readonly Level[]): JsonObject | undefined {
  let merged: JsonObject | undefined
  for (const level of levels) {
    if (level === null) merged = undefined
    else if (isObject(level)) merged = merged === undefined ? level : mergeTwo(merged, level)
  }
  return merged
}

function mergeTwo(below: JsonObject, above: JsonObject): JsonObject {
  const merged = new Map(Object.entries(below))
  for (const [key, value] of Object.entries(above)) {
    const before = merged.get(key)
    merged.set(key, isObject(before) && isObject(value) ? mergeTwo(before, value) : value)
  }
  return Object.fromEntries(merged)
}

/** Lists one after the other. */
export function joined(levels: readonly Level[]): readonly Json[] {
  let list: readonly Json[] = []
  for (const level of levels) {
    if (level === null) list = []
    else if (Array.isArray(level)) list = [...list, ...(level as readonly Json[])]
  }
  return list
}

/** Without null members, and with keys in one order, so that the order of the values is no matter. */
export function tidied(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(tidied)
  if (!isObject(value)) return value
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key]
      return member === null || member === undefined ? [] : [[key, tidied(member)] as const]
    })
  return Object.fromEntries(members)
}

/** Tidied, or undefined where nothing is left to say. */
export function unlessEmpty(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined
  const tidy = tidied(value)
  if (Array.isArray(tidy)) return tidy.length === 0 ? undefined : tidy
  return isObject(tidy) && Object.keys(tidy).length === 0 ? undefined : tidy
}
