import { readCron } from '../../../core/cron.ts'
import { goDurationSeconds } from '../../../core/go-duration.ts'
import { zoneFault } from '../../../core/time-zone.ts'
import { goQuote } from '../../api/go-text.ts'
import type { Complaints } from '../complaints.ts'

export interface ScheduleRules {
  readonly path: string
  /** On an update of a CronJob that had a zone in its schedule before that was forbidden. */
  readonly zoneAllowed: boolean
  readonly hasTimeZone: boolean
}

export function checkSchedule(out: Complaints, schedule: string, rules: ScheduleRules): void {
  const { path, zoneAllowed, hasTimeZone } = rules
  if (schedule === '') return out.required(path)
  const fault = scheduleFault(schedule)
  if (fault !== undefined) out.invalid(path, schedule, fault)
  if (!schedule.includes('TZ')) return
  if (!zoneAllowed) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    out.invalid(path, schedule, detail)
  } else if (hasTimeZone) {
    const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    out.invalid(path, schedule, detail)
  }
}

/** What robfig/cron says of a schedule that it cannot read. */
function scheduleFault(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=/.exec(schedule)
  if (zone === null) {
    return readCron(schedule).schedule === undefined ? faultText(schedule) : undefined
  }
  const space = schedule.indexOf(' ')
  if (space < 0) {
    return 'invalid schedule format: runtime error: slice bounds out of range [:-1]'
  }
  const name = schedule.slice(zone[0].length, space)
  const fault = zoneFault(name)
  if (fault !== undefined && fault !== 'empty' && name !== 'Local') {
    return `provided bad location ${name}: unknown time zone ${name}`
  }
  return scheduleFault(schedule.slice(space).trim())
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
]

function faultText(schedule: string): string {
  if (schedule === '') return 'empty spec string'
  if (schedule.startsWith('@')) return descriptorFault(schedule)
  const fields = schedule.match(/\P{White_Space}+/gu) ?? []
  if (fields.length !== BOUNDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`
  }
  for (const [at, field] of fields.entries()) {
    for (const range of field.split(',')) {
      const bounds = BOUNDS[at]
      const fault = range === '' || bounds === undefined ? undefined : rangeFault(range, bounds)
      if (fault !== undefined) return fault
    }
  }
  return 'invalid schedule'
}

function descriptorFault(descriptor: string): string {
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`
  return `failed to parse duration ${descriptor}: ${durationFault(descriptor.slice(7))}`
}

/** Of Go's time.ParseDuration. */
function durationFault(text: string): string {
  const shown = goQuote(text)
  const body = text.replace(/^[-+]/, '')
  if (body === '' || !/^[\d.]/.test(body)) return `time: invalid duration ${shown}`
  let rest = body
  while (rest !== '') {
    const [number = ''] = /^[\d.]*/.exec(rest) ?? []
    if (!/^(?:\d+\.?\d*|\.\d+)$/.test(number)) return `time: invalid duration ${shown}`
    rest = rest.slice(number.length)
    const [unit = ''] = /^[^\d.]*/.exec(rest) ?? []
    if (unit === '') return `time: missing unit in duration ${shown}`
    if (goDurationSeconds(`1${unit}`) === undefined) {
      return `time: unknown unit ${goQuote(unit)} in duration ${shown}`
    }
    rest = rest.slice(unit.length)
  }
  return `time: invalid duration ${shown}`
}

function rangeFault(text: string, { min, max, names }: Bounds): string | undefined {
  const [range = '', stepText, ...more] = text.split('/')
  const [low = '', high, ...further] = range.split('-')
  const isStar = low === '*' || low === '?'
  let [start, end] = [min, max]
  if (!isStar) {
    const from = numberOf(low, names, min)
    if (typeof from === 'string') return from
    start = end = from
    if (further.length > 0) return `too many hyphens: ${text}`
    if (high !== undefined) {
      const to = numberOf(high, names, min)
      if (typeof to === 'string') return to
      end = to
    }
  }
  let step = 1
  if (more.length > 0) return `too many slashes: ${text}`
  if (stepText !== undefined) {
    const read = numberOf(stepText, [], min)
    if (typeof read === 'string') return read
    step = read
    if (high === undefined) end = max
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined
}

function numberOf(text: string, names: readonly string[], first: number): number | string {
  const named = names.indexOf(text.toLowerCase())
  if (named >= 0) return named + first
  if (!/^[-+]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`
  }
  const number = Number(text)
  if (Math.abs(number) >= 2 ** 63) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`
  }
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number
}
