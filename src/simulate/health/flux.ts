import { at, integerAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Instant } from '../../cluster/time.ts'
import { conditionOf, current, failed, inProgress, isTrue, type Health } from './health.ts'
import { kstatus } from './kstatus.ts'

/**
 * What the waits of Flux make of an object (F-15): a Job is judged by its conditions alone, so also
 * while it is being deleted; a CronJob is always good; everything else by kstatus.
 */
export function fluxStatus(object: JsonObject, now?: Instant): Health {
  if (isJob(object)) return jobStatus(object)
  if (isBatch(object, 'CronJob')) return current('CronJob is always ready')
  return kstatus(object, now)
}

/**
 * The Job reader of fluxcd/pkg (F-15): a suspended Job counts as done (trace
 * kustomize-controller/023), one that runs is waited for, a failed one ends the wait.
 */
export function jobStatus(job: JsonObject): Health {
  if (at(job, ['spec', 'suspend']) === true) return current('Job is suspended')
  const parallelism = integerAt(job, ['spec', 'parallelism']) ?? 1
  const completions = integerAt(job, ['spec', 'completions']) ?? parallelism
  const count = (name: string): string =>
    `${name}: ${integerAt(job, ['status', name]) ?? 0}/${completions}`
  if (isTrue(conditionOf(job, 'Complete'))) return current(`Job Completed. ${count('succeeded')}`)
  if (isTrue(conditionOf(job, 'Failed'))) return failed(`Job Failed. ${count('failed')}`)
  return inProgress('Job in progress')
}

/**
 * An object that is not there (F-16): a Job that was applied with a TTL, 0 too, has been there and
 * was removed by it, so it counts as good, whatever became of it (traces kustomize-controller/024,
 * 025). Everything else is waited for until the timeout.
 */
export function absentStatus(applied: JsonObject | undefined): Health {
  const hasTtl = integerAt(applied, ['spec', 'ttlSecondsAfterFinished']) !== undefined
  if (applied !== undefined && isJob(applied) && hasTtl)
    return current('Job was removed by its TTL')
  return { status: 'NotFound', message: 'Resource not found' }
}

function isJob(object: JsonObject): boolean {
  return isBatch(object, 'Job')
}

function isBatch(object: JsonObject, kind: string): boolean {
  const isGroup = stringAt(object, ['apiVersion'])?.startsWith('batch/') === true
  return isGroup && stringAt(object, ['kind']) === kind
}
