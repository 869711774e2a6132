import type { Rules } from '../../api/kind.ts'
import type { Job } from './job.ts'

/** What the Job controller of one Kubernetes version does differently from others. */
export interface JobRules {
  /** K-21: FailureTarget and SuccessCriteriaMet first, the end when all pods have ended. */
  readonly delaysEnd: boolean
  readonly knowsSuccessPolicy: boolean
  /** K-24 */
  readonly knowsManagedBy: boolean
  /** K-9: suspending clears `startTime`. */
  readonly clearsStartTime: boolean
}

export function jobRules({ minor }: Rules): JobRules {
  return {
    delaysEnd: minor >= 31,
    knowsSuccessPolicy: minor >= 31,
    knowsManagedBy: minor >= 32,
    clearsStartTime: minor >= 36,
  }
}

/** K-24 */
export function isManagedElsewhere(job: Job, rules: JobRules): boolean {
  if (!rules.knowsManagedBy) return false
  const { managedBy } = job.spec
  return managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller'
}
