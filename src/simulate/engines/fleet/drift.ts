import { at, isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'

/** What a change of a deployed object means; undefined: nothing that Fleet calls drift. */
export function driftOf(
  desired: JsonObject,
  { type, object, before }: WatchEvent,
): 'missing' | 'modified' | undefined {
  if (type === 'DELETED') return 'missing'
  if (before === undefined || type === 'ADDED') return undefined
  return hasLeft(desired, before, object) ? 'modified' : undefined
}

/**
 * Whether a declared field changed to something else than what is declared. Only what changed is
 * compared, so that a value which the server spells in another way is none.
 */
function hasLeft(desired: Json, before: Json | undefined, now: Json | undefined): boolean {
  if (equal(before ?? null, now ?? null)) return false
  if (isObject(desired)) {
    return Object.entries(desired).some(
      ([key, value]) =>
        value !== undefined && value !== null && hasLeft(value, at(before, [key]), at(now, [key])),
    )
  }
  if (isList(desired)) {
    if (!isList(now) || now.length < desired.length) return true
    return desired.some((value, index) => hasLeft(value, at(before, [index]), now[index]))
  }
  return !equal(desired, now ?? null)
}
