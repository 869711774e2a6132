import { integerAt, type JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../object.ts'
import { instantOf, type Instant } from '../time.ts'
import { fenceposts, sizeOf } from './deployment-rollout.ts'
import {
  conditionOf,
  conditionsOf,
  countOf,
  replicasOf,
  statusOf,
  totalOf,
  withCondition,
  withoutCondition,
  type Told,
} from './workload.ts'

export interface Sets {
  readonly all: readonly KubeObject[]
  readonly newSet: KubeObject | undefined
}

/** What the status tells of numbers and of Available; conditions of progress are kept (K-73). */
export function countedStatus(
  deployment: KubeObject,
  { all, newSet }: Sets,
  { now, minor }: { readonly now: Instant; readonly minor: number },
): JsonObject {
  const available = totalOf(all, 'availableReplicas')
  const unavailable = Math.max(0, sizeOf(all) - available)
  const isEnough = available >= replicasOf(deployment) - fenceposts(deployment).missing
  const told: Told = isEnough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
  const old = statusOf(deployment)
  const conditions = withCondition(conditionsOf(old), told, { now, hasUpdateTime: true })
  const { collisionCount } = old
  const terminating = totalOf(all, 'terminatingReplicas')
  const count = (field: string, value: number): JsonObject =>
    value === 0 ? {} : { [field]: value }
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...count('replicas', totalOf(all, 'replicas')),
    ...count('updatedReplicas', newSet === undefined ? 0 : countOf(newSet, 'replicas')),
    ...count('readyReplicas', totalOf(all, 'readyReplicas')),
    ...count('availableReplicas', available),
    ...count('unavailableReplicas', unavailable),
    ...(minor >= 35 ? { terminatingReplicas: terminating } : {}),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions,
  }
}

/** The largest number means: no deadline. */
export function deadlineSeconds(deployment: KubeObject): number | undefined {
  const seconds = integerAt(deployment, ['spec', 'progressDeadlineSeconds'])
  return seconds === undefined || seconds === 2_147_483_647 ? undefined : seconds
}

export function isComplete(deployment: KubeObject, status: JsonObject): boolean {
  const wanted = replicasOf(deployment)
  const at = (field: string): number => integerAt(status, [field]) ?? 0
  return (
    at('updatedReplicas') === wanted &&
    at('replicas') === wanted &&
    at('availableReplicas') === wanted &&
    at('observedGeneration') >= (deployment.metadata.generation ?? 0)
  )
}

/** Adds what is known of the rollout's progress to a counted status (K-73). */
export function withProgress(
  deployment: KubeObject,
  status: JsonObject,
  { sets, now }: { readonly sets: Sets; readonly now: Instant },
): JsonObject {
  let conditions = conditionsOf(status)
  const seconds = deadlineSeconds(deployment)
  const current = conditionOf(statusOf(deployment), 'Progressing')
  if (seconds === undefined) conditions = withoutCondition(conditions, 'Progressing')
  const at = (field: string): number => integerAt(status, [field]) ?? 0
  const isDone =
    at('replicas') === at('updatedReplicas') && current?.['reason'] === 'NewReplicaSetAvailable'
  if (seconds !== undefined && !isDone) {
    const told = progressOf(deployment, status, { sets, now, seconds })
    const isMoving = told?.reason === 'ReplicaSetUpdated'
    if (told !== undefined) {
      const kept = isMoving ? withMoved(conditions, told) : conditions
      conditions = withCondition(kept, told, { now, hasUpdateTime: true })
    }
  }
  return { ...status, conditions: withReplicaFailure(conditions, sets) }
}

/** Progress with the same reason is told anew, so that its update time is that of the progress. */
function withMoved(
  conditions: readonly JsonObject[],
  { type, reason }: Told,
): readonly JsonObject[] {
  return conditions.map((condition) =>
    condition['type'] === type && condition['reason'] === reason
      ? { ...condition, reason: '' }
      : condition,
  )
}

interface Asked {
  readonly sets: Sets
  readonly now: Instant
  readonly seconds: number
}

function progressOf(
  deployment: KubeObject,
  status: JsonObject,
  { sets, now, seconds }: Asked,
): Told | undefined {
  const { newSet } = sets
  const named =
    newSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newSet.metadata.name}"`
  if (isComplete(deployment, status)) {
    const message = `${named} has successfully progressed.`
    return { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message }
  }
  if (isProgressing(statusOf(deployment), status)) {
    const message = `${named} is progressing.`
    return { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message }
  }
  if (!isTimedOut(deployment, now, seconds)) return undefined
  const message = `${named} has timed out progressing.`
  return { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message }
}

function isProgressing(old: JsonObject, next: JsonObject): boolean {
  const at = (status: JsonObject, field: string): number => integerAt(status, [field]) ?? 0
  const oldOnes = (status: JsonObject): number =>
    at(status, 'replicas') - at(status, 'updatedReplicas')
  return (
    at(next, 'updatedReplicas') > at(old, 'updatedReplicas') ||
    oldOnes(next) < oldOnes(old) ||
    at(next, 'readyReplicas') > at(old, 'readyReplicas') ||
    at(next, 'availableReplicas') > at(old, 'availableReplicas')
  )
}

function isTimedOut(deployment: KubeObject, now: Instant, seconds: number): boolean {
  const current = conditionOf(statusOf(deployment), 'Progressing')
  const reason = current?.['reason']
  if (current === undefined || reason === 'NewReplicaSetAvailable') return false
  if (reason === 'ProgressDeadlineExceeded') return true
  return updatedAt(current) + seconds * 1000 < now
}

/** When to look whether the deadline has passed; undefined when there is nothing to wait for. */
export function deadlineAt(deployment: KubeObject, now: Instant): Instant | undefined {
  const seconds = deadlineSeconds(deployment)
  const status = statusOf(deployment)
  const current = conditionOf(status, 'Progressing')
  if (seconds === undefined || current === undefined) return undefined
  if (isComplete(deployment, status)) return undefined
  if (current['reason'] === 'ProgressDeadlineExceeded') return undefined
  const at = updatedAt(current) + seconds * 1000
  return at - now < 1000 ? now + 1000 : at + 1000
}

function updatedAt(condition: JsonObject): Instant {
  const time = condition['lastUpdateTime']
  return typeof time === 'string' ? instantOf(time) : 0
}

/** What keeps a ReplicaSet from creating pods is told by the Deployment, too. */
function withReplicaFailure(
  conditions: readonly JsonObject[],
  { all, newSet }: Sets,
): readonly JsonObject[] {
  const sets = newSet === undefined ? all : [newSet, ...all]
  for (const set of sets) {
    const failure = conditionOf(statusOf(set), 'ReplicaFailure')
    if (failure === undefined) continue
    const { lastTransitionTime } = failure
    const before = conditions.find(({ type }) => type === 'ReplicaFailure')
    if (before?.['reason'] === failure['reason']) return conditions
    const told = { ...failure, lastUpdateTime: lastTransitionTime }
    return [...withoutCondition(conditions, 'ReplicaFailure'), told]
  }
  return withoutCondition(conditions, 'ReplicaFailure')
}
