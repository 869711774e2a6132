import type { Instant } from '../../cluster/time.ts'

/** Times as the report writes them: UTC, and offsets from the start of the simulated span. */

export const SECOND = 1000
export const MINUTE: number = 60 * SECOND
export const HOUR: number = 60 * MINUTE
export const DAY: number = 24 * HOUR

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')

/** `25h`, `1h 30m`, `5m`, `1.5s`: at most two units, days from two days on. */
export function duration(milliseconds: number): string {
  if (milliseconds < 0) return `-${duration(-milliseconds)}`
  if (milliseconds < SECOND) return milliseconds === 0 ? '0s' : `${Math.round(milliseconds)}ms`
  if (milliseconds < 10 * SECOND) return `${Math.round(milliseconds / 100) / 10}s`
  return spelt(milliseconds, 2 * DAY)
}

/** `start`, `+25m`, `+1d 1h`: days from one day on, because it is read against dates. */
export function offset(at: Instant, start: Instant): string {
  const passed = at - start
  if (passed === 0) return 'start'
  const sign = passed < 0 ? '\u2212' : '+'
  const distance = Math.abs(passed)
  return sign + (distance < SECOND ? `${Math.round(distance)}ms` : spelt(distance, DAY))
}

function spelt(milliseconds: number, daysFrom: number): string {
  const whole = Math.round(milliseconds / SECOND) * SECOND
  const units: readonly (readonly [string, number])[] =
    whole >= daysFrom
      ? [
          ['d', DAY],
          ['h', HOUR],
          ['m', MINUTE],
          ['s', SECOND],
        ]
      : [
          ['h', HOUR],
          ['m', MINUTE],
          ['s', SECOND],
        ]
  const first = units.findIndex(([, size]) => whole >= size)
  const [name, size] = units[first] ?? ['s', SECOND]
  const [nextName, nextSize] = units[first + 1] ?? ['', 0]
  const count = Math.floor(whole / size)
  const rest = nextSize === 0 ? 0 : Math.floor((whole - count * size) / nextSize)
  return rest === 0 ? `${count}${name}` : `${count}${name} ${rest}${nextName}`
}

/** `Tue 7 Jan 2025, 01:00:00 UTC`. */
export function dateTime(at: Instant): string {
  const date = new Date(at)
  return `${dayOf(date)} ${date.getUTCFullYear()}, ${clock(at)} UTC`
}

/** `7 Jan 2025 01:00`, for tables. */
export function shortDateTime(at: Instant): string {
  const date = new Date(at)
  const month = MONTHS[date.getUTCMonth()]
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()} ${clock(at)}`
}

/** `01:00`, with seconds where there are any, with milliseconds likewise. */
export function clock(at: Instant): string {
  const text = new Date(at).toISOString().slice(11, 23)
  if (!text.endsWith('.000')) return text
  return text.slice(6, 8) === '00' ? text.slice(0, 5) : text.slice(0, 8)
}

/** `Tue 7 Jan`. */
export function day(at: Instant): string {
  return dayOf(new Date(at))
}

/** `Jan 2025`. */
export function month(at: Instant): string {
  const date = new Date(at)
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

function dayOf(date: Date): string {
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}

/** `1 run`, `10,080 runs`. */
export function count(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`
}

export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+(?!\d))/g, ',')
}
