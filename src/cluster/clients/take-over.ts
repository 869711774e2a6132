import type { JsonObject } from '../../core/json.ts'
import { union } from '../fields/set.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'

/**
 * The JSON patch by which a client that begins to apply server-side takes over the fields of its
 * former updates (`old`, at least one), so that a later apply may drop them. It holds for the
 * version that was read: another write in between makes a conflict.
 */
export function takeOverPatch(
  { metadata }: KubeObject,
  old: readonly ManagedFieldsEntry[],
  manager: string,
): readonly JsonObject[] {
  const entries = metadata.managedFields ?? []
  const mine = entries.find((one) => one.manager === manager && one.operation === 'Apply')
  const fieldsV1 = [...(mine === undefined ? [] : [mine]), ...old]
    .map((one) => one.fieldsV1 as FieldSet)
    .reduce(union)
  const taken = { ...(mine ?? old[0]), manager, operation: 'Apply', fieldsV1 }
  const kept = entries.filter((one) => one !== mine && !old.includes(one))
  return [
    { op: 'replace', path: '/metadata/managedFields', value: [...kept, taken] },
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
  ]
}

type FieldSet = Parameters<typeof union>[0]
