import { equal } from '../../fields/equal.ts'
import type { WatchEvent } from '../../api/request.ts'
import { controllerOf } from '../../object.ts'
import { asPod, isDeleting, type Pod } from '../../pod.ts'
import { instantOf } from '../../time.ts'
import { ownPods } from './claim.ts'
import { asJob, isFinished, JOBS, keyOf, type Job } from './job.ts'
import {
  batched,
  freeAllOf,
  freeSoon,
  jobOf,
  later,
  orphansIn,
  soon,
  type Here,
  type JobControllerState,
} from './memory.ts'
import { isTracked } from './pods.ts'
import { selects } from './selector.ts'

/** K-16: which sync an event asks for. */
export function observe(state: JobControllerState, event: WatchEvent, here: Here): void {
  const { resource } = event.resource
  if (resource === 'pods' && event.resource.group === '') observePod(state, event, here)
  if (resource === 'jobs' && event.resource.group === 'batch') observeJob(state, event, here)
}

function observeJob(state: JobControllerState, event: WatchEvent, here: Here): void {
  const job = asJob(event.object)
  if (event.type === 'DELETED') {
    state.backoffs.delete(keyOf(job))
    state.refusals.delete(keyOf(job))
    freeAllOf(state, job, here)
    return
  }
  if (event.before === undefined) {
    soon(state, job, here)
    return
  }
  if (isFinished(job)) {
    state.backoffs.delete(keyOf(job))
    if (needsFreeing(state, job, here)) freeAllOf(state, job, here)
    return
  }
  const before = asJob(event.before)
  if (job.metadata.generation === before.metadata.generation) batched(state, job, here)
  else soon(state, job, here)
  const { activeDeadlineSeconds } = job.spec
  const startTime = job.status?.startTime
  if (startTime === undefined || activeDeadlineSeconds === undefined) return
  if (activeDeadlineSeconds === before.spec.activeDeadlineSeconds) return
  const deadline = instantOf(startTime) + activeDeadlineSeconds * 1000
  if (deadline > here.io.now) later(state, job, deadline, here)
  else soon(state, job, here)
}

function observePod(state: JobControllerState, event: WatchEvent, here: Here): void {
  const pod = asPod(event.object)
  noteOrphan(state, pod, event.type === 'DELETED')
  if (event.type === 'DELETED' || isDeleting(pod)) {
    podLeaves(state, pod, here)
    return
  }
  if (event.before === undefined) {
    podAppeared(state, pod, here)
    return
  }
  const before = controllerOf(event.before)
  const owner = controllerOf(pod)
  const hasNewOwner = before?.uid !== owner?.uid
  if (hasNewOwner && before !== undefined) {
    const job = jobOf(event.before, here.io)
    if (job !== undefined) batched(state, job, here)
  }
  if (owner !== undefined) {
    const job = jobOf(pod, here.io)
    if (job !== undefined) batched(state, job, here)
    return
  }
  if (isTracked(pod)) freeSoon(state, pod, here)
  if (hasNewOwner || !sameLabels(pod, asPod(event.before))) wakeAdopters(state, pod, here)
}

/** A pod is new, or new to a controller that has just started. */
export function podAppeared(state: JobControllerState, pod: Pod, here: Here): void {
  noteOrphan(state, pod, false)
  if (isDeleting(pod)) {
    podLeaves(state, pod, here)
    return
  }
  if (controllerOf(pod) !== undefined) {
    const job = jobOf(pod, here.io)
    if (job !== undefined) batched(state, job, here)
    return
  }
  if (isTracked(pod)) freeSoon(state, pod, here)
  wakeAdopters(state, pod, here)
}

/** A pod is being deleted, or gone. */
function podLeaves(state: JobControllerState, pod: Pod, here: Here): void {
  const job = controllerOf(pod) === undefined ? undefined : jobOf(pod, here.io)
  if (job === undefined || isFinished(job)) {
    if (isTracked(pod)) freeSoon(state, pod, here)
    return
  }
  batched(state, job, here)
}

function noteOrphan(state: JobControllerState, pod: Pod, isGone: boolean): void {
  const { namespace = '', name } = pod.metadata
  const isOrphan = !isGone && controllerOf(pod) === undefined
  if (isOrphan === (state.orphans.get(namespace)?.has(name) ?? false)) return
  const mine = state.orphans.own(namespace, (names) => new Map(names))
  if (!isOrphan) mine?.delete(name)
  else if (mine === undefined) state.orphans.set(namespace, new Map([[name, true]]))
  else mine.set(name, true)
}

/** A pod without a controller may fit a Job's selector: that Job adopts it. */
function wakeAdopters(state: JobControllerState, pod: Pod, here: Here): void {
  if (pod.metadata.labels === undefined) return
  for (const object of here.io.read.list(JOBS, pod.metadata.namespace)) {
    const job = asJob(object)
    if (selects(job.spec.selector, pod.metadata.labels)) batched(state, job, here)
  }
}

function sameLabels(one: Pod, other: Pod): boolean {
  return equal(one.metadata.labels, other.metadata.labels)
}

function needsFreeing(state: JobControllerState, job: Job, { io }: Here): boolean {
  if (ownPods(job, io.read).some(isTracked)) return true
  const { namespace = '' } = job.metadata
  return orphansIn(state, namespace, io).some(
    (pod) => isTracked(pod) && selects(job.spec.selector, pod.metadata.labels),
  )
}
