import { canonicalJson } from '../../../core/canonical-json.ts'
import { listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { timestamp } from '../../../cluster/time.ts'

export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export type InstanceState = 'ACTIVE' | 'IN_PROGRESS' | 'ERROR' | 'DELETING'

export const MANAGED: Condition = {
  type: 'InstanceManaged',
  status: 'True',
  reason: 'Managed',
  message: 'instance is properly managed with finalizers and labels',
}

export const RESOLVED: Condition = {
  type: 'GraphResolved',
  status: 'True',
  reason: 'Resolved',
  message: 'runtime graph created and all resources resolved',
}

export const ALL_READY: Condition = {
  type: 'ResourcesReady',
  status: 'True',
  reason: 'AllResourcesReady',
  message: 'all resources are created and ready',
}

/** Ready repeats the first of the others that is not true. */
export function withReady(conditions: readonly Condition[]): readonly Condition[] {
  const worst = conditions.find(({ status }) => status !== 'True')
  const ready: Condition =
    worst === undefined
      ? { type: 'Ready', status: 'True', reason: 'Ready', message: '' }
      : { ...worst, type: 'Ready' }
  return [...conditions, ready]
}

/** Writes status when something in it differs; a transition time stays while the status does. */
export function writeStatus(
  resource: ResourceId,
  object: KubeObject,
  next: { readonly conditions: readonly Condition[]; readonly fields: JsonObject },
  io: Io<never>,
): void {
  const { namespace, name, generation = 0 } = object.metadata
  const live = io.read.get(resource, namespace, name)
  if (live === undefined) return
  const old = listAt(live, ['status', 'conditions'])
  const conditions = next.conditions.map((condition) => {
    const before = old.find((one) => stringAt(one, ['type']) === condition.type)
    const isSame = stringAt(before, ['status']) === condition.status
    const since = isSame ? stringAt(before, ['lastTransitionTime']) : undefined
    return {
      ...condition,
      observedGeneration: generation,
      lastTransitionTime: since ?? timestamp(io.now),
    }
  })
  const status: JsonObject = { ...next.fields, conditions }
  if (canonicalJson(status) === canonicalJson(live['status'] ?? {})) return
  io.request({
    verb: 'update',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    subresource: 'status',
    body: { ...live, status },
    options: { fieldManager: 'kro' },
  })
}
