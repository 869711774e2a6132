import { finishedAt, type Pod } from '../../pod.ts'
import { timestamp } from '../../time.ts'
import { withCondition, condition, findTrue } from './conditions.ts'
import { judgeFailure } from './failure-policy.ts'
import { countOf, hasIndex, indexesOf, union, writeIndexes, type Indexes } from './indexes.ts'
import { asJob, isIndexed, type Job } from './job.ts'
import {
  completionIndex,
  failureCount,
  hasFailed,
  ignoredFailureCount,
  isTracked,
  wantedIndex,
} from './pods.ts'
import { statusOf, type Sync } from './sync-state.ts'

/** Uids in status at a time, so that a status stays small. */
const MOST_UNCOUNTED = 500

export interface Tracked {
  /** The first write succeeded (or was not needed) and what was reckoned may be remembered. */
  readonly isWritten: boolean
  readonly error?: string
}

/**
 * Counts pods exactly once, whatever fails in between: their uids go into the status, then their
 * finalizers are removed, then the uids become numbers. Last, once nothing is left to count and
 * (K-21) no pod is on its way out, the condition that ends the Job is written.
 */
export function track(sync: Sync, isChanged: boolean): Tracked {
  let mustWrite = isChanged
  const tracked = new Set<string>()
  for (const pod of sync.pods) if (isTracked(pod)) tracked.add(pod.metadata.uid)
  if (countUntracked(sync, tracked)) mustWrite = true
  const listed = listEnded(sync)
  if (listed.isNew) mustWrite = true
  if (noteIndexes(sync, listed.succeededIndexes)) mustWrite = true
  if (announceEnd(sync)) mustWrite = true
  const isWritten = mustWrite
  if (mustWrite) {
    const error = write(sync)
    if (error !== undefined) {
      return {
        isWritten: false,
        error: `tracking status: adding uncounted pods to status: ${error}`,
      }
    }
  }
  const refused = untrackEach(sync, listed.pods, tracked)
  mustWrite = countUntracked(sync, tracked)
  if (refused !== undefined) {
    if (mustWrite) write(sync)
    return { isWritten, error: `tracking status: ${refused}` }
  }
  const isEnded = !listed.isFull && end(sync)
  if (isEnded || mustWrite) {
    const error = write(sync)
    if (error !== undefined) {
      const text = `tracking status: removing uncounted pods from status: ${error}`
      return { isWritten, error: text }
    }
    if (isEnded) announceEnded(sync)
  }
  return { isWritten }
}

interface Listed {
  readonly pods: readonly Pod[]
  readonly succeededIndexes: readonly number[]
  readonly isNew: boolean
  /** More have ended than one sync takes. */
  readonly isFull: boolean
}

/** Pods whose finalizer can go; those that count are entered by uid, or by index. */
function listEnded(sync: Sync): Listed {
  const { job, status } = sync
  const pods: Pod[] = []
  const indexes: number[] = []
  const succeeded = [...status.uncountedSucceeded]
  const failed = [...status.uncountedFailed]
  let isNew = false
  let isFull = false
  for (const pod of sync.pods) {
    if (!isTracked(pod)) continue
    const isFailed = hasFailed(pod, job)
    if (!canUntrack(sync, pod, isFailed)) continue
    pods.push(pod)
    const { uid } = pod.metadata
    const index = wantedIndex(pod, job)
    if (pod.status?.phase === 'Succeeded' && !failed.includes(uid)) {
      if (isIndexed(job)) {
        if (index !== undefined && !hasIndex(sync.succeededBefore, index)) {
          indexes.push(index)
          isNew = true
        }
      } else if (!succeeded.includes(uid)) {
        succeeded.push(uid)
        isNew = true
      }
    } else if (isFailed || isFailing(sync)) {
      const isWanted = !isIndexed(job) || index !== undefined
      if (isWanted && !failed.includes(uid) && judgeFailure(job, pod).counts) {
        failed.push(uid)
        isNew = true
      }
    }
    if (indexes.length + succeeded.length + failed.length >= MOST_UNCOUNTED) {
      isFull = true
      break
    }
  }
  status.uncountedSucceeded = succeeded
  status.uncountedFailed = failed
  return { pods, succeededIndexes: indexes, isNew, isFull }
}

/** In a Job that fails, every pod that has not ended counts as failed. */
function isFailing({ end: wanted }: Sync): boolean {
  return wanted !== undefined && wanted.type !== 'SuccessCriteriaMet'
}

function canUntrack(sync: Sync, pod: Pod, isFailed: boolean): boolean {
  const isEnding = sync.end !== undefined || sync.job.metadata.deletionTimestamp !== undefined
  if (isEnding || pod.status?.phase === 'Succeeded') return true
  if (!isFailed) return false
  const index = completionIndex(pod)
  return index === undefined || sync.delayed.get(index)?.metadata.uid !== pod.metadata.uid
}

/** Uids whose pods carry the finalizer no more become numbers; says whether there were any. */
function countUntracked({ status }: Sync, tracked: ReadonlySet<string>): boolean {
  const succeeded = status.uncountedSucceeded.filter((uid) => tracked.has(uid))
  const failed = status.uncountedFailed.filter((uid) => tracked.has(uid))
  const newSucceeded = status.uncountedSucceeded.length - succeeded.length
  const newFailed = status.uncountedFailed.length - failed.length
  if (newSucceeded === 0 && newFailed === 0) return false
  status.succeeded += newSucceeded
  status.failed += newFailed
  status.uncountedSucceeded = succeeded
  status.uncountedFailed = failed
  return true
}

function noteIndexes(sync: Sync, fresh: readonly number[]): boolean {
  const { job, status } = sync
  if (!isIndexed(job)) return false
  sync.succeededIndexes = union(sync.succeededIndexes, indexesOf(fresh))
  const completed = writeIndexes(sync.succeededIndexes)
  const failed = sync.failedIndexes === undefined ? undefined : writeIndexes(sync.failedIndexes)
  const isChanged = completed !== status.completedIndexes || failed !== status.failedIndexes
  status.succeeded = countOf(sync.succeededIndexes)
  status.completedIndexes = completed
  status.failedIndexes = failed
  return isChanged
}

/** K-21, the first step: the interim condition. From here on `end` is the condition that ends it. */
function announceEnd(sync: Sync): boolean {
  const { status, now, end: wanted } = sync
  if (wanted === undefined) return false
  if (wanted.type === 'FailureTarget') {
    status.conditions = [...status.conditions, condition(wanted, now)]
    sync.end = { ...wanted, type: 'Failed' }
    return true
  }
  if (wanted.type !== 'SuccessCriteriaMet') return false
  const isFirst = findTrue(status.conditions, 'SuccessCriteriaMet') === undefined
  if (isFirst) status.conditions = [...status.conditions, condition(wanted, now)]
  sync.end = { ...wanted, type: 'Complete' }
  return isFirst
}

/** K-21, the second step; says whether the Job has ended. */
function end(sync: Sync): boolean {
  const { status, now, rules, end: wanted } = sync
  if (wanted === undefined) return false
  if (status.uncountedSucceeded.length + status.uncountedFailed.length > 0) return false
  if (rules.delaysEnd && sync.terminating > 0) return false
  status.conditions = withCondition(status.conditions, wanted, now)
  if (wanted.type === 'Complete') status.completionTime = timestamp(now)
  return true
}

function announceEnded({ job, status, client, end: wanted }: Sync): void {
  if (wanted?.type !== 'Complete') {
    client.event(job, 'Warning', wanted?.reason ?? '', wanted?.message ?? '')
    const reason = wanted?.reason ?? ''
    client.cause(job, { rule: 'K-19', effect: `failed: ${reason}`, data: { reason } })
    return
  }
  const { completions } = job.spec
  if (completions !== undefined && status.succeeded > completions) {
    const text = 'Too many succeeded pods running after completion count reached'
    client.event(job, 'Warning', 'TooManySucceededPods', text)
  }
  client.event(job, 'Normal', 'Completed', 'Job completed')
  client.cause(job, { rule: 'K-20', effect: 'completed Job' })
}

function untrackEach(sync: Sync, pods: readonly Pod[], tracked: Set<string>): string | undefined {
  let error: string | undefined
  for (const pod of pods) {
    const refused = sync.client.untrack(pod)
    if (refused === undefined) tracked.delete(pod.metadata.uid)
    else error ??= refused
  }
  return error
}

function write(sync: Sync): string | undefined {
  const written = sync.client.writeStatus(sync.job, statusOf(sync.status))
  if (!('object' in written)) return written.message
  sync.job = asJob(written.object)
  return undefined
}

/**
 * With backoffLimitPerIndex the last failed pod of an index keeps its finalizer until its successor
 * exists: its annotation carries the count of failures over.
 */
export function delayedPods(
  job: Job,
  pods: readonly Pod[],
  activePods: readonly Pod[],
  done: {
    readonly succeededIndexes: Indexes
    readonly failedIndexes: Indexes | undefined
  },
): ReadonlyMap<number, Pod> {
  const delayed = new Map<number, Pod>()
  if (!isIndexed(job) || done.failedIndexes === undefined) return delayed
  const active = new Set(activePods.map(completionIndex))
  for (const pod of pods) {
    const index = wantedIndex(pod, job)
    if (index === undefined || !isTracked(pod) || !hasFailed(pod, job)) continue
    if (active.has(index) || hasIndex(done.succeededIndexes, index)) continue
    if (hasIndex(done.failedIndexes, index)) continue
    const other = delayed.get(index)
    if (other === undefined || isLater(pod, other)) delayed.set(index, pod)
  }
  return delayed
}

function isLater(pod: Pod, other: Pod): boolean {
  const failures = failureCount(pod) + ignoredFailureCount(pod)
  return (
    failures >= failureCount(other) + ignoredFailureCount(other) &&
    finishedAt(pod) >= finishedAt(other)
  )
}
