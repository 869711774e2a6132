import { integerAt, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Actor, Io } from '../actor.ts'
import { succeeded, type WatchEvent } from '../api/request.ts'
import type { Rules } from '../api/kind.ts'
import { equal } from '../fields/index.ts'
import { controllerOf, type KubeObject, type ResourceId } from '../object.ts'
import { instantOf, type Instant } from '../time.ts'
import { keyedController, later, soon, type QueueState, type QueueWake } from './keyed-queue.ts'
import {
  AS_CONTROLLER,
  conditionOf,
  conditionsOf,
  controlledBy,
  isReady,
  messageOf,
  ownerReferenceTo,
  put,
  replicasOf,
  REPLICASETS,
  statusOf,
  withCondition,
  withoutCondition,
} from './workload.ts'

/**
 * The ReplicaSet controller (K-74): as many pods as `replicas` says, counting those that have not
 * ended and are not being deleted. Surplus ones go in the order of least loss. It adopts no pods.
 */
export function replicaSetController(rules: Rules): Actor<QueueState, QueueWake> {
  return keyedController({
    name: REPLICASET_CONTROLLER,
    resource: REPLICASETS,
    observe,
    sync: (set, io, key) => sync({ io, rules }, set, key),
  })
}

const REPLICASET_CONTROLLER = 'replicaset-controller'
const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }
/** At most so many pods are created or deleted at once. */
const BURST = 500

interface At {
  readonly io: Io<QueueWake>
  readonly rules: Rules
}

function observe(state: QueueState, { resource, object }: WatchEvent, io: Io<QueueWake>): void {
  if (resource.group !== '' || resource.resource !== 'pods') return
  const owner = controllerOf(object)
  if (owner?.kind !== 'ReplicaSet') return
  const set = io.read.get(REPLICASETS, object.metadata.namespace, owner.name)
  if (set?.metadata.uid === owner.uid) soon(state, set, io)
}

function sync(at: At, set: KubeObject, key: string): boolean {
  const { io } = at
  const pods = controlledBy(io, set, 'Pod')
  const active = pods.filter((pod) => !isEnded(pod) && pod.metadata.deletionTimestamp === undefined)
  const isDying = set.metadata.deletionTimestamp !== undefined
  const fault = isDying ? undefined : manage(io, set, active)
  const terminating = pods.length - active.length - pods.filter(isEnded).length
  const status = nextStatus(at, { set, active, terminating, fault })
  const isWritten =
    equal(status, statusOf(set)) || succeeded(put(io, REPLICASETS, { ...set, status }, 'status'))
  if (fault !== undefined || !isWritten) return false
  const next = nextAvailable(set, active, io.now)
  if (next !== undefined) later(key, next, io)
  return true
}

/** The refusal, if there was one; the rest of the batch is left out then. */
function manage(
  io: Io<QueueWake>,
  set: KubeObject,
  active: readonly KubeObject[],
): string | undefined {
  const surplus = active.length - replicasOf(set)
  if (surplus > 0)
    return deletePods(io, set, inOrderOfLoss(active).slice(0, Math.min(surplus, BURST)))
  for (let count = Math.min(-surplus, BURST); count > 0; count -= 1) {
    const fault = createPod(io, set)
    if (fault !== undefined) return fault
  }
  return undefined
}

function createPod(io: Io<QueueWake>, set: KubeObject): string | undefined {
  const { name, namespace = '' } = set.metadata
  const { labels, annotations } = objectAt(set, ['spec', 'template', 'metadata']) ?? {}
  const answer = io.request({
    verb: 'create',
    resource: PODS,
    namespace,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: `${name}-`,
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
        ownerReferences: [ownerReferenceTo(set)],
      },
      spec: objectAt(set, ['spec', 'template', 'spec']) ?? {},
    },
    options: AS_CONTROLLER,
  })
  if (succeeded(answer)) {
    const pod = answer.body.metadata.name
    io.event(set, 'Normal', 'SuccessfulCreate', `Created pod: ${pod}`)
    note(io, 'created pod', `${namespace}/${pod}`)
    return undefined
  }
  if (JSON.stringify(answer.body).includes('NamespaceTerminating')) return undefined
  const message = messageOf(answer)
  io.event(set, 'Warning', 'FailedCreate', `Error creating: ${message}`)
  return message
}

function deletePods(
  io: Io<QueueWake>,
  set: KubeObject,
  pods: readonly KubeObject[],
): string | undefined {
  let fault: string | undefined
  for (const { metadata } of pods) {
    const { name, namespace = '' } = metadata
    const answer = io.request({ verb: 'delete', resource: PODS, namespace, name })
    if (succeeded(answer)) {
      io.event(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`)
      note(io, 'deleted pod', `${namespace}/${name}`)
    } else if (answer.code !== 404) {
      const message = messageOf(answer)
      io.event(set, 'Warning', 'FailedDelete', `Error deleting: ${message}`)
      fault ??= message
    }
  }
  return fault
}

/** Pods without a node first, then waiting ones, unready ones, cheaper ones and younger ones. */
function inOrderOfLoss(pods: readonly KubeObject[]): readonly KubeObject[] {
  const rank = (pod: KubeObject): readonly number[] => [
    stringAt(pod, ['spec', 'nodeName']) === undefined ? 0 : 1,
    PHASES.indexOf(stringAt(pod, ['status', 'phase']) ?? 'Pending'),
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0),
    -readySince(pod),
    -instantOf(pod.metadata.creationTimestamp),
  ]
  const ranked = pods.map((pod) => ({ pod, ranks: rank(pod) }))
  ranked.sort((one, other) => {
    const at = one.ranks.findIndex((value, index) => value !== other.ranks[index])
    return at < 0 ? 0 : (one.ranks[at] ?? 0) - (other.ranks[at] ?? 0)
  })
  return ranked.map(({ pod }) => pod)
}

const PHASES = ['Pending', 'Unknown', 'Running']

function isEnded(pod: KubeObject): boolean {
  const phase = stringAt(pod, ['status', 'phase'])
  return phase === 'Succeeded' || phase === 'Failed'
}

interface Counted {
  readonly set: KubeObject
  readonly active: readonly KubeObject[]
  readonly terminating: number
  readonly fault: string | undefined
}

function nextStatus({ io, rules }: At, { set, active, terminating, fault }: Counted): JsonObject {
  const ready = active.filter(isReady)
  const available = ready.filter((pod) => availableAt(set, pod) <= io.now)
  let conditions = conditionsOf(statusOf(set))
  if (fault === undefined) {
    conditions = withoutCondition(conditions, 'ReplicaFailure')
  } else if (conditionOf(statusOf(set), 'ReplicaFailure') === undefined) {
    const reason = active.length < replicasOf(set) ? 'FailedCreate' : 'FailedDelete'
    const told = { type: 'ReplicaFailure', status: 'True', reason, message: fault } as const
    conditions = withCondition(conditions, told, { now: io.now, hasUpdateTime: false })
  }
  const count = (field: string, value: number): JsonObject =>
    value === 0 ? {} : { [field]: value }
  return {
    replicas: active.length,
    ...count('fullyLabeledReplicas', active.length),
    ...count('readyReplicas', ready.length),
    ...count('availableReplicas', available.length),
    ...(rules.minor >= 35 ? { terminatingReplicas: terminating } : {}),
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  }
}

function readySince(pod: KubeObject): Instant {
  const since = conditionOf(statusOf(pod), 'Ready')?.['lastTransitionTime']
  return typeof since === 'string' ? instantOf(since) : 0
}

function availableAt(set: KubeObject, pod: KubeObject): Instant {
  return readySince(pod) + (integerAt(set, ['spec', 'minReadySeconds']) ?? 0) * 1000
}

/** The next ready pod that becomes available by standing long enough. */
function nextAvailable(
  set: KubeObject,
  active: readonly KubeObject[],
  now: Instant,
): Instant | undefined {
  const waiting = active.filter(isReady).map((pod) => availableAt(set, pod))
  const next = waiting.filter((at) => at > now)
  return next.length === 0 ? undefined : Math.min(...next)
}

function note(io: Io<QueueWake>, effect: string, pod: string): void {
  const object = `Pod ${pod}`
  io.cause({ at: io.now, actor: REPLICASET_CONTROLLER, rule: 'K-74', effect, object })
}
