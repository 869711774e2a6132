import type { Instant } from '../../time.ts'
import type { Pod } from '../../pod.ts'
import type { Backoff } from './backoff.ts'
import type { JobClient } from './client.ts'
import type { Wanted } from './conditions.ts'
import type { Indexes } from './indexes.ts'
import type { Job, JobCondition, JobStatus } from './job.ts'
import type { JobRules } from './rules.ts'

/**
 * One look of the controller at one Job: what it found, what it reckons, what it is about to write.
 * The parts of the sync change it in turn; nothing of it outlives the sync.
 */
export interface Sync {
  readonly now: Instant
  readonly rules: JobRules
  readonly client: JobClient
  /** As last read or written, with its resourceVersion. */
  job: Job
  readonly status: StatusDraft
  /** The Job's pods, adopted ones included, as they were at the beginning. */
  readonly pods: readonly Pod[]
  readonly activePods: readonly Pod[]
  active: number
  ready: number
  terminating: number
  /** With those that have ended since the last sync. */
  succeeded: number
  failed: number
  readonly backoff: Backoff | undefined
  readonly succeededBefore: Indexes
  succeededIndexes: Indexes
  /** Undefined without backoffLimitPerIndex. */
  failedIndexes: Indexes | undefined
  /** Last failed pods of indexes that wait for their next one: they keep its failure count. */
  readonly delayed: ReadonlyMap<number, Pod>
  /** The condition that ends the Job, or is about to. */
  end: Wanted | undefined
  /** The shortest wait after a failure. */
  readonly batchMs: number
  /** Nothing was refused in the sync before. */
  readonly isFirstTry: boolean
  /** Looks again after so many milliseconds, or earlier if something happens. */
  readonly lookAgainIn: (ms: number) => void
}

/** `status` while it is being worked out. */
export interface StatusDraft {
  conditions: readonly JobCondition[]
  startTime: string | undefined
  completionTime: string | undefined
  active: number
  succeeded: number
  failed: number
  terminating: number | undefined
  completedIndexes: string
  failedIndexes: string | undefined
  uncountedSucceeded: readonly string[]
  uncountedFailed: readonly string[]
  ready: number | undefined
}

export function draftOf(status: JobStatus | undefined): StatusDraft {
  return {
    conditions: status?.conditions ?? [],
    startTime: status?.startTime,
    completionTime: status?.completionTime,
    active: status?.active ?? 0,
    succeeded: status?.succeeded ?? 0,
    failed: status?.failed ?? 0,
    terminating: status?.terminating,
    completedIndexes: status?.completedIndexes ?? '',
    failedIndexes: status?.failedIndexes,
    uncountedSucceeded: status?.uncountedTerminatedPods?.succeeded ?? [],
    uncountedFailed: status?.uncountedTerminatedPods?.failed ?? [],
    ready: status?.ready,
  }
}

/** As the API writes it: counters of zero and empty lists are left out, but not `ready: 0`. */
export function statusOf(draft: StatusDraft): JobStatus {
  const { conditions, startTime, completionTime, active, succeeded, failed } = draft
  const { terminating, completedIndexes, failedIndexes, ready } = draft
  const uncounted = {
    ...(draft.uncountedSucceeded.length > 0 ? { succeeded: draft.uncountedSucceeded } : {}),
    ...(draft.uncountedFailed.length > 0 ? { failed: draft.uncountedFailed } : {}),
  }
  return {
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(startTime === undefined ? {} : { startTime }),
    ...(completionTime === undefined ? {} : { completionTime }),
    ...(active === 0 ? {} : { active }),
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(failed === 0 ? {} : { failed }),
    ...(terminating === undefined ? {} : { terminating }),
    ...(completedIndexes === '' ? {} : { completedIndexes }),
    ...(failedIndexes === undefined ? {} : { failedIndexes }),
    uncountedTerminatedPods: uncounted,
    ...(ready === undefined ? {} : { ready }),
  }
}
