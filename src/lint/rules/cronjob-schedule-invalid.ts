import { readCron, shortestGapSeconds } from '../../core/cron.ts'
import type { Subject } from '../../ownership/subject.ts'
import { label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { isSuspended, placeWithin, SCHEDULE, writtenSchedule } from '../schedules.ts'

/**
 * A schedule that the API server refuses, so that nothing of the CronJob reaches the cluster; and
 * (an info) one that is valid and never comes, such as 31 February.
 * Silent where rendering decides the schedule, for a zone inside it (cronjob-time-zone speaks
 * there), and for a date that never comes in a suspended CronJob: that one is started by hand.
 */
export const cronjobScheduleInvalid: Rule = {
  id: 'cronjob-schedule-invalid',
  severity: 'error',
  summary: 'The schedule of a CronJob is refused by the API server, or never comes.',
  kinds: ['CronJob'],
  check,
}

const FORM = 'minute hour day-of-month month weekday, such as "30 3 * * 1-5", or @daily, @every 90m'

function check(subject: Subject): readonly RuleFinding[] {
  const text = writtenSchedule(subject)
  if (text === undefined || text.includes('TZ') || !subject.traits.applies) return []
  const reading = readCron(text)
  if (reading.schedule === undefined) {
    const { fault } = reading
    return [
      {
        at: SCHEDULE,
        place: placeWithin(subject, SCHEDULE, fault),
        what: `${label(subject)} has a schedule that Kubernetes refuses: ${fault.what}`,
        why: 'the API server answers 422 and the object never gets in, or stays as it was before',
        remedy: `write ${FORM}`,
      },
    ]
  }
  const { schedule } = reading
  if (isSuspended(subject) || schedule.kind === 'every') return []
  if (shortestGapSeconds(schedule) !== undefined) return []
  return [
    {
      at: SCHEDULE,
      what: `the schedule of ${label(subject)} never comes: ${text}`,
      why: 'it is valid, but no year has such a day, so the CronJob starts nothing by itself',
      remedy: 'correct the day; or, if it is started by hand only, say so with suspend: true',
      severity: 'info',
    },
  ]
}
