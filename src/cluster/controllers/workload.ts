import {
  integerAt,
  isList,
  isObject,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../core/json.ts'
import type { Io } from '../actor.ts'
import { succeeded, type Answer } from '../api/request.ts'
import { controllerOf, type KubeObject, type ResourceId } from '../object.ts'
import { timestamp, type Instant } from '../time.ts'

export const DEPLOYMENTS: ResourceId = { group: 'apps', version: 'v1', resource: 'deployments' }
export const REPLICASETS: ResourceId = { group: 'apps', version: 'v1', resource: 'replicasets' }

/** What the controllers of kinds with replicas do alike. */
export type WorkloadIo = Pick<Io<never>, 'now' | 'read' | 'request' | 'event' | 'cause'>

export function replicasOf(object: KubeObject): number {
  return integerAt(object, ['spec', 'replicas']) ?? 1
}

/** A number of the status; absent ones are 0. */
export function countOf(object: JsonObject, field: string): number {
  return integerAt(object, ['status', field]) ?? 0
}

export function totalOf(objects: readonly KubeObject[], field: string): number {
  return objects.reduce((sum, object) => sum + countOf(object, field), 0)
}

/** Objects of one kind that `owner` controls, oldest first. */
export function controlledBy(
  io: Pick<WorkloadIo, 'read'>,
  owner: KubeObject,
  kind: string,
): readonly KubeObject[] {
  const { uid } = owner.metadata
  return io.read
    .dependents(uid)
    .map(({ object }) => object)
    .filter((object) => object.kind === kind && controllerOf(object)?.uid === uid)
    .sort(byAge)
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  if (one.creationTimestamp !== other.creationTimestamp) {
    return one.creationTimestamp < other.creationTimestamp ? -1 : 1
  }
  return one.name < other.name ? -1 : 1
}

export function ownerReferenceTo({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  const { name, uid } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

export function conditionsOf(status: JsonObject): readonly JsonObject[] {
  const { conditions } = status
  return isList(conditions) ? conditions.filter(isObject) : []
}

export function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return conditionsOf(status).find((condition) => condition['type'] === type)
}

export function statusOf(object: KubeObject): JsonObject {
  return objectAt(object, ['status']) ?? {}
}

export interface Told {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/** A condition of the same status and reason stays as it was; the time is that of the status. */
export function withCondition(
  conditions: readonly JsonObject[],
  next: Told,
  { now, hasUpdateTime }: { readonly now: Instant; readonly hasUpdateTime: boolean },
): readonly JsonObject[] {
  const before = conditions.find(({ type }) => type === next.type)
  const isSameStatus = before?.['status'] === next.status
  if (isSameStatus && before?.['reason'] === next.reason) return conditions
  const at = timestamp(now)
  const lastTransitionTime = (isSameStatus ? before?.['lastTransitionTime'] : undefined) ?? at
  const times = hasUpdateTime ? { lastUpdateTime: at, lastTransitionTime } : { lastTransitionTime }
  return [...withoutCondition(conditions, next.type), { ...next, ...times }]
}

export function withoutCondition(
  conditions: readonly JsonObject[],
  type: string,
): readonly JsonObject[] {
  return conditions.filter((condition) => condition['type'] !== type)
}

export const AS_CONTROLLER = { fieldManager: 'kube-controller-manager' } as const

/** Written as read: a conflict when anybody wrote it since. */
export function put(
  io: Pick<WorkloadIo, 'request'>,
  resource: ResourceId,
  object: KubeObject,
  subresource?: string,
): Answer {
  const { name, namespace } = object.metadata
  return io.request({
    verb: 'update',
    resource,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(subresource === undefined ? {} : { subresource }),
    body: object,
    options: AS_CONTROLLER,
  })
}

/** The object after a write, or undefined when it was refused. */
export function written(answer: Answer): KubeObject | undefined {
  return succeeded(answer) ? answer.body : undefined
}

export function messageOf({ body }: Answer): string {
  return stringAt(body, ['message']) ?? ''
}

export function isReady(pod: KubeObject): boolean {
  return conditionOf(statusOf(pod), 'Ready')?.['status'] === 'True'
}

export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}
