import { shortestGapSeconds } from '../../core/cron.ts'
import { at, integerAt, stringAt, type Path } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { contractOf, duration, inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { isSuspended, SCHEDULE, scheduleOf, STARTING_DEADLINE } from '../schedules.ts'

/**
 * A run may take longer than the time to the next tick: by its activeDeadlineSeconds, or by the
 * pauses between the retries of a run that fails. Allow then runs them side by side, Replace
 * deletes a run that is not done, and Forbid does not skip the tick but starts it in the moment
 * when the run ends.
 * Silent without a known longest run, for suspended CronJobs, where rendering decides schedule or
 * policy, with Forbid and a startingDeadlineSeconds below the distance of the ticks, and with Allow
 * where the author says that a repeat converges.
 */
export const cronjobConcurrencyWithLongRun: Rule = {
  id: 'cronjob-concurrency-with-long-run',
  severity: 'warning',
  summary: 'A run of a CronJob may take longer than the time to its next tick.',
  kinds: ['CronJob'],
  check,
}

const POLICY: Path = ['spec', 'concurrencyPolicy']

function check(subject: Subject): readonly RuleFinding[] {
  const schedule = scheduleOf(subject)
  if (schedule === undefined || !subject.traits.applies || isSuspended(subject)) return []
  const gap = shortestGapSeconds(schedule)
  const longest = longestRun(subject)
  if (gap === undefined || longest === undefined || longest.seconds <= gap) return []
  const details = { gap, longest }
  const policy = at(subject.object, POLICY) ?? (subject.isOpen(['spec']) ? undefined : 'Allow')
  if (policy === 'Forbid') return backToBack(subject, details)
  if (policy === 'Replace') return [replaced(subject, details)]
  if (policy !== 'Allow' || contractOf(subject) === 'converges') return []
  return [sideBySide(subject, details)]
}

interface LongestRun {
  readonly seconds: number
  /** For a sentence: `a run may take 1 h (activeDeadlineSeconds)`. */
  readonly words: string
  readonly path: Path
  readonly isFailing: boolean
}

interface Details {
  /** The shortest time between two ticks. */
  readonly gap: number
  readonly longest: LongestRun
}

function longestRun(subject: Subject): LongestRun | undefined {
  const { object } = subject
  const path = inJobSpec(subject, 'activeDeadlineSeconds')
  const written = at(object, path) ?? undefined
  if (written !== undefined) {
    const seconds = integerAt(object, path)
    if (seconds === undefined) return undefined
    const words = `a run may take ${duration(seconds)} (activeDeadlineSeconds)`
    return { seconds, words, path, isFailing: false }
  }
  return subject.isOpen(inJobSpec(subject)) ? undefined : failingRun(subject)
}

/** Between two failures pass 10 s, doubling to 10 min (traces kubernetes/001, 008b). */
function failingRun(subject: Subject): LongestRun | undefined {
  const { object } = subject
  const restart = stringAt(object, inJobSpec(subject, 'template', 'spec', 'restartPolicy'))
  const perIndex = at(object, inJobSpec(subject, 'backoffLimitPerIndex'))
  const policy = at(object, inJobSpec(subject, 'podFailurePolicy'))
  if (restart !== 'Never' || perIndex !== undefined || policy !== undefined) return undefined
  const path = inJobSpec(subject, 'backoffLimit')
  const written = at(object, path) ?? undefined
  if (isTemplated(written)) return undefined
  const retries = written === undefined ? DEFAULT_RETRIES : integerAt(object, path)
  if (retries === undefined || retries < 1) return undefined
  let seconds = 0
  for (let retry = 0; retry < Math.min(retries, MANY); retry += 1) {
    seconds += Math.min(FIRST_PAUSE_SECONDS * 2 ** retry, LONGEST_PAUSE_SECONDS)
  }
  const what = written === undefined ? `${DEFAULT_RETRIES}, the default` : String(retries)
  const words = `a run that fails takes ${duration(seconds)} for its retries alone (backoffLimit ${what})`
  return { seconds, words, path, isFailing: true }
}

const DEFAULT_RETRIES = 6
const FIRST_PAUSE_SECONDS = 10
const LONGEST_PAUSE_SECONDS = 600
/** A year of retries is long enough to be compared with anything. */
const MANY = 50_000

function placed(subject: Subject, { longest }: Details): Pick<RuleFinding, 'at' | 'related'> {
  if (at(subject.object, longest.path) === undefined) return { at: SCHEDULE }
  return { at: longest.path, related: [{ place: subject.placeOf(SCHEDULE), note: 'the schedule' }] }
}

function sideBySide(subject: Subject, details: Details): RuleFinding {
  const { gap, longest } = details
  const most = Math.ceil(longest.seconds / gap)
  const byDefault = at(subject.object, POLICY) === undefined ? ', the default' : ''
  return {
    ...placed(subject, details),
    what: longest.isFailing
      ? `failing runs of ${label(subject)} pile up, ${most} or more at once`
      : `${label(subject)} may have ${most} runs at once`,
    why: `${longest.words}, a tick may come after ${duration(gap)}, and the policy is Allow${byDefault}`,
    remedy: longest.isFailing
      ? 'set a lower backoffLimit (the next tick is a retry too), or concurrencyPolicy: Forbid'
      : `set concurrencyPolicy: Forbid, or activeDeadlineSeconds below ${gap}`,
    ...(longest.isFailing ? { severity: 'info' } : {}),
  }
}

function replaced(subject: Subject, details: Details): RuleFinding {
  const { gap, longest } = details
  return {
    ...placed(subject, details),
    what: `a run of ${label(subject)} that takes longer than ${duration(gap)} never completes`,
    why:
      `${longest.words}, and with Replace the next tick deletes a run that is not done; its pod ` +
      'goes on beside the new one for as long as it takes to stop',
    remedy:
      'set concurrencyPolicy: Forbid if the work must be finished, or let the ticks come less often',
    ...(longest.isFailing ? { severity: 'info' } : {}),
  }
}

/** Only a deadline shorter than what the run still needs makes the blocked tick a skipped one. */
function backToBack(subject: Subject, details: Details): readonly RuleFinding[] {
  const { gap, longest } = details
  const deadline = at(subject.object, STARTING_DEADLINE) ?? undefined
  if (deadline === undefined && subject.isOpen(['spec'])) return []
  if (deadline !== undefined && (typeof deadline !== 'number' || deadline < gap)) return []
  return [
    {
      ...placed(subject, details),
      what: `${label(subject)} may run back to back: Forbid puts a blocked tick off, it does not skip it`,
      why:
        `${longest.words}, a tick may come after ${duration(gap)}, and the last blocked one starts ` +
        'in the moment in which the run ends',
      remedy:
        `set startingDeadlineSeconds below ${gap}, so that a tick that comes too late is skipped; ` +
        'or leave it, if there need be no pause',
      severity: 'info',
    },
  ]
}
