import type { JsonObject } from '../core/json.ts'
import type { KubeObject, ResourceId } from './object.ts'
import { instantOf, type Instant } from './time.ts'

export const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }

/** A Pod as far as controllers and the kubelet read it. */
export interface Pod extends KubeObject {
  readonly spec: PodSpec
  readonly status?: PodStatus
}

export interface PodSpec extends JsonObject {
  readonly nodeName?: string
  readonly restartPolicy?: string
  readonly hostname?: string
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
}

export interface Container extends JsonObject {
  readonly name: string
  readonly image?: string
  readonly imagePullPolicy?: string
  /** Of an init container: `Always` makes it a native sidecar. */
  readonly restartPolicy?: string
}

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'

export interface PodStatus extends JsonObject {
  readonly phase?: PodPhase
  readonly conditions?: readonly PodCondition[]
  readonly startTime?: string
  readonly initContainerStatuses?: readonly ContainerStatus[]
  readonly containerStatuses?: readonly ContainerStatus[]
}

export interface PodCondition extends JsonObject {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export interface ContainerStatus extends JsonObject {
  readonly name: string
  readonly image: string
  readonly imageID: string
  readonly ready: boolean
  readonly started?: boolean
  readonly restartCount: number
  readonly state: ContainerState
  readonly lastState?: ContainerState
}

export interface ContainerState extends JsonObject {
  readonly waiting?: { readonly reason: string; readonly message?: string }
  readonly running?: { readonly startedAt: string }
  readonly terminated?: Terminated
}

export interface Terminated extends JsonObject {
  readonly exitCode: number
  readonly reason: string
  readonly startedAt?: string
  readonly finishedAt?: string
}

/** The server has judged what it stored, so a stored pod has the form of one. */
export function asPod(object: KubeObject): Pod {
  return object as Pod
}

function phaseOf(pod: Pod): PodPhase {
  return pod.status?.phase ?? 'Pending'
}

export function isTerminal(pod: Pod): boolean {
  const phase = pod.status?.phase
  return phase === 'Succeeded' || phase === 'Failed'
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}

/** Neither ended nor on the way out. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isDeleting(pod)
}

/** On the way out, but still there. */
export function isTerminating(pod: Pod): boolean {
  return !isTerminal(pod) && isDeleting(pod)
}

function podCondition(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type)
}

export function isReady(pod: Pod): boolean {
  return podCondition(pod, 'Ready')?.status === 'True'
}

/**
 * When a pod ended, as controllers reckon it: the last end of its containers and native sidecars
 * when all have ended, else since when it is not ready, else when its deletion was asked for, else
 * its creation. Whole seconds, as every time of the API.
 */
export function finishedAt(pod: Pod): Instant {
  const ended = endOfContainers(pod)
  if (ended !== undefined) return ended
  const ready = podCondition(pod, 'Ready')
  if (ready?.status === 'False' && ready.lastTransitionTime !== undefined) {
    return instantOf(ready.lastTransitionTime)
  }
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata
  if (deletionTimestamp !== undefined) {
    return instantOf(deletionTimestamp) - deletionGracePeriodSeconds * 1000
  }
  return instantOf(creationTimestamp)
}

/** Undefined while one of them has not ended, and when none was ever reported. */
function endOfContainers(pod: Pod): Instant | undefined {
  const sidecars = new Set<string>()
  for (const container of pod.spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') sidecars.add(container.name)
  }
  const main = latestEnd(pod.status?.containerStatuses ?? [])
  if (sidecars.size === 0) return main
  const statuses = (pod.status?.initContainerStatuses ?? []).filter(({ name }) =>
    sidecars.has(name),
  )
  if (statuses.length === 0) return main
  const beside = latestEnd(statuses)
  // A sidecar that has not ended leaves the end open, whatever the others did.
  if (beside === undefined) return undefined
  return main === undefined ? beside : Math.max(main, beside)
}

function latestEnd(statuses: readonly ContainerStatus[]): Instant | undefined {
  let latest: Instant | undefined
  for (const { state } of statuses) {
    const finished = state.terminated?.finishedAt
    if (finished === undefined) return undefined
    latest = Math.max(latest ?? 0, instantOf(finished))
  }
  return latest
}

/**
 * Which of two active pods goes first when there are too many: without a node before with one,
 * pending before running, not ready before ready, ready since short before since long, more restarts
 * before fewer, younger before older. Zero: either.
 */
export function byRemoval(one: Pod, other: Pod): number {
  const placed = Number(hasNode(one)) - Number(hasNode(other))
  if (placed !== 0) return placed
  const phase = PHASE_ORDER[phaseOf(one)] - PHASE_ORDER[phaseOf(other)]
  if (phase !== 0) return phase
  const ready = Number(isReady(one)) - Number(isReady(other))
  if (ready !== 0) return ready
  return (
    readySince(other) - readySince(one) ||
    mostRestarts(other) - mostRestarts(one) ||
    instantOf(other.metadata.creationTimestamp) - instantOf(one.metadata.creationTimestamp)
  )
}

const PHASE_ORDER: Readonly<Record<PodPhase, number>> = {
  Pending: 0,
  Unknown: 1,
  Running: 2,
  Succeeded: 2,
  Failed: 2,
}

function hasNode(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== ''
}

/** Ready without saying since when counts as the youngest. */
function readySince(pod: Pod): Instant {
  const ready = podCondition(pod, 'Ready')
  if (ready?.status !== 'True') return 0
  return ready.lastTransitionTime === undefined ? Infinity : instantOf(ready.lastTransitionTime)
}

function mostRestarts(pod: Pod): number {
  let most = 0
  for (const { restartCount } of pod.status?.containerStatuses ?? []) {
    most = Math.max(most, restartCount)
  }
  return most
}
