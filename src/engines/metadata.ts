import {
  at,
  isObject,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'

/** `unknown`: only rendering can tell, or there is nothing to read it from. */
export type Switch = 'on' | 'off' | 'unknown'

export function isCronJob(object: JsonObject): boolean {
  return object['kind'] === 'CronJob'
}

/** The text of an annotation; anything but text never reaches a cluster. */
export function annotationOf(object: JsonObject, key: string): string | undefined {
  return stringAt(object, ['metadata', 'annotations', key])
}

/** The items of a comma list, trimmed, without the empty ones. */
export function commaList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * Whether the object carries `key: value` as annotation or as label, in any case, as the
 * controllers of Flux look it up.
 */
export function markOf(object: JsonObject, key: string, value: string): Switch {
  const texts = ['annotations', 'labels'].map((part) => stringAt(object, ['metadata', part, key]))
  if (texts.some((text) => text?.toLowerCase() === value.toLowerCase())) return 'on'
  return texts.some(isTemplated) ? 'unknown' : 'off'
}

/** A boolean field that is false when left out; unknown without a carrier. */
export function switchAt(carrier: JsonObject | undefined, path: Path): Switch {
  if (carrier === undefined) return 'unknown'
  const value = at(carrier, path)
  if (value === undefined || value === null) return 'off'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return 'unknown'
}

/**
 * The object with the carrier's `spec.commonMetadata`, which wins over the object's own, as Flux
 * and the ResourceSet write it before they apply.
 */
export function withCommonMetadata(
  object: JsonObject,
  carrier: JsonObject | undefined,
): JsonObject {
  const common = objectAt(carrier, ['spec', 'commonMetadata'])
  if (common === undefined) return object
  const own = objectAt(object, ['metadata']) ?? {}
  const merged = (part: string): JsonObject => ({
    ...plain(own[part]),
    ...plain(common[part]),
  })
  return {
    ...object,
    metadata: { ...own, annotations: merged('annotations'), labels: merged('labels') },
  }
}

/** True when a TTL is written, also one that only rendering knows. */
export function hasTtl(object: JsonObject): boolean {
  const ttl = at(object, ['spec', 'ttlSecondsAfterFinished'])
  return ttl !== undefined && ttl !== null
}

/** Same kind and name, and no other namespace. */
export function isSameObject(one: JsonObject, other: JsonObject): boolean {
  const name = stringAt(one, ['metadata', 'name'])
  const here = stringAt(one, ['metadata', 'namespace'])
  const there = stringAt(other, ['metadata', 'namespace'])
  return (
    one['kind'] === other['kind'] &&
    name !== undefined &&
    name === stringAt(other, ['metadata', 'name']) &&
    (here === undefined || there === undefined || here === there)
  )
}

function plain(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
