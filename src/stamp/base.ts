import { contentName, type NamedKind } from '../core/names.ts'
import { integerAt, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import { fingerprint } from '../core/fingerprint.ts'
import { Fault } from '../core/faults.ts'

export interface Named {
  readonly kind: NamedKind
  readonly object: JsonObject
  /** As it stands; of `generateName` without the dashes at its end. */
  readonly name: string
  readonly recordedBase: string | undefined
  /** 64 hex digits. */
  readonly recordedDigest: string | undefined
  /** The name that `semel.dev/was` keeps. */
  readonly was: string | undefined
}

/**
 * The name without the hash that an earlier stamp put behind it. What stands in `semel.dev/base`
 * is believed only as far as the name agrees: who copies a stamped Job and gives it another name
 * means another Job, and a prefix that came later belongs to the base.
 */
export function baseOf({ kind, object, name, recordedBase, recordedDigest, was }: Named): string {
  if (recordedBase !== undefined && recordedBase !== '') {
    if (name === recordedBase || name === was) return recordedBase
    if (isContentNameOf(name, recordedBase)) return recordedBase
  }
  const match = /^(.+)-([0-9a-f]{8})$/.exec(name)
  if (match === null) return name
  const [, rest = '', hash = ''] = match
  if (recordedDigest !== undefined) {
    if (recordedDigest.startsWith(hash)) return rest
    const made = nameOf(kind, object, recordedBase ?? rest, recordedDigest)
    return made?.endsWith(`-${hash}`) === true ? rest : name
  }
  const own = nameOf(kind, object, rest, fingerprint(object).digest)
  return own === name ? rest : name
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
