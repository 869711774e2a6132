import { readCron, type CronFields } from '../../core/cron.ts'
import { UTC_OFFSETS, zoneOffsets } from '../../core/zone-offsets.ts'
import { ticksOf } from '../../cluster/controllers/cronjob-schedule.ts'
import type { Instant } from '../../cluster/time.ts'
import { listed, spanWords } from './spans.ts'

/** `at minute 0 of every hour`, `at 02:30 every day`; the schedule itself where words get long. */
export function scheduleWords(schedule: string, timeZone?: string): string {
  const words = wordsOf(schedule) ?? `at the ticks of \`${schedule}\``
  return timeZone === undefined || timeZone === 'UTC' ? words : `${words} (${timeZone})`
}

function wordsOf(text: string): string | undefined {
  const { schedule } = readCron(text)
  if (schedule === undefined) return undefined
  if (schedule.kind === 'every') return `every ${spanWords(schedule.seconds * 1000)}`
  const day = dayWords(schedule)
  if (day === undefined) return undefined
  const minutes = ascending(schedule.minute.values)
  const hours = ascending(schedule.hour.values)
  if (hours.length === 24) {
    const often = minutes.length === 1 ? undefined : stepOf(minutes, 60)
    const of = day === 'every day' ? '' : ` ${day}`
    if (often !== undefined) return `every ${often} min${of}`
    if (minutes.length > MOST_TIMES) return undefined
    return `at minute ${listed(minutes.map(String))} of every hour${of}`
  }
  if (minutes.length * hours.length > MOST_TIMES) return undefined
  const times = hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`))
  return `at ${listed(times)} ${day}`
}

const MOST_TIMES = 4

/** Undefined where both kinds of days are named, or months: few people read that right. */
function dayWords({ dayOfMonth, dayOfWeek, month }: CronFields): string | undefined {
  if (month.values.size < 12 || !(dayOfMonth.isStar || dayOfWeek.isStar)) return undefined
  const dates = ascending(dayOfMonth.values)
  const weekdays = ascending(dayOfWeek.values)
  if (dates.length < 31) {
    if (weekdays.length < 7 || dates.length > MOST_TIMES) return undefined
    return `on ${dates.length > 1 ? 'days' : 'day'} ${listed(dates.map(String))} of every month`
  }
  if (weekdays.length === 7) return 'every day'
  if (weekdays.join() === '1,2,3,4,5') return 'from Monday to Friday'
  return `every ${listed(weekdays.map((one) => WEEKDAYS[one] ?? ''))}`
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The distance of values that divide `size` evenly, from 0 on. */
function stepOf(values: readonly number[], size: number): number | undefined {
  const step = size / values.length
  return values.every((value, at) => value === at * step) ? step : undefined
}

function ascending(values: ReadonlySet<number>): readonly number[] {
  return [...values].sort((one, other) => one - other)
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/**
 * The ticks of a schedule in [`from`, `until`), at most `most`; undefined for a schedule or zone
 * that cannot be read, and for `@every`, which counts from an instant that is not known here.
 */
export function ticksWithin(
  { schedule, timeZone }: { readonly schedule: string; readonly timeZone?: string },
  {
    from,
    until,
    most = 100_000,
  }: { readonly from: Instant; readonly until: Instant; readonly most?: number },
): readonly Instant[] | undefined {
  const read = readCron(schedule).schedule
  const zone = timeZone === undefined ? UTC_OFFSETS : zoneOffsets(timeZone)
  if (read === undefined || read.kind === 'every' || zone === undefined) return undefined
  const ticks = ticksOf(read, zone)
  const found: Instant[] = []
  for (let at = ticks.next(from - 1); at < until && found.length < most; at = ticks.next(at)) {
    found.push(at)
  }
  return found
}
