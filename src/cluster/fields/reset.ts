import type { TypeRef } from './contract.ts'
import { recursiveDifference, type FieldSet } from './set.ts'

const STATUS: FieldSet = { 'f:status': {} }
const SPEC: FieldSet = { 'f:spec': {} }
const METADATA_AND_SPEC: FieldSet = { 'f:metadata': {}, 'f:spec': {} }
const SPEC_AND_LABELS: FieldSet = { 'f:metadata': { 'f:labels': {} }, 'f:spec': {} }
const POD_STATUS: FieldSet = {
  'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} },
  'f:spec': {},
}
const NONE: FieldSet = {}

/** Kinds whose whole object is written by their main door, status and all. */
const WITHOUT_RESET: ReadonlySet<string> = new Set(['Event', 'Endpoints'])

interface Door {
  readonly subresource?: string
  readonly hasStatus?: boolean
  readonly type: TypeRef
}

/**
 * What a door of the API puts back to what it was, so that nobody comes to own it there: the
 * status through the main door, everything else through that of the status.
 */
export function resetFields(
  apiVersion: string,
  kind: string,
  { subresource, hasStatus = true, type }: Door,
): FieldSet {
  const isCustom = type.goType === undefined
  if (subresource === undefined) return WITHOUT_RESET.has(kind) || !hasStatus ? NONE : STATUS
  if (subresource !== 'status') return NONE
  if (isCustom) return METADATA_AND_SPEC
  if (apiVersion === 'v1' && kind === 'Pod') return POD_STATUS
  return apiVersion === 'apps/v1' && kind === 'Deployment' ? SPEC_AND_LABELS : SPEC
}

export function withoutReset(set: FieldSet, reset: FieldSet): FieldSet {
  return recursiveDifference(set, reset)
}
