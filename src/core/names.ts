import { Fault } from './faults.ts'
import { sha256Hex } from './hash.ts'
import { integerAt, objectAt, stringAt, type JsonObject } from './json.ts'
import { literalParts } from './templates.ts'
import { byteLength } from './text.ts'

export type NamedKind = 'Job' | 'CronJob'

export interface ContentName {
  readonly name: string
  /** The eight hex digits at the end of the name. */
  readonly sha8: string
  /** True when the base did not fit and the name holds only its beginning. */
  readonly cut: boolean
}

export interface ContentNameInput {
  readonly kind: NamedKind
  readonly base: string
  /** 64 hex digits. */
  readonly fingerprint: string
  readonly completions?: number
  readonly completionMode?: string
}

/**
 * `<base>-<sha8>`: one intent, one name. A base that is too long is cut, never the hash, and then
 * the whole base is hashed too, so that two long names with the same beginning stay apart.
 * A base that no Kubernetes name can begin with is NAME_INVALID, with a repaired one proposed.
 */
export function contentName(input: ContentNameInput): ContentName {
  const { kind, base, fingerprint, completions, completionMode } = input
  const spec: JsonObject = { completions, completionMode }
  const label = isIndexed(spec)
  if (!isValid(base, label)) throw invalidBase(base, label)
  const room = nameBudget(kind, kind === 'Job' ? spec : { jobTemplate: { spec } }) - HASH_LENGTH - 1
  if (base.length <= room) {
    const hash = fingerprint.slice(0, HASH_LENGTH)
    return { name: `${base}-${hash}`, sha8: hash, cut: false }
  }
  const hash = sha256Hex(`semel.name/v1\n${base}\n${fingerprint}`).slice(0, HASH_LENGTH)
  return { name: `${base.slice(0, room).replace(/[-.]+$/, '')}-${hash}`, sha8: hash, cut: true }
}

/**
 * How many bytes a name may have. A Job's name becomes a label value of its pods (63). An Indexed
 * Job's pods have the host name `<name>-<index>`, which has the same limit. A CronJob's Jobs are
 * called `<name>-<time>`, so the API server allows 52; with Indexed Jobs less may fit.
 */
export function nameBudget(kind: NamedKind, spec: JsonObject): number {
  if (kind === 'Job') return LABEL_LIMIT - indexLength(spec)
  const job = objectAt(spec, ['jobTemplate', 'spec']) ?? {}
  return Math.min(CRONJOB_LIMIT, LABEL_LIMIT - CRON_TIME_LENGTH - indexLength(job))
}

export interface NameProblem {
  readonly fault: 'too-long' | 'invalid'
  /** Bytes; of a templated name, those that every rendering has. */
  readonly length: number
  readonly budget: number
  readonly why: string
  /** A name that would do, where one follows from this one. */
  readonly repaired?: string
}

/**
 * Why Kubernetes would refuse the name, or undefined. Of a templated name only the literal parts
 * are known: it is too long when these alone are, and otherwise nothing is said.
 */
export function nameProblem(
  kind: NamedKind,
  name: string,
  spec: JsonObject,
): NameProblem | undefined {
  const budget = nameBudget(kind, spec)
  const parts = literalParts(name)
  const length = byteLength(parts.join(''))
  if (length > budget) {
    return { fault: 'too-long', length, budget, why: whyTooLong(kind, length, budget) }
  }
  if (parts.length > 1) return undefined
  const job = kind === 'Job' ? spec : (objectAt(spec, ['jobTemplate', 'spec']) ?? {})
  const label = isIndexed(job)
  if (isValid(name, label)) return undefined
  return { fault: 'invalid', length, budget, why: alphabet(label), repaired: repairName(name) }
}

/** The nearest name that Kubernetes takes, for a message; not meant to be used unseen. */
export function repairName(name: string): string {
  const repaired = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/-*\.[-.]*/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return repaired === '' ? 'job' : repaired
}

export interface HashSuffix {
  /** hex: a content hash of 8 to 64 digits; kustomize: the ten characters that it appends. */
  readonly kind: 'hex' | 'kustomize'
  readonly base: string
  readonly hash: string
}

/**
 * A hash at the end of a name. Hex needs two digits and a letter, so that dates (`20261129`),
 * numbers and words (`facade`, `deadbeef`) are not taken for one; one hash in forty has no letter
 * and is missed. Where the fingerprint is known, compare with that instead.
 */
export function hashSuffixOf(name: string): HashSuffix | undefined {
  const dash = name.lastIndexOf('-')
  if (dash < 1) return undefined
  const base = name.slice(0, dash)
  const hash = name.slice(dash + 1)
  if (KUSTOMIZE_HASH.test(hash)) return { kind: 'kustomize', base, hash }
  return HEX_HASH.test(hash) ? { kind: 'hex', base, hash } : undefined
}

export interface NamedObject {
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
  /** For the message: where it comes from (`jobs/migrate.yaml:3`, `jobGroups.db.jobs.migrate`). */
  readonly from: string
}

/** No two objects of one output may have the same kind, namespace and name: NAME_COLLISION. */
export function assertDistinct(objects: readonly NamedObject[]): void {
  const seen = new Map<string, NamedObject>()
  const collisions: string[] = []
  for (const object of objects) {
    const key = JSON.stringify([object.kind, object.namespace ?? '', object.name])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, object)
    else
      collisions.push(`${object.kind} ${object.name} comes from ${first.from} and ${object.from}`)
  }
  if (collisions.length === 0) return
  throw new Fault('NAME_COLLISION', {
    what: collisions.join('; '),
    why: 'Kubernetes knows an object by its kind, namespace and name: only one of the two would run',
    remedy: 'rename one of them, or remove it if both are meant to be the same',
  })
}

const HASH_LENGTH = 8
const LABEL_LIMIT = 63
const CRONJOB_LIMIT = 52
/** A dash and the minutes since 1970, which have eight digits until the year 2160. */
const CRON_TIME_LENGTH = 9
const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
const HEX_HASH = /^(?=.*\d.*\d)(?=.*[a-f])[0-9a-f]{8,64}$/
const KUSTOMIZE_HASH = /^(?=.*\d)(?=.*[a-z])[bcdfghkmt2456789]{10}$/

function isIndexed(jobSpec: JsonObject): boolean {
  return stringAt(jobSpec, ['completionMode']) === 'Indexed'
}

function indexLength(jobSpec: JsonObject): number {
  const completions = integerAt(jobSpec, ['completions']) ?? 0
  return isIndexed(jobSpec) && completions > 0 ? `-${completions - 1}`.length : 0
}

function isValid(name: string, label: boolean): boolean {
  return (label ? LABEL : SUBDOMAIN).test(name)
}

function alphabet(label: boolean): string {
  const characters = label ? 'a-z, 0-9 and -' : 'a-z, 0-9, - and .'
  const indexed = label ? ', and in an Indexed Job no dot' : ''
  return `Kubernetes allows only ${characters} in it, a letter or digit at both ends${indexed}`
}

function invalidBase(base: string, label: boolean): Fault {
  return new Fault('NAME_INVALID', {
    what: `'${base}' cannot be the beginning of a name`,
    why: alphabet(label),
    remedy: `call it '${repairName(base)}'`,
  })
}

function whyTooLong(kind: NamedKind, length: number, budget: number): string {
  const limit = `it has ${length} bytes and ${budget} are allowed`
  if (kind === 'CronJob') {
    const more = budget < CRONJOB_LIMIT ? ' and the index to the host name of each pod' : ''
    return `${limit}: Kubernetes adds a dash and a time to make the name of each Job${more}`
  }
  return budget < LABEL_LIMIT
    ? `${limit}: the pods of an Indexed Job add a dash and their index to make their host name`
    : `${limit}: the name becomes a label of the pods`
}
