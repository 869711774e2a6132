import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../object.ts'
import { timestamp, type Instant } from '../time.ts'

/** What is left of a namespace after its content was asked to go. */
export interface Remaining {
  /** How long it may take; 0 when nothing is left, or nothing that is known to take time. */
  readonly seconds: number
  /** In the words of the condition: `pods. has 2 resource instances`. */
  readonly resources: readonly string[]
  readonly finalizers: ReadonlyMap<string, number>
  readonly faults: readonly string[]
  /** Pods hold up all else; the conditions do not tell of them then. */
  readonly isPodsOnly: boolean
}

/** The status with its five conditions, or undefined when nothing of them changed. */
export function namespaceConditions(
  namespace: KubeObject,
  remaining: Remaining,
  now: Instant,
): JsonObject | undefined {
  const status = isObject(namespace['status']) ? namespace['status'] : {}
  const old = isList(status['conditions']) ? status['conditions'].filter(isObject) : []
  const bad = badConditions(remaining)
  let hasChanged = false
  const conditions: JsonObject[] = [...old]
  for (const good of GOOD) {
    const next = bad.get(good.type) ?? { status: 'False', ...good }
    const at = conditions.findIndex(({ type }) => type === good.type)
    const before = conditions[at]
    if (before !== undefined && isSame(before, next)) continue
    const isKept = before?.['status'] === next.status
    const kept: Json | undefined = isKept ? before?.['lastTransitionTime'] : undefined
    const lastTransitionTime = kept ?? timestamp(now)
    hasChanged = true
    if (before === undefined) conditions.push({ ...next, lastTransitionTime })
    else conditions[at] = { ...next, lastTransitionTime }
  }
  return hasChanged ? { ...status, conditions } : undefined
}

interface Told {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

const GOOD: readonly Omit<Told, 'status'>[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    type: 'NamespaceFinalizersRemaining',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
]

function badConditions(remaining: Remaining): ReadonlyMap<string, Told> {
  const { resources, finalizers, faults, isPodsOnly } = remaining
  const bad = new Map<string, Told>()
  const tell = (type: string, reason: string, message: string): void => {
    bad.set(type, { type, status: 'True', reason, message })
  }
  if (faults.length > 0) {
    const texts = [...faults].sort().join(', ')
    const message = `Failed to delete all resource types, ${faults.length} remaining: ${texts}`
    tell('NamespaceDeletionContentFailure', 'ContentDeletionFailed', message)
  }
  if (isPodsOnly) return bad
  if (resources.length > 0) {
    const message = `Some resources are remaining: ${[...resources].sort().join(', ')}`
    tell('NamespaceContentRemaining', 'SomeResourcesRemain', message)
  }
  if (finalizers.size > 0) {
    const each = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`)
    const message = `Some content in the namespace has finalizers remaining: ${each.sort().join(', ')}`
    tell('NamespaceFinalizersRemaining', 'SomeFinalizersRemain', message)
  }
  return bad
}

function isSame(before: JsonObject, next: Told): boolean {
  return (['status', 'reason', 'message'] as const).every(
    (field) => stringAt(before, [field]) === next[field],
  )
}
