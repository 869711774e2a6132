import { integerAt, type Path } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { isSuspended } from '../schedules.ts'

/**
 * Failed runs that are deleted in the moment in which they fail: no log, no Failed Job that a
 * person or an alert could see. And (an info) good runs that go at once: the Job of a tick is its
 * only lock besides lastScheduleTime.
 * Silent for higher limits, for any TTL above 0 (what it removes is not declared, so nothing runs
 * again), and for suspended CronJobs.
 */
export const cronjobHistory: Rule = {
  id: 'cronjob-history',
  severity: 'warning',
  summary: 'The runs of a CronJob are deleted as soon as they end, and failures are not seen.',
  kinds: ['CronJob'],
  check,
}

const FAILED: Path = ['spec', 'failedJobsHistoryLimit']
const SUCCESSFUL: Path = ['spec', 'successfulJobsHistoryLimit']

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  if (!traits.applies || isSuspended(subject)) return []
  const ttl = inJobSpec(subject, 'ttlSecondsAfterFinished')
  const ofTtl = integerAt(object, ttl) === 0
  if (integerAt(object, FAILED) === 0 || ofTtl) {
    return [
      {
        at: ofTtl ? ttl : FAILED,
        what: `a failed run of ${label(subject)} is deleted at once, with its pods and their logs`,
        why:
          `${ofTtl ? 'ttlSecondsAfterFinished' : 'failedJobsHistoryLimit'} is 0, so no Failed Job ` +
          'is there for a person or an alert; lastSuccessfulTime is all that shows it',
        remedy: ofTtl
          ? 'remove the TTL (the history limits tidy up), or give it a day: 86400'
          : 'set failedJobsHistoryLimit to 1 or more (the default is 1)',
      },
    ]
  }
  if (integerAt(object, SUCCESSFUL) !== 0) return []
  return [
    {
      at: SUCCESSFUL,
      what: `a good run of ${label(subject)} is deleted at once`,
      why:
        'successfulJobsHistoryLimit is 0: nothing shows what it did, and the Job of a tick is what ' +
        'keeps that tick from running twice when the status of the CronJob is lost (a restore)',
      remedy: 'set successfulJobsHistoryLimit to 1 or more (the default is 3)',
      severity: 'info',
    },
  ]
}
