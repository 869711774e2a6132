import type { Pod } from '../../pod.ts'
import { instantOf } from '../../time.ts'
import { findTrue, type Wanted } from './conditions.ts'
import { failJobMessage, judgeFailure } from './failure-policy.ts'
import { countOf, indexesOf, readIndexes, union, type Indexes } from './indexes.ts'
import { isIndexed, isSuspended, type Job, type JobCondition } from './job.ts'
import { failureCount, hasFailed, isTracked, wantedIndex } from './pods.ts'
import { metSuccessRule } from './success-policy.ts'
import type { Sync } from './sync-state.ts'

/**
 * K-19, K-21, K-22: whether the Job ends for a reason that needs no look at indexes: an end already
 * begun (also one that somebody wrote by hand), a policy that fails it, a limit, the deadline.
 */
export function endOf(sync: Sync): Wanted | undefined {
  const { job, pods, status, rules } = sync
  if (rules.delaysEnd) {
    const met = findTrue(status.conditions, 'SuccessCriteriaMet')
    if (met !== undefined) return wantedOf(met, 'SuccessCriteriaMet')
  }
  const target = findTrue(status.conditions, 'FailureTarget')
  if (target !== undefined) return wantedOf(target, 'Failed')
  const message = failJobMessage(job, pods)
  if (message !== undefined) {
    return { type: 'FailureTarget', status: 'True', reason: 'PodFailurePolicy', message }
  }
  const limit = job.spec.backoffLimit ?? 6
  if (sync.failed > limit || restartsExceed(job, pods, limit)) {
    return failure(sync, 'BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  }
  if (isPastDeadline(sync)) {
    return failure(sync, 'DeadlineExceeded', 'Job was active longer than specified deadline')
  }
  return undefined
}

/** K-19, K-20: whether the indexes end the Job, by failure or by its success policy. */
export function endIndexed(sync: Sync): Wanted | undefined {
  const { job, failedIndexes, succeededIndexes, rules } = sync
  if (!isIndexed(job)) return undefined
  const { maxFailedIndexes, completions = 0 } = job.spec
  if (failedIndexes !== undefined) {
    const failed = countOf(failedIndexes)
    if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
      const text = 'Job has exceeded the specified maximal number of failed indexes'
      return failure(sync, 'MaxFailedIndexesExceeded', text)
    }
    if (failed > 0 && failed + countOf(succeededIndexes) >= completions) {
      return failure(sync, 'FailedIndexes', 'Job has failed indexes')
    }
  }
  if (!rules.knowsSuccessPolicy) return undefined
  const message = metSuccessRule(job, succeededIndexes)
  if (message === undefined) return undefined
  return { type: 'SuccessCriteriaMet', status: 'True', reason: 'SuccessPolicy', message }
}

/** The indexes done before, and with those whose pods have succeeded since. */
export function succeededIndexesOf(
  job: Job,
  pods: readonly Pod[],
): { readonly before: Indexes; readonly now: Indexes } {
  const before = readIndexes(job.status?.completedIndexes, job.spec.completions ?? 0)
  const fresh: number[] = []
  for (const pod of pods) {
    if (pod.status?.phase !== 'Succeeded' || !isTracked(pod)) continue
    const index = wantedIndex(pod, job)
    if (index !== undefined) fresh.push(index)
  }
  return { before, now: union(before, indexesOf(fresh)) }
}

/** The indexes given up, with those that have used up their own limit since. */
export function failedIndexesOf(job: Job, pods: readonly Pod[]): Indexes | undefined {
  if (job.spec.backoffLimitPerIndex === undefined) return undefined
  const before = readIndexes(job.status?.failedIndexes, job.spec.completions ?? 0)
  const fresh: number[] = []
  for (const pod of pods) {
    const index = wantedIndex(pod, job)
    if (index !== undefined && isTracked(pod) && givesUpIndex(job, pod)) fresh.push(index)
  }
  return union(before, indexesOf(fresh))
}

function givesUpIndex(job: Job, pod: Pod): boolean {
  if (!hasFailed(pod, job)) return false
  const { action, counts } = judgeFailure(job, pod)
  if (action === 'FailIndex') return true
  return counts && failureCount(pod) >= (job.spec.backoffLimitPerIndex ?? 0)
}

function failure({ rules }: Sync, reason: string, message: string): Wanted {
  return { type: rules.delaysEnd ? 'FailureTarget' : 'Failed', status: 'True', reason, message }
}

function wantedOf({ reason, message }: JobCondition, type: string): Wanted {
  return {
    type,
    status: 'True',
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }
}

/** With OnFailure the restarts of containers count; the limits 0 and 1 are the same. */
function restartsExceed(job: Job, pods: readonly Pod[], limit: number): boolean {
  if (job.spec.template.spec.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue
    for (const one of status.initContainerStatuses ?? []) restarts += one.restartCount
    for (const one of status.containerStatuses ?? []) restarts += one.restartCount
  }
  return limit === 0 ? restarts > 0 : restarts >= limit
}

function isPastDeadline({ job, status, now }: Sync): boolean {
  const { activeDeadlineSeconds } = job.spec
  if (activeDeadlineSeconds === undefined || isSuspended(job)) return false
  if (status.startTime === undefined) return false
  return now - instantOf(status.startTime) >= activeDeadlineSeconds * 1000
}
