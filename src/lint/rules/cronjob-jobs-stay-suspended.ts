import { at, objectAt, stringAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { isSuspended } from '../schedules.ts'

/**
 * `suspend: true` in the jobTemplate is not the CronJob's own: each tick makes a Job that waits
 * for somebody to resume it. A suspended Job counts as active, so Forbid starts nothing more, and
 * the history limits never tidy it up.
 * Silent for a CronJob that is suspended itself, and for Jobs that a queue (Kueue) resumes.
 */
export const cronjobJobsStaySuspended: Rule = {
  id: 'cronjob-jobs-stay-suspended',
  severity: 'error',
  summary: 'Every Job of a CronJob is created suspended, and nothing resumes it.',
  kinds: ['CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  const path = inJobSpec(subject, 'suspend')
  if (at(object, path) !== true || !traits.applies || isSuspended(subject)) return []
  if (isQueued(subject)) return []
  const forbids = stringAt(object, ['spec', 'concurrencyPolicy']) === 'Forbid'
  return [
    {
      at: path,
      what: forbids
        ? `${label(subject)} makes one suspended Job and then starts nothing any more`
        : `${label(subject)} makes a suspended Job at each tick, and none of them ever runs`,
      why:
        'the suspend of the jobTemplate is that of the Jobs; a suspended Job counts as active ' +
        (forbids
          ? 'and Forbid waits for its end'
          : 'and is never removed by the history limits, so they pile up'),
      remedy: 'move suspend: true up to spec.suspend if the CronJob is to pause, else remove it',
    },
  ]
}

/** Kueue reads the queue from the label of the Job; managedBy leaves it to another controller. */
function isQueued(subject: Subject): boolean {
  const { object } = subject
  const labels = objectAt(object, ['spec', 'jobTemplate', 'metadata', 'labels']) ?? {}
  return (
    Object.keys(labels).some((key) => key.startsWith('kueue.x-k8s.io/')) ||
    at(object, inJobSpec(subject, 'managedBy')) !== undefined
  )
}
