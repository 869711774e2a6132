import { at } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { contractOf, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { isSuspended, SCHEDULE, scheduleOf, STARTING_DEADLINE } from '../schedules.ts'

/**
 * Without startingDeadlineSeconds a missed tick is made up for however late: after a downtime, and
 * after an edit of the schedule at the next touch of the CronJob, minutes or hours later.
 * Off unless semel.yaml switches it on: most CronJobs may well start late. Silent with a deadline,
 * where rendering may bring one, for suspended CronJobs (cronjob-missed-schedule speaks there), for
 * `@every`, and where the author says that a repeat converges.
 */
export const cronjobLateStart: Rule = {
  id: 'cronjob-late-start',
  severity: 'warning',
  summary: 'A missed tick of a CronJob is made up for, however late it is.',
  offByDefault: true,
  kinds: ['CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  if (!traits.applies || isSuspended(subject) || subject.isOpen(['spec'])) return []
  if ((at(object, STARTING_DEADLINE) ?? undefined) !== undefined) return []
  if (scheduleOf(subject)?.kind !== 'fields' || contractOf(subject) === 'converges') return []
  return [
    {
      at: SCHEDULE,
      what: `${label(subject)} makes up for a missed tick, however late it is`,
      why:
        'after a downtime of the controllers the last missed tick starts at once; after an edit of ' +
        'the schedule a tick of the new schedule that lies in the past starts at the next touch of ' +
        'the CronJob: an annotation, the end of a run, a restart',
      remedy: 'set startingDeadlineSeconds to the lateness that is still useful, for example 600',
    },
  ]
}
