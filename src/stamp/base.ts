import { contentName, type NamedKind } from '../core/names.ts'
import { integerAt, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import { fingerprint, type Fingerprint, type PolicyId } from '../core/fingerprint.ts'
import { Fault } from '../core/faults.ts'

export interface Named {
  /** Of a Job that is left alone the name is not looked into. */
  readonly isStamped: boolean
  readonly kind: NamedKind
  readonly object: JsonObject
  /** As it stands; of `generateName` without the dashes at its end. */
  readonly name: string
  readonly recordedBase: string | undefined
  /** 64 hex digits. */
  readonly recordedDigest: string | undefined
  /** The name that `semel.dev/was` keeps. */
  readonly was: string | undefined
  readonly policy: PolicyId
}

export interface Base {
  readonly base: string
  /** Of the object alone, where it had to be made to tell the base. */
  readonly made?: Fingerprint
}

/**
 * The name without the hash that an earlier stamp put behind it. What stands in `semel.dev/base`
 * is believed only as far as the name agrees: who copies a stamped Job and gives it another name
 * means another Job, and a prefix that came later belongs to the base.
 */
export function baseOf(named: Named): Base {
  const { kind, object, name, recordedBase, recordedDigest, was, policy } = named
  if (!named.isStamped) return { base: name }
  if (recordedBase !== undefined && recordedBase !== '') {
    if (name === recordedBase || name === was) return { base: recordedBase }
    if (isContentNameOf(name, recordedBase)) return { base: recordedBase }
  }
  const match = /^(.+)-([0-9a-f]{8})$/.exec(name)
  if (match === null) return { base: name }
  const [, rest = '', hash = ''] = match
  if (recordedDigest !== undefined) {
    if (recordedDigest.startsWith(hash)) return { base: rest }
    const recorded = nameOf(kind, object, recordedBase ?? rest, recordedDigest)
    return { base: recorded?.endsWith(`-${hash}`) === true ? rest : name }
  }
  const made = fingerprintOf(object, policy)
  if (made === undefined) return { base: name }
  return { base: nameOf(kind, object, rest, made.digest) === name ? rest : name, made }
}

/** Undefined for what has no canonical form, which is reported when it is named. */
function fingerprintOf(object: JsonObject, policy: PolicyId): Fingerprint | undefined {
  try {
    return fingerprint(object, { policy })
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Whether the name can be a content name of the base, whatever the content. */
function isContentNameOf(name: string, base: string): boolean {
  const match = /^(.+)-[0-9a-f]{8}$/.exec(name)
  if (match === null) return false
  const [, readable = ''] = match
  if (readable === base) return true
  // A base that did not fit was cut, so it goes on where the name has its hash.
  return (
    readable.length >= SHORTEST_CUT && base.length > readable.length && base.startsWith(readable)
  )
}

/** 52 bytes of a CronJob without the hash, and ten for the index of an Indexed Job. */
const SHORTEST_CUT = 30

/** The name that a base and a digest make for this object; throws NAME_INVALID. */
export function contentNameOf(
  kind: NamedKind,
  object: JsonObject,
  base: string,
  digest: string,
): string {
  const path = kind === 'Job' ? ['spec'] : ['spec', 'jobTemplate', 'spec']
  const spec = objectAt(object, path)
  const completions = integerAt(spec, ['completions'])
  const completionMode = stringAt(spec, ['completionMode'])
  return contentName({
    kind,
    base,
    fingerprint: digest,
    ...(completions === undefined ? {} : { completions }),
    ...(completionMode === undefined ? {} : { completionMode }),
  }).name
}

function nameOf(
  kind: NamedKind,
  object: JsonObject,
  base: string,
  digest: string,
): string | undefined {
  try {
    return contentNameOf(kind, object, base, digest)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
