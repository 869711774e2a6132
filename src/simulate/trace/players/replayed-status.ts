import type { JsonObject } from '../../../core/json.ts'
import { timestamp, type Instant } from '../../../cluster/time.ts'

/**
 * The status that recorders' scripts wrote on a Job which another controller manages, to end it
 * without a pod. Some left the count out.
 */
export function replayedStatus(at: Instant, succeeded: number | undefined): JsonObject {
  const now = timestamp(at)
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    reason: 'Replayed',
    message: 'replayed',
    lastProbeTime: now,
    lastTransitionTime: now,
  }))
  const counted = succeeded === undefined ? {} : { succeeded }
  return { startTime: now, completionTime: now, ...counted, conditions }
}
