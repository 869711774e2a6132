import { integerAt } from '../../core/json.ts'
import type { Waiter } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import { assuming, duration, label, related } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const TTL = ['spec', 'ttlSecondsAfterFinished']

/** Clocks of conditions have whole seconds, so a TTL may fire up to one second early. */
const EARLY_SECONDS = 1
/** Below this an engine that puts no finalizer on its hooks may meet the hook gone. */
const HANG_SECONDS = 60
/**
 * A watching waiter that pauses between waves misses Jobs that end and vanish in the pause. When
 * the end of a Job does not change the health of the whole, it is read with the next batch, after
 * 5 s.
 */
const PAUSE_SECONDS = 4

/**
 * Somebody waits for the end of the Job, and the TTL may delete it before its end was seen. What
 * happens then differs: a failure counts as success, the wait fails and repeats the work, or it
 * never ends.
 * Silent when nobody waits, when the TTL is longer than the distance between two looks, and when
 * a watching waiter is told of the end before the deletion.
 */
export const ttlZeroUnderWaiter: Rule = {
  id: 'ttl-zero-under-waiter',
  severity: 'error',
  summary: 'The TTL can delete the Job before whoever waits for it has seen how it ended.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const ttlSeconds = integerAt(subject.object, TTL)
  const { waiter, applies } = subject.traits
  if (ttlSeconds === undefined || waiter === undefined || !applies) return []
  if (ttlSeconds >= limitSeconds(subject, waiter)) return []
  const certain = ttlSeconds === 0 && waiter.absent !== 'hangs'
  return [
    {
      at: TTL,
      what:
        `${label(subject)} is deleted ${when(ttlSeconds)} it finishes, while ${waiter.who} ` +
        'waits for its end',
      why: assuming(subject) + `${look(waiter)}; ${outcome(subject, waiter, certain)}`,
      remedy: remedyOf(subject, waiter),
      ...(certain ? {} : { severity: 'warning' }),
      related: related(subject, ['wait', 'healthChecks', 'timeout']),
    },
  ]
}

/** TTLs from here on are seen in time. */
function limitSeconds({ traits }: Subject, { pollSeconds, absent }: Waiter): number {
  if (pollSeconds !== undefined) return pollSeconds + EARLY_SECONDS
  if (absent === 'hangs') return traits.hook === undefined ? EARLY_SECONDS : HANG_SECONDS
  return absent === 'failure' ? PAUSE_SECONDS + EARLY_SECONDS : 0
}

function when(ttlSeconds: number): string {
  return ttlSeconds === 0 ? 'as soon as' : `${duration(ttlSeconds)} after`
}

function look({ who, pollSeconds }: Waiter): string {
  return pollSeconds === undefined
    ? `${who} may find the Job gone before it has read the result`
    : `${who} looks only every ${duration(pollSeconds)} and may find the Job gone`
}

function outcome({ traits }: Subject, waiter: Waiter, certain: boolean): string {
  const { absent, timeoutSeconds } = waiter
  const sometimes = certain ? '' : ' when the moments fall badly'
  const until =
    timeoutSeconds === undefined ? 'until its timeout' : `for ${duration(timeoutSeconds)}`
  const outcomes: Readonly<Record<Waiter['absent'], string>> = {
    success:
      `an absent Job with a TTL counts as a success${sometimes}, so a failed run is ` +
      'reported as a good one',
    failure: `an absent Job counts as a failure${sometimes}, and each retry runs the work again`,
    timeout:
      `it then waits ${until}${sometimes}, fails, and the retry runs the work again ` +
      'although it had succeeded',
    hangs:
      traits.hook === undefined
        ? 'it then waits without an end'
        : 'on versions that put no finalizer on hooks it then waits for ever',
  }
  return outcomes[absent]
}

function remedyOf(subject: Subject, waiter: Waiter): string {
  if (subject.traits.hook !== undefined) {
    return 'remove ttlSecondsAfterFinished: the delete policy of the hook already cleans up'
  }
  const longer = Math.ceil(limitSeconds(subject, waiter))
  return (
    `remove ttlSecondsAfterFinished, or make it much longer than ${longer} s if the ` +
    'repeated run does no harm'
  )
}
