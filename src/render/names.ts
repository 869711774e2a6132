import { sha256Hex } from '../core/hash.ts'
import type { JsonObject } from '../core/json.ts'
import { nameBudget, type NamedKind } from '../core/names.ts'
import type { Release } from './options.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
export const LABEL_LIMIT = 63
/** A dash and five hex digits. */
const CUT_LENGTH = 6
const HASH_LENGTH = 8

export function isDnsLabel(name: string): boolean {
  return name.length <= LABEL_LIMIT && LABEL.test(name)
}

export function isDnsSubdomain(name: string): boolean {
  return SUBDOMAIN.test(name)
}

export function fullName(
  { name, chart = 'app' }: Release,
  given: { readonly nameOverride: string; readonly fullnameOverride: string },
): string {
  if (given.fullnameOverride !== '') return given.fullnameOverride
  const part = given.nameOverride === '' ? chart : given.nameOverride
  return name.includes(part) ? name : `${name}-${part}`
}

/** The first eight characters of a group's name. */
export function shortGroup(group: string): string {
  return group.slice(0, 8).replace(/-+$/, '')
}

/**
 * `<base>-<hash>`, or the base alone. What is too long is cut and gets five digits of the hash of
 * the whole base, so that long names with one beginning stay apart. The hash is never cut.
 */
export function objectName(base: string, hash: string | undefined, limit: number): string {
  if (hash === undefined) return cutTo(base, limit)
  return `${cutTo(base, limit - HASH_LENGTH - 1)}-${hash.slice(0, HASH_LENGTH)}`
}

/** A label's value has the same limit as a Job's name. */
export function labelValue(text: string): string {
  return cutTo(text, LABEL_LIMIT)
}

/** 63, for a CronJob 52, and less where the pods of an Indexed Job add their index. */
export function nameLimit(kind: NamedKind, jobSpec: JsonObject): number {
  return nameBudget(kind, kind === 'Job' ? jobSpec : { jobTemplate: { spec: jobSpec } })
}

function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = text.slice(0, limit - CUT_LENGTH).replace(/-+$/, '')
  return `${head}-${sha256Hex(text).slice(0, CUT_LENGTH - 1)}`
}
