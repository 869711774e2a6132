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

/**
 * What a door of the API puts back to what it was, so that nobody comes to own it there: the
 * status through the main door, everything else through that of the status.
 */
export function resetFields(
  apiVersion: string,
  kind: string,
  options: { readonly subresource: string | undefined; readonly isCustom: boolean },
): FieldSet {
  const { subresource, isCustom } = options
  if (subresource === undefined) return WITHOUT_RESET.has(kind) ? NONE : STATUS
  if (subresource !== 'status') return NONE
  if (isCustom) return METADATA_AND_SPEC
  if (apiVersion === 'v1' && kind === 'Pod') return POD_STATUS
  return apiVersion === 'apps/v1' && kind === 'Deployment' ? SPEC_AND_LABELS : SPEC
}

export function withoutReset(set: FieldSet, reset: FieldSet): FieldSet {
  return recursiveDifference(set, reset)
}
