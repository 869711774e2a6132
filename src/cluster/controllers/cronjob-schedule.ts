import { comesOn, type CronFields, type CronSchedule } from '../../core/cron.ts'
import type { ZoneOffsets } from '../../core/zone-offsets.ts'
import type { Instant } from '../time.ts'
import { civilOf, dayOf, NEVER, type ScheduleDays } from './cronjob-calendar.ts'
import { walkToTick } from './cronjob-clock-change.ts'

/**
 * A schedule in a time zone, ready to be asked for its ticks. Made once per schedule; asking costs
 * no more for a yearly schedule than for one of every minute.
 */
export interface Ticks {
  /**
   * The first tick after `instant`; `NEVER` when there is none within about five years, which is
   * where the controller's own parser gives up.
   */
  next(instant: Instant): Instant
  /** The last tick in (`after`, `until`], or undefined. */
  previous(until: Instant, after: Instant): Instant | undefined
}

export function ticksOf(schedule: CronSchedule, zone: ZoneOffsets): Ticks {
  if (schedule.kind === 'every') return everyTicks(schedule.seconds * SECOND_MS)
  const days = daysOf(schedule)
  const next = (instant: Instant): Instant => nextOf(days, zone, instant)
  return { next, previous: (until, after) => lastBetween(next, until, after) }
}

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const DAY_MS = 86_400_000

/** `@every` counts from whole seconds, not from the clock on the wall. */
function everyTicks(periodMs: number): Ticks {
  const next = (instant: Instant): Instant => wholeSecond(instant) + periodMs
  return {
    next,
    previous(until, after) {
      const first = next(after)
      if (first > until) return undefined
      return first + Math.floor((until - first) / periodMs) * periodMs
    },
  }
}

function daysOf(schedule: CronFields): ScheduleDays {
  const { minute, hour, month } = schedule
  const hours = firstFrom(hour.values, 24)
  const minutes = firstFrom(minute.values, 60)
  return {
    comesOn: (date) => comesOn(schedule, date),
    hasMonth: (value) => month.values.has(value),
    hasHour: (value) => hour.values.has(value),
    hasMinute: (value) => minute.values.has(value),
    minuteFrom(from) {
      const fromHour = Math.floor(from / 60)
      if (hour.values.has(fromHour)) {
        const found = minutes[from % 60]
        if (found !== undefined) return fromHour * 60 + found
      }
      const later = hours[fromHour + 1]
      const first = minutes[0]
      return later === undefined || first === undefined ? undefined : later * 60 + first
    },
  }
}

/** At each position the first of `values` that is not below it. */
function firstFrom(values: ReadonlySet<number>, size: number): readonly (number | undefined)[] {
  const table: (number | undefined)[] = Array.from({ length: size + 1 })
  for (let at = size - 1; at >= 0; at -= 1) table[at] = values.has(at) ? at : table[at + 1]
  return table
}

/**
 * Where the clocks stand still, a tick is found by dates alone. Near a change of the clocks the
 * controller's parser has ways of its own, and they are walked step by step.
 */
function nextOf(days: ScheduleDays, zone: ZoneOffsets, instant: Instant): Instant {
  const { fromMs, untilMs, offsetMs } = zone.at(instant)
  const tick = nextAtOffset(days, instant + offsetMs)
  const isCalm = fromMs <= instant - DAY_MS
  if (isCalm && tick !== NEVER && tick - offsetMs < untilMs) return tick - offsetMs
  if (isCalm && untilMs === Infinity) return tick
  return walkToTick(days, zone, wholeSecond(instant) + SECOND_MS)
}

/** In local time, as if its offset never changed. */
function nextAtOffset(days: ScheduleDays, local: number): number {
  const from = Math.ceil((wholeSecond(local) + SECOND_MS) / MINUTE_MS)
  let day = Math.floor(from / DAY_MINUTES)
  let date = civilOf(day)
  const lastYear = civilOf(Math.floor((wholeSecond(local) + SECOND_MS) / DAY_MS)).year + 5
  let minute = from - day * DAY_MINUTES
  while (date.year <= lastYear) {
    if (days.comesOn(date)) {
      const found = days.minuteFrom(minute)
      if (found !== undefined) return (day * DAY_MINUTES + found) * MINUTE_MS
    }
    day = days.hasMonth(date.month) ? day + 1 : dayOf(date.year, date.month + 1, 1)
    date = civilOf(day)
    minute = 0
  }
  return NEVER
}

/** `next` rises with its argument, so the last tick is found by halving, whatever the schedule. */
function lastBetween(
  next: (instant: Instant) => Instant,
  until: Instant,
  after: Instant,
): Instant | undefined {
  const comes = (from: Instant): boolean => {
    const tick = next(from)
    return tick !== NEVER && tick <= until
  }
  if (!comes(after)) return undefined
  let low = after
  let high = until
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2)
    if (comes(middle)) low = middle
    else high = middle
  }
  return next(low)
}

function wholeSecond(instant: number): number {
  return Math.floor(instant / SECOND_MS) * SECOND_MS
}
