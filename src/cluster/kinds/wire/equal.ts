import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { readQuantity } from './quantity.ts'

/** Maps of quantities, which are equal by value: `1Gi` and `1024Mi`. */
const QUANTITIES: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead'])
const QUANTITY: ReadonlySet<string> = new Set(['sizeLimit', 'divisor'])

/**
 * Equal as Kubernetes compares complete values: an empty list is none, quantities count by value.
 */
export function equalValues(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (isNothing(one)) return isNothing(other)
  if (isNothing(other)) return false
  if (isList(one)) {
    if (!isList(other) || one.length !== other.length) return false
    return one.every((item, at) => equalValues(item, other[at]))
  }
  return isObject(one) && isObject(other) && equalObjects(one, other)
}

function equalObjects(one: JsonObject, other: JsonObject): boolean {
  for (const key in one) {
    if (!equalAt(key, one[key], other[key])) return false
  }
  for (const key in other) {
    if (one[key] === undefined && !isNothing(other[key])) return false
  }
  return true
}

function equalAt(key: string, one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (QUANTITY.has(key)) return sameQuantity(one, other)
  if (!QUANTITIES.has(key) || !isObject(one) || !isObject(other)) return equalValues(one, other)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => sameQuantity(one[name], other[name]))
}

function sameQuantity(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return equalValues(one, other)
  return one === other || readQuantity(one)?.nano === readQuantity(other)?.nano
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true
  return isList(value) && value.length === 0
}
