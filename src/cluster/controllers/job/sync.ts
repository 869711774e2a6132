import type { Reader } from '../../actor.ts'
import { isActive, isReady, isTerminating, type Pod } from '../../pod.ts'
import { instantOf, timestamp, type Instant } from '../../time.ts'
import { nextBackoff, type Backoff } from './backoff.ts'
import { claimPods } from './claim.ts'
import type { JobClient } from './client.ts'
import { withCondition } from './conditions.ts'
import { endIndexed, endOf, failedIndexesOf, succeededIndexesOf } from './end.ts'
import { judgeFailure } from './failure-policy.ts'
import { countOf, NO_INDEXES } from './indexes.ts'
import { isIndexed, isSuspended, type Job } from './job.ts'
import { deleteActivePods, managePods } from './manage.ts'
import { completionIndex, hasFailed, isTracked, wantedIndex } from './pods.ts'
import type { JobRules } from './rules.ts'
import { draftOf, type StatusDraft, type Sync } from './sync-state.ts'
import { delayedPods, track } from './track.ts'

export interface SyncInput {
  readonly now: Instant
  readonly rules: JobRules
  readonly client: JobClient
  readonly read: Reader
  /** Pods of the Job's namespace that no controller has. */
  readonly orphans: readonly Pod[]
  /** Failures so far, as remembered. */
  readonly backoff: Backoff | undefined
  /** Milliseconds in which pod events are gathered; the shortest wait after a failure. */
  readonly batchMs: number
  readonly isFirstTry: boolean
  readonly lookAgainIn: (ms: number) => void
}

export interface SyncResult {
  /** What to remember. */
  readonly backoff: Backoff | undefined
  /** Something was refused: try again, later each time. */
  readonly error?: string
}

/**
 * One sync of one unfinished Job: count what has ended, decide whether the Job has, else create or
 * delete pods, and write it all down. The order of the decisions is the real controller's: an end
 * begun earlier goes on; then reasons to fail; then reasons to succeed; then pods.
 */
export function syncJob(job: Job, input: SyncInput): SyncResult {
  const claim = claimPods(job, input.orphans, input)
  if (claim.error !== undefined) return { backoff: input.backoff, error: claim.error }
  const sync = begin(job, claim.pods, input)
  const before = draftOf(job.status)
  const { now, status } = sync
  if (status.startTime === undefined && !isSuspended(job)) status.startTime = timestamp(now)
  sync.end = endOf(sync) ?? endIndexed(sync)
  watchDeadline(sync)
  const { error, isSuspensionNew } =
    sync.end === undefined ? goOn(sync) : { error: goDown(sync), isSuspensionNew: false }
  status.active = sync.active
  status.ready = sync.ready
  status.terminating = sync.terminating
  const isChanged =
    isSuspensionNew ||
    before.active !== status.active ||
    before.ready !== status.ready ||
    before.terminating !== status.terminating
  const tracked = track(sync, isChanged)
  return {
    backoff: tracked.isWritten ? sync.backoff : input.backoff,
    ...withError(tracked.error ?? error),
  }
}

function withError(error: string | undefined): { readonly error?: string } {
  return error === undefined ? {} : { error }
}

function begin(job: Job, pods: readonly Pod[], input: SyncInput): Sync {
  const status = draftOf(job.status)
  const activePods = pods.filter(isActive)
  const { succeeded, failed } = newlyEnded(job, pods, status)
  const counted = failed.filter((pod) => judgeFailure(job, pod).counts)
  const indexes = isIndexed(job) ? succeededIndexesOf(job, pods) : undefined
  const failedIndexes = isIndexed(job) ? failedIndexesOf(job, pods) : undefined
  const succeededIndexes = indexes?.now ?? NO_INDEXES
  return {
    now: input.now,
    rules: input.rules,
    client: input.client,
    job,
    status,
    pods: isIndexed(job) ? byIndex(pods) : pods,
    activePods,
    active: activePods.length,
    ready: activePods.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded:
      indexes === undefined
        ? status.succeeded + succeeded.length + status.uncountedSucceeded.length
        : countOf(indexes.now),
    failed: status.failed + counted.length + status.uncountedFailed.length,
    backoff: nextBackoff(input.backoff, succeeded, failed),
    succeededBefore: indexes?.before ?? NO_INDEXES,
    succeededIndexes,
    failedIndexes,
    delayed: delayedPods(job, pods, activePods, { succeededIndexes, failedIndexes }),
    end: undefined,
    batchMs: input.batchMs,
    isFirstTry: input.isFirstTry,
    lookAgainIn: input.lookAgainIn,
  }
}

/** Pods that have ended and are neither counted nor on the way to it. */
function newlyEnded(
  job: Job,
  pods: readonly Pod[],
  status: StatusDraft,
): { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] } {
  const succeeded: Pod[] = []
  const failed: Pod[] = []
  for (const pod of pods) {
    if (!isTracked(pod)) continue
    if (isIndexed(job) && wantedIndex(pod, job) === undefined) continue
    const { uid } = pod.metadata
    if (pod.status?.phase === 'Succeeded') {
      if (!status.uncountedSucceeded.includes(uid)) succeeded.push(pod)
    } else if (hasFailed(pod, job) && !status.uncountedFailed.includes(uid)) {
      failed.push(pod)
    }
  }
  return { succeeded, failed }
}

/** K-19: the Job is looked at again when its deadline has come. */
function watchDeadline(sync: Sync): void {
  const { job, status, now, end } = sync
  const { activeDeadlineSeconds } = job.spec
  if (end !== undefined || activeDeadlineSeconds === undefined || isSuspended(job)) return
  if (status.startTime === undefined) return
  sync.lookAgainIn(instantOf(status.startTime) + activeDeadlineSeconds * 1000 - now)
}

/** The Job ends: what still runs is stopped. It has not ended as long as that is refused. */
function goDown(sync: Sync): string | undefined {
  const deleted = deleteActivePods(sync)
  if (deleted.count !== sync.active) sync.end = undefined
  sync.active -= deleted.count
  sync.terminating += deleted.count
  sync.ready -= deleted.ready
  return deleted.error
}

interface WentOn {
  readonly error: string | undefined
  readonly isSuspensionNew: boolean
}

function goOn(sync: Sync): WentOn {
  const { job, rules } = sync
  const isLeaving = job.metadata.deletionTimestamp !== undefined
  // K-15: no pods for a Job that is being deleted.
  const error = isLeaving ? undefined : managePods(sync)
  if (isComplete(sync)) {
    sync.end = {
      type: rules.delaysEnd ? 'SuccessCriteriaMet' : 'Complete',
      status: 'True',
      ...(rules.knowsSuccessPolicy
        ? { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
        : {}),
    }
    return { error, isSuspensionNew: false }
  }
  return { error, isSuspensionNew: !isLeaving && noteSuspension(sync) }
}

/** K-20: without `completions` the first success counts, once nothing runs any more. */
function isComplete({ job, active, succeeded }: Sync): boolean {
  const wanted = job.spec.completions ?? 1
  return succeeded >= wanted && active === 0
}

/** K-23; says whether the condition changed. */
function noteSuspension({ job, status, now, client, rules }: Sync): boolean {
  const isOn = isSuspended(job)
  const word = isOn ? 'Suspended' : 'Resumed'
  const message = `Job ${word.toLowerCase()}`
  const wanted = {
    type: 'Suspended',
    status: isOn ? 'True' : 'False',
    reason: `Job${word}`,
  } as const
  const conditions = withCondition(status.conditions, { ...wanted, message }, now)
  if (conditions === status.conditions) return false
  status.conditions = conditions
  client.event(job, 'Normal', word, message)
  const trigger = { kind: 'request', words: `spec.suspend became ${isOn}` } as const
  client.cause(job, { rule: 'K-23', effect: `${word.toLowerCase()} Job`, trigger })
  // The deadline counts from the resumption.
  if (!isOn) status.startTime = timestamp(now)
  else if (rules.clearsStartTime) status.startTime = undefined
  return true
}

function byIndex(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted(
    (one, other) => (completionIndex(one) ?? -1) - (completionIndex(other) ?? -1),
  )
}
