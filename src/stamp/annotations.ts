import { at, type JsonObject } from '../core/json.ts'
import type { PolicyId } from '../core/fingerprint.ts'

/** Written by stamp. */
export const FINGERPRINT = 'semel.dev/fingerprint'
export const FIELDS = 'semel.dev/fields'
export const BASE = 'semel.dev/base'
/** A label, because admission selects by labels. */
export const ONCE = 'semel.dev/once'

/** Written by people. */
export const CONTRACT = 'semel.dev/contract'
export const STAMP = 'semel.dev/stamp'
export const FOLLOW = 'semel.dev/follow'
export const WAS = 'semel.dev/was'
export const SALT = 'semel.dev/salt'
/** On a Secret: says that its content has changed without showing the content. */
export const VERSION = 'semel.dev/version'

/** The text of an annotation; a boolean or a number, which Kubernetes refuses, is read as text. */
export function annotationOf(object: JsonObject, key: string): string | undefined {
  const value = at(object, ['metadata', 'annotations', key])
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : undefined
}

export interface RecordedFingerprint {
  readonly policy: PolicyId
  readonly algorithm: string
  /** 64 hex digits. */
  readonly digest: string
}

/** `intent/v1:` and 64 hex digits. */
export function formatFingerprint({ policy, algorithm, digest }: RecordedFingerprint): string {
  return `${policy}/${algorithm}:${digest}`
}

export function parseFingerprint(text: string): RecordedFingerprint | undefined {
  const match = /^(intent|adr-012)\/(v\d+):([0-9a-f]{64})$/.exec(text)
  if (match === null) return undefined
  const [, policy, algorithm = '', digest = ''] = match
  return { policy: policy === 'adr-012' ? 'adr-012' : 'intent', algorithm, digest }
}
