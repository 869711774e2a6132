import { asPod, isDeleting, isTerminal, PODS, type Pod } from '../pod.ts'
import type { Instant } from '../time.ts'
import { advance, begin, nextChange, readyAt, stop, type Life } from './life.ts'
import { missingNeed } from './needs.ts'
import { missingReference, type Missing } from './references.ts'
import { bind, requestDelete, writeStatus } from './requests.ts'
import { surroundingsOf, type Here, type KubeletState, type Played } from './state.ts'
import { statusOf, unscheduledStatus, waitingStatus, withDisruption } from './status.ts'

/** What containers end with that stop when they are asked to. */
const SIGTERM = 143

/** Something is due for a pod: its start, the end of a container, the end of its grace period. */
export function look(state: KubeletState, uid: string, here: Here): void {
  const { io } = here
  const ended = state.ended.get(uid)
  if (ended !== undefined) {
    reportAgain(ended, uid, here)
    return
  }
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

/** A pod that has ended, of which the API server may not have heard. */
function reportAgain(
  {
    namespace,
    name,
    life,
  }: { readonly namespace: string; readonly name: string; readonly life: Life },
  uid: string,
  { io }: Here,
): void {
  const found = io.read.get(PODS, namespace, name)
  if (found?.metadata.uid !== uid) return
  const pod = asPod(found)
  if (!isTerminal(pod)) writeStatus(pod, statusOf(pod, life, io.now), io)
  if (isDeleting(pod)) requestDelete(pod, io, 0)
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
  // No node hears of a pod while the API server is away.
  if (pod.spec.nodeName === undefined && !bind(pod, here.node, io)) return
  const reference = plan.needsReferences === false ? undefined : missingReference(pod, io.read)
  const missing = reference ?? missingNeed(pod, plan, io.read)
  if (missing !== undefined) {
    state.waiting.set(uid, `${missing.kind} ${missing.name}`)
    hold(pod, missing, here)
    return
  }
  state.waiting.delete(uid)
  const fresh = asPod(io.read.get(PODS, played.namespace, played.name) ?? pod)
  const surroundings = surroundingsOf(state, here, played)
  const { hasNativeSidecars } = here
  const life = begin(fresh, plan, io.now, { surroundings, hasNativeSidecars })
  state.played.set(uid, { ...played, life })
  tellOfImages(fresh, undefined, life, here)
  report(state, fresh, life, here)
}

function hold(pod: Pod, { reason, message }: Missing, { io }: Here): void {
  if (reason === 'ContainerCreating') {
    io.event(pod, 'Warning', 'FailedMount', `MountVolume.SetUp failed: ${message}`)
    writeStatus(pod, waitingStatus(pod, { reason }, io.now), io)
    return
  }
  io.event(pod, 'Warning', 'Failed', `Error: ${message}`)
  writeStatus(pod, waitingStatus(pod, { reason, message }, io.now), io)
}

/** One event for each wait; the real one repeats it at each try. */
function tellOfImages(pod: Pod, before: Life | undefined, { pieces }: Life, { io }: Here): void {
  for (const [at, { state, image }] of pieces.entries()) {
    if (state.is !== 'waiting' || state.reason !== 'ImagePullBackOff') continue
    if (before?.pieces[at]?.state === state) continue
    const text = state.message ?? `Back-off pulling image "${image}"`
    const event = text.replace(/^Back-off pulling/, 'Failed to pull').replace(' ErrImagePull:', '')
    io.event(pod, 'Warning', 'Failed', event)
  }
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
  let life = advance(before, io.now, surroundingsOf(state, here, played))
  tellOfImages(pod, before, life, here)
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
  const more = reason === 'TerminationByKubelet' ? { reason: 'Evicted' } : {}
  const isHeard = report(state, marked, life, here, more)
  if (life.outcome !== undefined) return
  // Who ends it asks the API server to, and asks again when that is back.
  if (isHeard) requestDelete(pod, io)
  else state.played.set(uid, { ...played, life })
}

/** Writes what the pod shows now, and plans the next look at it; false when nobody heard. */
function report(
  state: KubeletState,
  pod: Pod,
  life: Life,
  here: Here,
  more: { readonly reason?: string } = {},
): boolean {
  const { io } = here
  const { uid, namespace = '', name } = pod.metadata
  const isHeard = writeStatus(pod, { ...statusOf(pod, life, io.now), ...more }, io)
  if (life.outcome !== undefined) {
    state.played.delete(uid)
    state.ended.set(uid, { namespace, name, life })
    if (isDeleting(pod)) requestDelete(pod, here.io, 0)
    return isHeard
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
    isHeard ? disruptedAt : undefined,
  ].filter((at) => at !== undefined)
  if (waits.length > 0) io.wakeAt(Math.min(...waits), { uid }, uid)
  return isHeard
}

/** A pod that never ran is removed as soon as somebody asks. */
function leave(state: KubeletState, pod: Pod, { io }: Here): void {
  const isAsked = (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0
  if (isAsked && !requestDelete(pod, io, 0)) return
  state.played.delete(pod.metadata.uid)
}
