import { finishedAt, type Pod } from '../../pod.ts'
import type { Instant } from '../../time.ts'

const FIRST_DELAY_MS = 10_000
const LONGEST_DELAY_MS = 600_000

/**
 * K-17: failures of a Job since its last success. Held in the controller's memory alone, so a
 * restart forgets it (K-18).
 */
export interface Backoff {
  readonly failures: number
  readonly lastFailureAt: Instant
}

/**
 * The record after pods have ended. All new failures count, also those that a policy ignores. A new
 * success forgets every failure that ended in the same second or before, as ends have whole
 * seconds: so one index's success can spare another index its delay.
 */
export function nextBackoff(
  before: Backoff | undefined,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): Backoff | undefined {
  const failedAt = failed.map(finishedAt)
  if (succeeded.length === 0) {
    if (failed.length === 0) return before
    return {
      failures: (before?.failures ?? 0) + failed.length,
      lastFailureAt: Math.max(...failedAt),
    }
  }
  const lastSuccessAt = Math.max(...succeeded.map(finishedAt))
  const later = failedAt.filter((instant) => instant > lastSuccessAt)
  if (later.length === 0) return undefined
  return { failures: later.length, lastFailureAt: Math.max(...later) }
}

/** Milliseconds until the next pod may be created: 10 s, 20 s, 40 s ... after the last failure. */
export function remainingMs(backoff: Backoff | undefined, now: Instant): number {
  if (backoff === undefined || backoff.failures === 0) return 0
  return Math.max(delayMs(backoff.failures) - (now - backoff.lastFailureAt), 0)
}

export function delayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS)
}
