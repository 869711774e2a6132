import { isDeleting, isTerminal, type Pod } from '../../pod.ts'
import {
  COMPLETION_INDEX,
  INDEX_FAILURE_COUNT,
  INDEX_IGNORED_FAILURE_COUNT,
  replacesOnlyFailed,
  TRACKING_FINALIZER,
  type Job,
} from './job.ts'

/** The pod is not counted yet: its end still has to reach the Job's status. */
export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING_FINALIZER) === true
}

/**
 * Whether a pod counts as failed. Under the default replacement policy one that is being deleted
 * does so at once, not only when it has stopped.
 */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === 'Failed') return true
  if (replacesOnlyFailed(job)) return false
  return isDeleting(pod) && !isTerminal(pod)
}

/** Undefined for a pod without one, or with something that is no index. */
export function completionIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX]
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined
}

/** The index, if it is one that the Job still wants. */
export function wantedIndex(pod: Pod, job: Job): number | undefined {
  const index = completionIndex(pod)
  return index !== undefined && index < (job.spec.completions ?? 0) ? index : undefined
}

/** Counted failures of the pod's index before this pod. */
export function failureCount(pod: Pod): number {
  return countIn(pod, INDEX_FAILURE_COUNT)
}

/** Failures of the pod's index that a policy ignored. */
export function ignoredFailureCount(pod: Pod): number {
  return countIn(pod, INDEX_IGNORED_FAILURE_COUNT)
}

function countIn(pod: Pod, annotation: string): number {
  const text = pod.metadata.annotations?.[annotation] ?? ''
  const count = /^\+?\d+$/.test(text) ? Number(text) : 0
  return count > 2 ** 31 - 1 ? 0 : count
}
