import type { Instant } from '../../cluster/time.ts'

/**
 * A span as people say it: `45 s`, `10 min`, `25 h`, `7 days`, `6 days 6 h`. Exact up to ten
 * minutes; beyond that what is smaller than a minute, and from ten days on smaller than an hour, is
 * rounded.
 */
export function spanWords(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000
  if (seconds < 10) return `${Number(seconds.toFixed(2))} s`
  const whole = Math.round(seconds)
  if (whole < 2 * MINUTE) return whole === MINUTE ? '1 min' : `${whole} s`
  if (whole < 10 * MINUTE) return joined([whole / MINUTE, 'min'], [whole % MINUTE, 's'])
  const minutes = Math.round(seconds / MINUTE)
  if (minutes < 120 && minutes !== 60) return `${minutes} min`
  if (minutes < 3 * DAY_MINUTES) {
    if (minutes === 2 * DAY_MINUTES) return '2 days'
    return joined([minutes / 60, 'h'], [minutes % 60, 'min'])
  }
  if (minutes < 10 * DAY_MINUTES) {
    return joined(
      [minutes / DAY_MINUTES, 'days'],
      [(minutes % DAY_MINUTES) / 60, 'h'],
      [minutes % 60, 'min'],
    )
  }
  const hours = Math.round(minutes / 60)
  return joined([hours / 24, 'days'], [hours % 24, 'h'])
}

const MINUTE = 60
const DAY_MINUTES = 1440

/** Units with nothing in them are left out. */
function joined(...parts: readonly (readonly [amount: number, unit: string])[]): string {
  return parts
    .map(([amount, unit]) => [Math.floor(amount), unit] as const)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

/**
 * An offset from the start in the form that `--why JOB@TIME` reads: `25h` is `1d1h`, `1d5m30s`,
 * `0.25s`, and `0s` at the start.
 */
export function offsetText(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : ''
  let left = Math.round(Math.abs(milliseconds))
  const parts: string[] = []
  for (const [size, unit] of UNITS) {
    const amount = Math.floor(left / size)
    left -= amount * size
    if (amount > 0) parts.push(`${amount}${unit}`)
  }
  if (left > 0) parts.push(`${left / 1000}s`)
  return parts.length === 0 ? '0s' : sign + parts.join('')
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
}

/** Milliseconds of `25h`, `1d1h`, `90m`, `1.5h`, `0`; undefined for anything else. */
export function offsetOf(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^(\d+(\.\d+)?(d|h|ms|m|s))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount = '', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(d|h|ms|m|s)/g)) {
    total += Number(amount) * (UNIT_MS[unit] ?? 0)
  }
  return Math.round(total)
}

/** RFC 3339 in UTC; milliseconds only where there are some. */
export function isoTime(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}

/** For people: `2026-01-06 01:00:00 UTC`. */
export function wallTime(instant: Instant): string {
  return `${isoTime(instant).replace('T', ' ').replace('Z', '')} UTC`
}

/** `1 run`, `7 runs`, `1,000 runs`. */
export function many(number: number, one: string, more = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : more}`
}

export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  if (parts.length <= 1) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
