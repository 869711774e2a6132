import { shortestGapSeconds } from '../../core/cron.ts'
import { integerAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { contractOf, duration, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { isSuspended, scheduleOf, STARTING_DEADLINE, SUSPEND } from '../schedules.ts'

/**
 * What happens to ticks that could not start in time: with startingDeadlineSeconds 0 none ever
 * starts, with a few seconds each delay loses one, and without the field a resumed CronJob starts
 * the last missed tick at once, whatever the hour.
 * Silent with a deadline of ten seconds or more, for a CronJob that is not suspended and has no
 * deadline (cronjob-late-start speaks there), for a suspended one whose schedule never comes or is
 * not known, and where the author says that a repeat converges.
 */
export const cronjobMissedSchedule: Rule = {
  id: 'cronjob-missed-schedule',
  severity: 'warning',
  summary: 'A CronJob never starts, loses ticks, or starts a missed one when it is resumed.',
  kinds: ['CronJob'],
  check,
}

/** A leader change of the controllers takes some 20 s, a busy minute up to one. */
const SHORT_SECONDS = 10
/** Beyond this the controllers count no further (trace kubernetes/054c). */
const MOST_MISSED = 100
/** More often than this, a suspension of a few days misses more than that number. */
const OFTEN_SECONDS = 3600

function check(subject: Subject): readonly RuleFinding[] {
  if (!subject.traits.applies) return []
  const seconds = integerAt(subject.object, STARTING_DEADLINE)
  if (seconds !== undefined) {
    return seconds >= 0 && seconds < SHORT_SECONDS ? [tooShort(subject, seconds)] : []
  }
  if (!isSuspended(subject) || subject.isOpen(['spec'])) return []
  return contractOf(subject) === 'converges' ? [] : caughtUp(subject)
}

function tooShort(subject: Subject, seconds: number): RuleFinding {
  if (seconds === 0) {
    return {
      at: STARTING_DEADLINE,
      what: `${label(subject)} never starts anything: startingDeadlineSeconds is 0`,
      why: 'a tick may start only within that time after its moment, and 0 leaves none',
      remedy: 'remove startingDeadlineSeconds, or give it the lateness that is still useful',
      severity: 'error',
    }
  }
  return {
    at: STARTING_DEADLINE,
    what: `${label(subject)} loses each tick that starts more than ${duration(seconds)} late`,
    why:
      'a tick starts up to 1 s late on a quiet cluster, and some 20 s late after a restart or a ' +
      'leader change of the controllers; what is later than the deadline is dropped without an error',
    remedy: 'set startingDeadlineSeconds to 60 or more, or to the lateness that is still useful',
  }
}

/** The tick itself is in the past: Monday's backup runs on Thursday afternoon. */
function caughtUp(subject: Subject): readonly RuleFinding[] {
  const schedule = scheduleOf(subject)
  const gap = schedule === undefined ? undefined : shortestGapSeconds(schedule)
  if (gap === undefined) return []
  const often = gap < OFTEN_SECONDS
  const missed = duration(gap * MOST_MISSED)
  return [
    {
      at: SUSPEND,
      what: `${label(subject)} starts a Job at the moment when it is resumed`,
      why:
        'the last tick that it missed while suspended is made up for at once, whatever the hour' +
        (often
          ? `; after ${missed} it has missed more than ${MOST_MISSED}, which newer controllers ` +
            'only warn of, and older ones answer by starting nothing any more'
          : ''),
      remedy:
        'set startingDeadlineSeconds (for example 600) before it is resumed: older ticks are then ' +
        'dropped',
      ...(often ? {} : { severity: 'info' }),
    },
  ]
}
