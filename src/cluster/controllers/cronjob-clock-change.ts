import type { ZoneOffsets } from '../../core/zone-offsets.ts'
import type { Instant } from '../time.ts'
import { civilOf, dayOf, NEVER, type CivilDate, type ScheduleDays } from './cronjob-calendar.ts'

/**
 * A tick near a change of the clocks, found as robfig/cron v3 finds it: month, day, hour and minute
 * are moved on in turn until each fits, and what a change of the clocks does to such a move is
 * part of the answer. So a time that is left out has no tick, one that comes twice has two, and
 * where midnight is left out an hour may fall on a day that does not fit (K-36).
 */
export function walkToTick(days: ScheduleDays, zone: ZoneOffsets, from: Instant): Instant {
  const walk: Walk = { days, zone, at: from, hasMoved: false, steps: 0 }
  const lastYear = localOf(zone, from).year + 5
  while (localOf(zone, walk.at).year <= lastYear && walk.steps < MOST_STEPS) {
    if (toMonth(walk) && toDay(walk) && toHour(walk) && toMinute(walk)) return walk.at
  }
  return NEVER
}

interface Walk {
  readonly days: ScheduleDays
  readonly zone: ZoneOffsets
  at: Instant
  /** Once anything was moved, the smaller parts of the time begin at their first value. */
  hasMoved: boolean
  steps: number
}

/** Far more than five years need. Where a zone leaves out a whole day, the parser never ends. */
const MOST_STEPS = 10_000

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Each step answers false where its move ran over into the next larger part: begin again. */
function toMonth(walk: Walk): boolean {
  const { days, zone } = walk
  while (mayStep(walk)) {
    const { year, month } = localOf(zone, walk.at)
    if (days.hasMonth(month)) return true
    if (!walk.hasMoved) moveTo(walk, dayOf(year, month, 1) * DAY_MS)
    const { year: nextYear, month: nextMonth, dayOfMonth, ofDayMs } = localOf(zone, walk.at)
    moveTo(walk, dayOf(nextYear, nextMonth + 1, dayOfMonth) * DAY_MS + ofDayMs)
    if (localOf(zone, walk.at).month === 1) return false
  }
  return false
}

function toDay(walk: Walk): boolean {
  const { days, zone } = walk
  while (mayStep(walk)) {
    const local = localOf(zone, walk.at)
    if (days.comesOn(local)) return true
    if (!walk.hasMoved) moveTo(walk, local.day * DAY_MS)
    const { day, ofDayMs } = localOf(zone, walk.at)
    moveTo(walk, (day + 1) * DAY_MS + ofDayMs)
    const { hour } = localOf(zone, walk.at)
    if (hour !== 0) walk.at += (hour > 12 ? 24 - hour : -hour) * HOUR_MS
    if (localOf(zone, walk.at).dayOfMonth === 1) return false
  }
  return false
}

function toHour(walk: Walk): boolean {
  const { days, zone } = walk
  while (mayStep(walk)) {
    const { day, hour } = localOf(zone, walk.at)
    if (days.hasHour(hour)) return true
    if (!walk.hasMoved) moveTo(walk, day * DAY_MS + hour * HOUR_MS)
    walk.at += HOUR_MS
    if (localOf(zone, walk.at).hour === 0) return false
  }
  return false
}

function toMinute(walk: Walk): boolean {
  const { days, zone } = walk
  while (!days.hasMinute(localOf(zone, walk.at).minute)) {
    if (!walk.hasMoved) walk.at = Math.floor(walk.at / MINUTE_MS) * MINUTE_MS
    walk.hasMoved = true
    walk.at += MINUTE_MS
    if (localOf(zone, walk.at).minute === 0) return false
  }
  if (walk.at % MINUTE_MS === 0) return true
  walk.hasMoved = true
  walk.at = (Math.floor(walk.at / SECOND_MS / 60) + 1) * MINUTE_MS
  return false
}

function mayStep(walk: Walk): boolean {
  walk.steps += 1
  return walk.steps < MOST_STEPS
}

function moveTo(walk: Walk, local: number): void {
  walk.at = instantOfLocal(walk.zone, local)
  walk.hasMoved = true
}

interface Local extends CivilDate {
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly ofDayMs: number
}

function localOf(zone: ZoneOffsets, instant: Instant): Local {
  const local = instant + zone.at(instant).offsetMs
  const day = Math.floor(local / DAY_MS)
  const ofDayMs = local - day * DAY_MS
  return {
    ...civilOf(day),
    day,
    hour: Math.floor(ofDayMs / HOUR_MS),
    minute: Math.floor((ofDayMs % HOUR_MS) / MINUTE_MS),
    ofDayMs,
  }
}

/**
 * The instant of a local time. For one that is left out or comes twice Go takes the offset that
 * holds at that time read as UTC, when it is a valid one, else the one it leads to.
 */
function instantOfLocal(zone: ZoneOffsets, local: number): Instant {
  const { offsetMs, fromMs, untilMs } = zone.at(local)
  if (offsetMs === 0) return local
  const instant = local - offsetMs
  if (instant >= fromMs && instant < untilMs) return instant
  return local - zone.at(instant).offsetMs
}
