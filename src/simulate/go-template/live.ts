import type { Functions } from './exec.ts'
import { printed, type Value } from './value.ts'

export interface Live {
  /** Milliseconds since 1970. */
  readonly now: number
  /** From 0 to 1, another one each time. */
  readonly chance: () => number
  /** `lookup apiVersion kind namespace name`; empty maps where nothing is looked up. */
  readonly lookUp?: (apiVersion: string, kind: string, namespace: string, name: string) => Value
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'

/**
 * What a chart gets from the clock, from chance and from the cluster, and what therefore differs
 * from one rendering to the next: a name with `now` in it is another Job each time.
 */
export function liveFunctions({ now, chance, lookUp }: Live): Functions {
  const drawn = (letters: string, count: Value): string =>
    Array.from(
      { length: Number(count) },
      () => letters[Math.floor(chance() * letters.length)],
    ).join('')
  return {
    now: () => new Date(now).toISOString(),
    date: (format, time) => dated(printed(format), instantOf(time, now)),
    dateInZone: (format, time) => dated(printed(format), instantOf(time, now)),
    htmlDate: (time) => dated('2006-01-02', instantOf(time, now)),
    unixEpoch: (time) => String(Math.floor(instantOf(time, now) / 1000)),
    randAlphaNum: (count) => drawn(LETTERS + DIGITS, count),
    randAlpha: (count) => drawn(LETTERS, count),
    randNumeric: (count) => drawn(DIGITS, count),
    randAscii: (count) => drawn(LETTERS + DIGITS, count),
    randInt: (from, to) =>
      BigInt(Math.floor(Number(from) + chance() * (Number(to) - Number(from)))),
    uuidv4: () => uuid(() => drawn('0123456789abcdef', 1n)),
    lookup: (...parts) => {
      const [apiVersion = '', kind = '', namespace = '', name = ''] = parts.map((one) =>
        printed(one),
      )
      return lookUp?.(apiVersion, kind, namespace, name) ?? {}
    },
  }
}

function instantOf(time: Value, now: number): number {
  if (typeof time === 'bigint' || typeof time === 'number') return Number(time) * 1000
  const instant = Date.parse(printed(time))
  return Number.isNaN(instant) ? now : instant
}

const PARTS = /2006|01|02|15|03|04|05|06|Jan|Mon|MST|PM|Z07:00|-0700|\.000/g

/** Go's reference time in UTC, in one pass, so that what was put in is not read again. */
function dated(format: string, instant: number): string {
  const date = new Date(instant)
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T')
  const [year = '', month = '', ofMonth = ''] = day.split('-')
  const [hour = '', minute = '', rest = ''] = time.split(':')
  const [weekday = '', , monthName = ''] = date.toUTCString().replace(',', '').split(' ')
  const values: { readonly [part: string]: string } = {
    '2006': year,
    '06': year.slice(2),
    '01': month,
    '02': ofMonth,
    '15': hour,
    '03': String(Number(hour) % 12 || 12).padStart(2, '0'),
    '04': minute,
    '05': rest.slice(0, 2),
    '.000': `.${rest.slice(3)}`,
    PM: Number(hour) < 12 ? 'AM' : 'PM',
    Jan: monthName,
    Mon: weekday,
    MST: 'UTC',
    'Z07:00': 'Z',
    '-0700': '+0000',
  }
  return format.replaceAll(PARTS, (part) => values[part] ?? part)
}

function uuid(digit: () => string): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', digit)
}
