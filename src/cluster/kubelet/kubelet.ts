import type { Actor } from '../actor.ts'
import type { WatchEvent } from '../api/request.ts'
import type { KubeObject } from '../object.ts'
import { asPod, isDeleting, isTerminal, PODS, type Pod } from '../pod.ts'
import { instantOf, type Instant } from '../time.ts'
import { countAttempt } from './attempts.ts'
import { begin } from './life.ts'
import { look } from './look.ts'
import type { Registry } from './registry.ts'
import type { PodScript } from './script.ts'
import {
  copyState,
  emptyState,
  surroundingsOf,
  type Here,
  type KubeletState,
  type KubeletWake,
} from './state.ts'

export interface KubeletOptions {
  /** Default `node-1`: where all pods run. */
  readonly node?: string
  /** Left out: every image is there, and its content is not told. */
  readonly registry?: Registry
  /** Kubernetes 1.x; before 29 nobody knew native sidecars. */
  readonly minor?: number
}

/** A request to stop is noticed three times as fast as a pod is started (10 ms against 30). */
const STOP_SHARE = 1 / 3

/**
 * Scheduler and kubelet in one: places pods and plays them as the script says. A pod that runs for a
 * year costs two wakes, one to start and one to end. A deleted pod stops when its plan says, at the
 * latest after its grace period, reports how it ended, and is then removed.
 * While the API server is away containers run on, and their ends are reported when it is back (K-91).
 */
export function kubelet(
  script: PodScript,
  options: KubeletOptions = {},
): Actor<KubeletState, KubeletWake> {
  const { node = 'node-1', registry, minor = 36 } = options
  const given = { script, node, registry, hasNativeSidecars: minor >= 29 }
  return {
    name: 'kubelet',
    begin: (io) => beginAll({ io, ...given }),
    observe: (state, event, io) => observe(state, event, { io, ...given }),
    wake: (state, { uid }, io) => look(state, uid, { io, ...given }),
    copy: copyState,
    relist(state, io) {
      for (const known of [state.played, state.ended]) {
        for (const uid of known.keys()) io.wakeAt(io.now, { uid }, uid)
      }
    },
  }
}

/** After a restart running pods go on from the start that they reported, in whole seconds. */
function beginAll(here: Here): KubeletState {
  const state = emptyState()
  const pods = here.io.read.list(PODS).map(asPod)
  const inOrder = pods.toSorted((one, other) => bornAt(one) - bornAt(other))
  for (const pod of inOrder) {
    noteImages(state, pod)
    meet(state, pod, here)
    const { uid } = pod.metadata
    const played = state.played.get(uid)
    const startTime = pod.status?.startTime
    if (played === undefined || pod.status?.phase !== 'Running' || startTime === undefined) continue
    const { hasNativeSidecars } = here
    const surroundings = surroundingsOf(state, here, played)
    const how = { surroundings, hasNativeSidecars }
    state.played.set(uid, { ...played, life: begin(pod, played.plan, instantOf(startTime), how) })
  }
  return state
}

/** The node keeps the images that its pods were started from. */
function noteImages({ images }: KubeletState, { status }: Pod): void {
  for (const { image, imageID } of status?.containerStatuses ?? []) {
    const digest = imageID.slice(imageID.indexOf('@') + 1)
    if (imageID !== '') images.set(image, digest === 'played' ? '' : digest)
  }
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
    state.ended.delete(uid)
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
