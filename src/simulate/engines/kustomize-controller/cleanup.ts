import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../cluster/object.ts'
import { equal } from '../../../cluster/fields/index.ts'

export const MANAGER = 'kustomize-controller'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const ANNOTATIONS = [
  LAST_APPLIED,
  'kustomize.toolkit.fluxcd.io/checksum',
  'fluxcd.io/sync-checksum',
]
const LABELS = ['fluxcd.io/sync-gc-mark']

/** What an engine of the Flux family clears away before it applies. */
export interface CleanupRules {
  readonly manager: string
  readonly annotations: readonly string[]
  readonly labels: readonly string[]
  /** Managers, by the beginning of their names, whose updates and applies it takes over. */
  readonly takesAll: readonly string[]
  /** The same, of updates alone. */
  readonly takesUpdates: readonly string[]
}

const OWN_RULES: CleanupRules = {
  manager: MANAGER,
  annotations: ANNOTATIONS,
  labels: LABELS,
  takesAll: ['kubectl'],
  takesUpdates: ['before-first-apply', MANAGER],
}

/**
 * The JSON patch by which the controller makes fields of kubectl its own before it applies, so that
 * the apply removes what the source does not name (F-12 `Override`, traces 010, 015, 043). Empty
 * when there is nothing of the kind.
 */
export function cleanupOf(
  live: KubeObject,
  rules: CleanupRules = OWN_RULES,
): readonly JsonObject[] {
  const { annotations, labels, managedFields = [] } = live.metadata
  const patches: JsonObject[] = []
  for (const key of rules.annotations) {
    if (annotations?.[key] !== undefined) patches.push(removal('annotations', key))
  }
  for (const key of rules.labels) {
    if (labels?.[key] !== undefined) patches.push(removal('labels', key))
  }
  const entries = takenOver(managedFields, rules)
  if (entries !== undefined) {
    patches.push({ op: 'replace', path: '/metadata/managedFields', value: entries })
  }
  return patches
}

function removal(part: string, key: string): JsonObject {
  return {
    op: 'remove',
    path: `/metadata/${part}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }
}

/** Own fields last; undefined when no other manager's fields are taken. */
function takenOver(
  managedFields: readonly ManagedFieldsEntry[],
  rules: CleanupRules,
): readonly ManagedFieldsEntry[] | undefined {
  const { manager } = rules
  let own = managedFields.find((entry) => entry.manager === manager && entry.operation === 'Apply')
  const before = own
  const kept: ManagedFieldsEntry[] = []
  let isEdited = false
  for (const entry of managedFields) {
    if (entry === before) continue
    if (!isTaken(entry, rules)) {
      kept.push(entry)
      continue
    }
    isEdited = true
    own =
      own === undefined
        ? { ...entry, manager, operation: 'Apply' }
        : { ...own, fieldsV1: merged(own.fieldsV1, entry.fieldsV1) }
  }
  return isEdited && own !== undefined ? [...kept, own] : undefined
}

function isTaken(
  { manager = '', operation, subresource }: ManagedFieldsEntry,
  { takesAll, takesUpdates }: CleanupRules,
): boolean {
  if (subresource !== undefined && subresource !== '') return false
  const begins = (name: string): boolean => manager.startsWith(name)
  return takesAll.some(begins) || (operation === 'Update' && takesUpdates.some(begins))
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result: { [key: string]: Json | undefined } = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const mine = result[key]
    result[key] = isObject(mine) && isObject(value) ? merged(mine, value) : (mine ?? value)
  }
  return result
}

/** F-9: labels, annotations and everything outside of metadata and status. */
export function hasDrifted(live: KubeObject, wanted: KubeObject): boolean {
  const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
    equal(one ?? {}, other ?? {})
  if (!isSame(live.metadata.labels, wanted.metadata.labels)) return true
  if (!isSame(live.metadata.annotations, wanted.metadata.annotations)) return true
  const { metadata: _m, status: _s, ...before } = live
  const { metadata: _n, status: _t, ...after } = wanted
  return !equal(before, after)
}

/** Nothing differs that a dry run would look at: writes to the status do not count. */
export function isSameForApply(one: KubeObject, other: KubeObject): boolean {
  if (one === other) return true
  const { metadata: m, status: _s, ...before } = one
  const { metadata: n, status: _t, ...after } = other
  return (
    m.uid === n.uid &&
    m.deletionTimestamp === n.deletionTimestamp &&
    equal(m.labels, n.labels) &&
    equal(m.annotations, n.annotations) &&
    equal(m.finalizers, n.finalizers) &&
    equal(ownersOf(one), ownersOf(other)) &&
    equal(before, after)
  )
}

function ownersOf({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
  return (metadata.managedFields ?? []).filter(({ subresource }) => subresource !== 'status')
}
