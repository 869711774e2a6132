import type { Instant } from '../time.ts'
import { NEVER } from './cronjob-calendar.ts'
import type { Ticks } from './cronjob-schedule.ts'

/** What the ticks of a CronJob are counted from. */
export interface Since {
  /** Its last tick that was started, or its creation: whole seconds. */
  readonly earliest: Instant
  /** `startingDeadlineSeconds`; left out to look at all missed ticks. */
  readonly deadlineSeconds?: number | undefined
}

export interface Missed {
  readonly earliest: Instant
  /** The tick that is due; undefined when none is, or when the count below overlooks it. */
  readonly latest: Instant | undefined
  readonly count: 'none' | 'few' | 'many'
  /** The schedule has no two ticks in five years. */
  readonly hasNoTicks?: true
}

/**
 * The last of the ticks since the last run (K-30). The controller estimates where it is: it takes
 * the distance of the first two missed ticks for all of them, and looks only from about one such
 * distance before now. So for a schedule of bursts (`0,1 0 * * *`) it can overlook missed ticks
 * altogether (K-37); the model does, too.
 */
export function missedTicks(ticks: Ticks, since: Since, now: Instant): Missed {
  const { deadlineSeconds } = since
  const deadline = deadlineSeconds === undefined ? -Infinity : now - deadlineSeconds * 1000
  const earliest = Math.max(since.earliest, deadline)
  const first = ticks.next(earliest)
  if (now < first) return { earliest, latest: undefined, count: 'none' }
  const second = ticks.next(first)
  if (now < second) return { earliest, latest: first, count: 'none' }
  const gapSeconds = Math.round((second - first) / 1000)
  if (first === NEVER || gapSeconds < 1) {
    return { earliest, latest: undefined, count: 'none', hasNoTicks: true }
  }
  const elapsedSeconds = Math.trunc((now - first) / 1000)
  const number = Math.trunc(elapsedSeconds / gapSeconds) + 1
  const from = first + (number - 2) * gapSeconds * 1000
  const count = number > 100 ? 'many' : 'few'
  return { earliest, latest: ticks.previous(now, from), count }
}

/** When to look again: the next tick and a tenth of a second, against clocks that differ (K-29). */
export function nextLook(ticks: Ticks, since: Since, now: Instant): Instant {
  const { earliest, latest, count, hasNoTicks } = missedTicks(ticks, since, now)
  const isUnmissed = count === 'none' && hasNoTicks !== true
  const from = latest ?? (isUnmissed ? earliest : now)
  return ticks.next(from) + PADDING_MS
}

const PADDING_MS = 100
