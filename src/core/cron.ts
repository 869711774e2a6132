import { goDurationSeconds } from './go-duration.ts'

/**
 * A CronJob's schedule as the API server reads it (robfig/cron v3, the standard parser): five
 * fields, or a descriptor such as `@daily` and `@every 90m`. Text with a zone (`TZ=...`) is not
 * read here: Kubernetes refuses it.
 */
export type CronSchedule = CronFields | { readonly kind: 'every'; readonly seconds: number }

export interface CronFields {
  readonly kind: 'fields'
  readonly minute: CronField
  readonly hour: CronField
  readonly dayOfMonth: CronField
  readonly month: CronField
  readonly dayOfWeek: CronField
}

export interface CronField {
  readonly values: ReadonlySet<number>
  /** Written as `*` or `?`: then the other field of the day decides alone. */
  readonly isStar: boolean
}

/** What is wrong with a schedule, and where in its text (in UTF-16 units). */
export interface CronFault {
  readonly start: number
  readonly end: number
  /** For a sentence: `31-1 in the field day of month ends before it begins`. */
  readonly what: string
}

export type CronReading =
  | { readonly schedule: CronSchedule }
  | { readonly schedule?: undefined; readonly fault: CronFault }

export function readCron(text: string): CronReading {
  if (text.startsWith('@')) return readDescriptor(text)
  const fields = [...text.matchAll(/\P{White_Space}+/gu)]
  if (fields.length !== FIELDS.length) {
    const what =
      fields.length === 0
        ? 'it is empty'
        : `it has ${fields.length} fields instead of 5 (minute, hour, day, month, weekday)`
    return faultAt(0, text.length, what)
  }
  const read: CronField[] = []
  for (const [index, field] of fields.entries()) {
    const bounds = FIELDS[index]
    if (bounds === undefined) continue
    const found = readField(field[0], field.index, bounds)
    if ('what' in found) return { fault: found }
    read.push(found)
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = read
  return { schedule: fieldsOf(minute, hour, dayOfMonth, month, dayOfWeek) }
}

/** Minutes of the day at which it comes on the days on which it comes, ascending. */
export function minutesOfDay({ hour, minute }: CronFields): readonly number[] {
  const hours = [...hour.values].sort(ascending)
  const minutes = [...minute.values].sort(ascending)
  return hours.flatMap((h) => minutes.map((m) => h * 60 + m))
}

/** `weekday` counts from Sunday, 0. With both day fields written, either of them is enough. */
export function comesOn(
  schedule: CronFields,
  day: { readonly month: number; readonly dayOfMonth: number; readonly weekday: number },
): boolean {
  const { month, dayOfMonth, dayOfWeek } = schedule
  if (!month.values.has(day.month)) return false
  const byDate = dayOfMonth.values.has(day.dayOfMonth)
  const byWeekday = dayOfWeek.values.has(day.weekday)
  return dayOfMonth.isStar || dayOfWeek.isStar ? byDate && byWeekday : byDate || byWeekday
}

/**
 * The shortest time between two ticks, in seconds of a clock that nobody moves. Undefined when it
 * never comes.
 */
export function shortestGapSeconds(schedule: CronSchedule): number | undefined {
  if (schedule.kind === 'every') return schedule.seconds
  const minutes = minutesOfDay(schedule)
  const [first] = minutes
  const last = minutes.at(-1)
  if (first === undefined || last === undefined) return undefined
  let shortest = Infinity
  for (const [index, minute] of minutes.entries()) {
    const before = minutes[index - 1]
    if (before !== undefined) shortest = Math.min(shortest, minute - before)
  }
  let previous: number | undefined
  for (let day = FIRST_DAY; day < LAST_DAY; day += 1) {
    if (!comesOn(schedule, dateOf(day))) continue
    if (previous !== undefined) {
      shortest = Math.min(shortest, (day - previous) * DAY_MINUTES + first - last)
      if (day - previous === 1) break
    }
    previous = day
  }
  if (previous === undefined) return undefined
  return shortest === Infinity ? undefined : shortest * 60
}

const DAY_MINUTES = 1440
const DAY_MS = 86_400_000
/** A leap year, and the five years after which the parser itself gives up. */
const FIRST_DAY = Date.UTC(2024, 0, 1) / DAY_MS
const LAST_DAY = Date.UTC(2029, 11, 31) / DAY_MS

function dateOf(day: number): Parameters<typeof comesOn>[1] {
  const date = new Date(day * DAY_MS)
  return {
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
    weekday: date.getUTCDay(),
  }
}

interface Bounds {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const FIELDS: readonly Bounds[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'weekday', min: 0, max: 6, names: WEEKDAYS },
]

const STAR: CronField = { values: new Set(), isStar: true }

function fieldsOf(
  minute: CronField = STAR,
  hour: CronField = STAR,
  dayOfMonth: CronField = STAR,
  month: CronField = STAR,
  dayOfWeek: CronField = STAR,
): CronFields {
  return { kind: 'fields', minute, hour, dayOfMonth, month, dayOfWeek }
}

/** A comma list; empty items are passed over, as the parser does. */
function readField(text: string, start: number, bounds: Bounds): CronField | CronFault {
  const values = new Set<number>()
  let isStar = false
  for (const match of text.matchAll(/[^,]+/g)) {
    const range = readRange(match[0], bounds)
    if (typeof range === 'string') {
      const from = start + match.index
      const what = `${match[0]} in the field ${bounds.name} ${range}`
      return { start: from, end: from + match[0].length, what }
    }
    isStar ||= range.isStar
    for (let value = range.from; value <= range.to; value += range.step) values.add(value)
  }
  return { values, isStar }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly step: number
  readonly isStar: boolean
}

/** `*`, `5`, `1-5`, `mon-fri`, each with a step; `5/15` runs on to the end of the field. */
function readRange(text: string, bounds: Bounds): Range | string {
  const [range = '', stepText, ...more] = text.split('/')
  const [low = '', high, ...further] = range.split('-')
  const isStar = low === '*' || low === '?'
  if (!isStar && further.length > 0) return 'has too many hyphens'
  if (more.length > 0) return 'has too many slashes'
  const from = isStar ? bounds.min : numberOf(low, bounds)
  if (typeof from === 'string') return from
  const step = stepText === undefined ? 1 : numberOf(stepText, { ...bounds, names: [] })
  const written = isStar ? bounds.max : high === undefined ? from : numberOf(high, bounds)
  if (typeof written === 'string') return written
  if (typeof step === 'string') return step
  const to = stepText !== undefined && high === undefined ? bounds.max : written
  return rangeFault({ from, to, step }, bounds) ?? { from, to, step, isStar: isStar && step <= 1 }
}

function rangeFault({ from, to, step }: Omit<Range, 'isStar'>, bounds: Bounds): string | undefined {
  const { min, max, name } = bounds
  const sunday = name === 'weekday' && (from === 7 || to === 7) ? ' (Sunday is 0)' : ''
  if (from < min) return `is below ${min}`
  if (to > max) return `is above ${max}${sunday}`
  if (from > to) return from > max ? `is above ${max}${sunday}` : 'ends before it begins'
  return step === 0 ? 'has the step 0' : undefined
}

function numberOf(text: string, { names, min }: Bounds): number | string {
  const named = names.indexOf(text.toLowerCase())
  if (named >= 0) return named + min
  if (text === '') return 'lacks a number'
  // Larger numbers fit no field, and as a step no integer of Go.
  return /^\+?0*\d{1,18}$/.test(text) ? Number(text) : 'is no number'
}

const every = (bounds: Bounds | undefined): CronField => {
  const { min = 0, max = 0 } = bounds ?? {}
  const values = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  return { values: new Set(values), isStar: true }
}

const only = (value: number): CronField => ({ values: new Set([value]), isStar: false })

function readDescriptor(text: string): CronReading {
  const days = every(FIELDS[2])
  const months = every(FIELDS[3])
  const weekdays = every(FIELDS[4])
  const at = (...rest: readonly CronField[]): CronReading => ({
    schedule: fieldsOf(only(0), ...rest),
  })
  switch (text) {
    case '@yearly':
    case '@annually':
      return at(only(0), only(1), only(1), weekdays)
    case '@monthly':
      return at(only(0), only(1), months, weekdays)
    case '@weekly':
      return at(only(0), days, months, only(0))
    case '@daily':
    case '@midnight':
      return at(only(0), days, months, weekdays)
    case '@hourly':
      return at(every(FIELDS[1]), days, months, weekdays)
  }
  const period = /^@every (.*)$/s.exec(text)?.[1]
  if (period === undefined) return faultAt(0, text.length, `${text} is no descriptor of Kubernetes`)
  const seconds = goDurationSeconds(period)
  if (seconds === undefined) {
    return faultAt(
      '@every '.length,
      text.length,
      `${period} is no duration (write 90s, 15m or 1h30m)`,
    )
  }
  return { schedule: { kind: 'every', seconds: Math.max(1, Math.floor(seconds)) } }
}

function faultAt(start: number, end: number, what: string): CronReading {
  return { fault: { start, end, what } }
}

function ascending(one: number, other: number): number {
  return one - other
}
