import { canonicalJson } from './canonical-json.ts'
import { invariant } from './faults.ts'
import { sha256Hex } from './hash.ts'
import { isList, isObject, objectAt, stringAt, type Json, type JsonObject } from './json.ts'
import { completionsIn } from './normalise/conditional.ts'
import { normaliseSpec } from './normalise/normalise.ts'
import { adr012Policy } from './policies/adr-012.ts'
import { fieldDigests } from './policies/fields.ts'
import { intentPolicy } from './policies/intent.ts'
import type { ConfigDigests, Policy, PolicyId } from './policies/policy.ts'
import { isTemplated } from './templates.ts'

export type { ConfigDigests, PolicyId } from './policies/policy.ts'

export interface Fingerprint {
  /** Recorded with every hash: what `v1` covers never changes. */
  readonly algorithm: 'v1'
  readonly policy: PolicyId
  /** 64 hex digits. */
  readonly digest: string
  /** By field path, 8 hex digits: two fingerprints have the same ones when they are equal. */
  readonly fields: Readonly<Record<string, string>>
  /** What was hashed, after the policy's first line. */
  readonly canonical: string
}

export interface FingerprintOptions {
  readonly policy?: PolicyId
  /** ConfigMaps that the pod reads and that change together with it. */
  readonly config?: ConfigDigests
}

/**
 * What a Job or CronJob does, as a digest. Text that only rendering can turn into a value is
 * hashed as it stands; see `isFullyKnown`.
 */
export function fingerprint(object: JsonObject, options: FingerprintOptions = {}): Fingerprint {
  const policy = policyOf(options.policy)
  const covered = cover(object, policy, options.config ?? {})
  const canonical = canonicalJson(covered)
  return {
    algorithm: 'v1',
    policy: policy.id,
    digest: sha256Hex(`${policy.domain}\n${canonical}`),
    fields: fieldDigests(covered),
    canonical,
  }
}

/** False when any covered part still has to be rendered: then the digest will be another one. */
export function isFullyKnown(object: JsonObject, options: FingerprintOptions = {}): boolean {
  return isKnown(cover(object, policyOf(options.policy), {}))
}

/**
 * A digest of all that the API server refuses to change in a Job under one name, equal where the
 * server finds it equal; for manifests, not for objects read from a cluster. Two manifests of one
 * name with the same fingerprint and different fixed digests do the same, and yet applying one
 * over the other is refused: a version label, the order of a list, or the spelling of a default
 * has changed. Of a CronJob nothing is fixed.
 */
export function fixedDigest(object: JsonObject): string {
  const spec = kindOf(object) === 'Job' ? normaliseSpec('Job', specOf(object), 'server') : {}
  const fixed = Object.entries(spec).filter(([field]) => !CHANGEABLE.has(field))
  const value = { ...Object.fromEntries(fixed), completions: completionsIn(spec) }
  return sha256Hex(`semel.fixed/v1\n${canonicalJson(value)}`)
}

/** For `config`: the sha256 of the canonical form of a ConfigMap's data. */
export function configDigest(data: JsonObject): string {
  return sha256Hex(canonicalJson(data))
}

/** For `config`, under `semel.dev/salt`: any other text makes another fingerprint. */
export function saltDigest(salt: string): string {
  return sha256Hex(`semel.salt/v1\n${salt}`)
}

/** What the API server changes in a Job as it stands. */
const CHANGEABLE: ReadonlySet<string> = new Set([
  'activeDeadlineSeconds',
  'backoffLimit',
  'maxFailedIndexes',
  'parallelism',
  'podReplacementPolicy',
  'suspend',
  'ttlSecondsAfterFinished',
])

function policyOf(id: PolicyId = 'intent'): Policy {
  return id === 'intent' ? intentPolicy : adr012Policy
}

function cover(object: JsonObject, policy: Policy, config: ConfigDigests): JsonObject {
  return policy.cover(kindOf(object), specOf(object), config)
}

function kindOf(object: JsonObject): 'Job' | 'CronJob' {
  const kind = stringAt(object, ['kind'])
  invariant(kind === 'Job' || kind === 'CronJob', `a ${kind} has no fingerprint`)
  return kind
}

function specOf(object: JsonObject): JsonObject {
  return objectAt(object, ['spec']) ?? {}
}

function isKnown(value: Json | undefined): boolean {
  if (isList(value)) return value.every(isKnown)
  if (!isObject(value)) return !isTemplated(value)
  return Object.entries(value).every(([key, item]) => !isTemplated(key) && isKnown(item))
}
