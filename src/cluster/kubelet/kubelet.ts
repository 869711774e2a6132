import type { Actor, Io } from '../actor.ts'
import { CowMap } from '../api/cow-map.ts'
import type { WatchEvent } from '../api/request.ts'
import type { KubeObject } from '../object.ts'
import { asPod, isDeleting, isTerminal, PODS, type Pod } from '../pod.ts'
import { instantOf, type Instant } from '../time.ts'
import { countAttempt, type AllAttempts } from './attempts.ts'
import { advance, begin, nextChange, readyAt, stop, type Life } from './life.ts'
import { missingReference } from './references.ts'
import { bind, requestDelete, writeStatus } from './requests.ts'
import type { PodPlan, PodScript } from './script.ts'
import { statusOf, unscheduledStatus, waitingStatus, withDisruption } from './status.ts'

export interface KubeletOptions {
  /** Default `node-1`: where all pods run. */
  readonly node?: string
}

/** Pods that have not ended, by uid, and how many pods each owner has had. */
export interface KubeletState {
  readonly played: CowMap<string, Played>
  readonly attempts: AllAttempts
  /** Pods that nothing happens to until an object appears: `ConfigMap settings`. */
  readonly waiting: CowMap<string, string>
}

export interface Played {
  readonly namespace: string
  readonly name: string
  readonly plan: PodPlan
  readonly seenAt: Instant
  /** Undefined until its containers run. */
  readonly life?: Life
  /** It is being deleted, and has stopped by then. */
  readonly stopAt?: Instant
  readonly isDisrupted?: boolean
}

export interface KubeletWake {
  readonly uid: string
}

/** What containers end with that stop when they are asked to. */
const SIGTERM = 143
/** A request to stop is noticed three times as fast as a pod is started (10 ms against 30). */
const STOP_SHARE = 1 / 3

/**
 * Scheduler and kubelet in one: places pods and plays them as the script says. A pod that runs for a
 * year costs two wakes, one to start and one to end. A deleted pod stops when its plan says, at the
 * latest after its grace period, reports how it ended, and is then removed.
 */
export function kubelet(
  script: PodScript,
  { node = 'node-1' }: KubeletOptions = {},
): Actor<KubeletState, KubeletWake> {
  return {
    name: 'kubelet',
    begin: (io) => beginAll({ io, script, node }),
    observe: (state, event, io) => observe(state, event, { io, script, node }),
    wake: (state, { uid }, io) => look(state, uid, { io, script, node }),
    copy: ({ played, attempts, waiting }) => ({
      played: played.copy(),
      attempts: attempts.copy(),
      waiting: waiting.copy(),
    }),
  }
}

interface Here {
  readonly io: Io<KubeletWake>
  readonly script: PodScript
  readonly node: string
}

/** After a restart running pods go on from the start that they reported, in whole seconds. */
function beginAll(here: Here): KubeletState {
  const state: KubeletState = {
    played: new CowMap(),
    attempts: new CowMap(),
    waiting: new CowMap(),
  }
  const pods = here.io.read.list(PODS).map(asPod)
  const inOrder = pods.toSorted((one, other) => bornAt(one) - bornAt(other))
  for (const pod of inOrder) {
    meet(state, pod, here)
    const { uid } = pod.metadata
    const played = state.played.get(uid)
    const startTime = pod.status?.startTime
    if (played === undefined || pod.status?.phase !== 'Running' || startTime === undefined) continue
    state.played.set(uid, { ...played, life: begin(pod, played.plan, instantOf(startTime)) })
  }
  return state
}

function bornAt(pod: Pod): Instant {
  return instantOf(pod.metadata.creationTimestamp)
}

function observe(state: KubeletState, event: WatchEvent, here: Here): void {
  const { object, before, type, resource } = event
  const { uid } = object.metadata
  if (type === 'DELETED') {
    state.attempts.delete(uid)
    state.waiting.delete(uid)
    if (state.played.delete(uid)) here.io.cancel(uid)
    return
  }
  if (resource.group !== '') return
  if (resource.resource === 'configmaps' || resource.resource === 'secrets') {
    if (before === undefined) wakeWaiting(state, object, here)
    return
  }
  if (resource.resource !== 'pods') return
  const pod = asPod(object)
  if (before === undefined) meet(state, pod, here)
  else if (isDeleting(pod) && deadlineOf(pod) !== deadlineOf(asPod(before)))
    askToStop(state, pod, here)
}

/** A new pod: its plan is asked for, and its start planned. */
function meet(state: KubeletState, pod: Pod, here: Here): void {
  const { io, script } = here
  const { uid, namespace = '', name } = pod.metadata
  const { attempt, attemptOfIndex } = countAttempt(state.attempts, pod)
  if (isTerminal(pod)) return
  const plan = script.plan(pod, attempt, attemptOfIndex)
  state.played.set(uid, { namespace, name, plan, seenAt: io.now })
  io.wakeAt(io.now + io.latencies.podStart + (plan.startMs ?? 0), { uid }, uid)
  if (isDeleting(pod)) askToStop(state, pod, here)
}

function wakeWaiting(state: KubeletState, object: KubeObject, { io }: Here): void {
  const { namespace = '', name } = object.metadata
  for (const uid of state.waiting.keys()) {
    const played = state.played.get(uid)
    if (played?.namespace !== namespace) continue
    if (state.waiting.get(uid) === `${object.kind} ${name}`) io.wakeAt(io.now, { uid }, uid)
  }
}

/** When the grace period of a deletion is over. */
function deadlineOf(pod: Pod): Instant | undefined {
  const { deletionTimestamp } = pod.metadata
  return deletionTimestamp === undefined ? undefined : instantOf(deletionTimestamp)
}

function askToStop(state: KubeletState, pod: Pod, { io }: Here): void {
  const { uid, deletionGracePeriodSeconds = 0 } = pod.metadata
  const played = state.played.get(uid)
  if (played === undefined) return
  const { plan, life } = played
  const neededMs = life === undefined ? 0 : (plan.stopMs ?? 0)
  const stopAt =
    io.now +
    io.latencies.podStart * STOP_SHARE +
    Math.min(neededMs, deletionGracePeriodSeconds * 1000)
  state.played.set(uid, { ...played, stopAt: Math.min(stopAt, played.stopAt ?? Infinity) })
  io.wakeAt(stopAt, { uid }, uid)
}

function look(state: KubeletState, uid: string, here: Here): void {
  const { io } = here
  const played = state.played.get(uid)
  if (played === undefined) return
  const found = io.read.get(PODS, played.namespace, played.name)
  if (found?.metadata.uid !== uid) {
    state.played.delete(uid)
    return
  }
  const pod = asPod(found)
  const isStopping = played.stopAt !== undefined && played.stopAt <= io.now
  if (played.life !== undefined) goOn(state, pod, played.life, here)
  else if (isStopping) leave(state, pod, here)
  else if (played.stopAt === undefined) start(state, pod, played, here)
}

function start(state: KubeletState, pod: Pod, played: Played, here: Here): void {
  const { io } = here
  const { plan, seenAt } = played
  const { uid } = pod.metadata
  const refusal = plan.unschedulable
  const placedAt = seenAt + (refusal?.forMs ?? (refusal === undefined ? 0 : Infinity))
  if (refusal !== undefined && io.now < placedAt) {
    writeStatus(pod, unscheduledStatus(pod, refusal.message, io.now), io)
    if (Number.isFinite(placedAt)) io.wakeAt(placedAt, { uid }, uid)
    return
  }
  if (pod.spec.nodeName === undefined) bind(pod, here.node, io)
  const missing = plan.needsReferences === false ? undefined : missingReference(pod, io.read)
  if (missing !== undefined) {
    const { kind, name, reason, message } = missing
    state.waiting.set(uid, `${kind} ${name}`)
    if (reason === 'ContainerCreating') {
      const text = `MountVolume.SetUp failed: ${message}`
      io.event(pod, 'Warning', 'FailedMount', text)
      writeStatus(pod, waitingStatus(pod, { reason }, io.now), io)
    } else {
      io.event(pod, 'Warning', 'Failed', `Error: ${message}`)
      writeStatus(pod, waitingStatus(pod, { reason, message }, io.now), io)
    }
    return
  }
  state.waiting.delete(uid)
  const fresh = asPod(io.read.get(PODS, played.namespace, played.name) ?? pod)
  const life = begin(fresh, plan, io.now)
  state.played.set(uid, { ...played, life })
  report(state, fresh, life, here)
}

/** Asked to stop, containers take the time that their plan says, whatever they were doing. */
function stopping(state: KubeletState, pod: Pod, stopAt: Instant, here: Here): void {
  const { io } = here
  const { uid } = pod.metadata
  const played = state.played.get(uid)
  if (played?.life === undefined) return
  if (stopAt > io.now) {
    io.wakeAt(stopAt, { uid }, uid)
    return
  }
  const life = stop(played.life, io.now, SIGTERM)
  state.played.set(uid, { ...played, life })
  report(state, pod, life, here)
}

/** Time has passed for a running pod. */
function goOn(state: KubeletState, pod: Pod, before: Life, here: Here): void {
  const { io } = here
  const { uid } = pod.metadata
  const played = state.played.get(uid)
  if (played === undefined) return
  if (played.stopAt !== undefined) {
    stopping(state, pod, played.stopAt, here)
    return
  }
  let life = advance(before, io.now)
  const { disruption } = played.plan
  const isDisrupted =
    disruption !== undefined &&
    played.isDisrupted !== true &&
    life.outcome === undefined &&
    life.startedAt + disruption.afterMs <= io.now
  if (!isDisrupted) {
    state.played.set(uid, { ...played, life })
    report(state, pod, life, here)
    return
  }
  const { reason, message } = disruption
  const why = { reason, ...(message === undefined ? {} : { message }) }
  const conditions = withDisruption(pod, why, io.now)
  const marked: Pod = { ...pod, status: { ...pod.status, conditions } }
  if (reason === 'TerminationByKubelet') life = stop(life, io.now, 137)
  state.played.set(uid, { ...played, life, isDisrupted: true })
  report(state, marked, life, here, reason === 'TerminationByKubelet' ? { reason: 'Evicted' } : {})
  if (life.outcome === undefined) requestDelete(pod, io)
}

/** Writes what the pod shows now, and plans the next look at it. */
function report(
  state: KubeletState,
  pod: Pod,
  life: Life,
  here: Here,
  more: { readonly reason?: string } = {},
): void {
  const { io } = here
  const { uid } = pod.metadata
  writeStatus(pod, { ...statusOf(pod, life, io.now), ...more }, io)
  if (life.outcome !== undefined) {
    state.played.delete(uid)
    if (isDeleting(pod)) requestDelete(pod, here.io, 0)
    return
  }
  const played = state.played.get(uid)
  const ready = readyAt(life)
  const disruptedAt =
    played?.plan.disruption === undefined || played.isDisrupted === true
      ? undefined
      : life.startedAt + played.plan.disruption.afterMs
  const waits = [
    nextChange(life),
    ready !== undefined && ready > io.now ? ready : undefined,
    disruptedAt,
  ].filter((at) => at !== undefined)
  if (waits.length > 0) io.wakeAt(Math.min(...waits), { uid }, uid)
}

/** A pod that never ran is removed as soon as somebody asks. */
function leave(state: KubeletState, pod: Pod, here: Here): void {
  state.played.delete(pod.metadata.uid)
  if ((pod.metadata.deletionGracePeriodSeconds ?? 0) > 0) requestDelete(pod, here.io, 0)
}
