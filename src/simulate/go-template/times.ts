import { GoObject, isGoObject, printed, type Value } from './value.ts'

/** A time.Time in UTC. */
export function timeObject(milliseconds: number): GoObject {
  const date = new Date(milliseconds)
  const [text = ''] = date.toISOString().split('.')
  const format = (layout: Value): Value => dated(printed(layout), timeObject(milliseconds), 'UTC')
  return new GoObject({
    type: 'time.Time',
    text: `${text.replace('T', ' ')} +0000 UTC`,
    json: date.toISOString().replace(/\.?0*Z$/, 'Z'),
    methods: {
      Format: format,
      Unix: () => BigInt(Math.floor(milliseconds / 1000)),
      UnixNano: () => BigInt(Math.floor(milliseconds)) * 1_000_000n,
      UnixMilli: () => BigInt(Math.floor(milliseconds)),
      Year: () => BigInt(date.getUTCFullYear()),
      Day: () => BigInt(date.getUTCDate()),
      Hour: () => BigInt(date.getUTCHours()),
      Minute: () => BigInt(date.getUTCMinutes()),
      Second: () => BigInt(date.getUTCSeconds()),
      UTC: () => timeObject(milliseconds),
      String: () => `${text.replace('T', ' ')} +0000 UTC`,
      AddDate: (years, months, days) =>
        timeObject(
          Date.UTC(
            date.getUTCFullYear() + Number(years),
            date.getUTCMonth() + Number(months),
            date.getUTCDate() + Number(days),
            date.getUTCHours(),
            date.getUTCMinutes(),
            date.getUTCSeconds(),
            date.getUTCMilliseconds(),
          ),
        ),
    },
  })
}

/** Seconds where it is a whole number; what is no time is `now`, as sprig has it. */
export function readTime(time: Value, now: number): GoObject {
  if (isGoObject(time) && time.type === 'time.Time') return time
  return timeObject(typeof time === 'bigint' ? Number(time) * 1000 : now)
}

/** Milliseconds since 1970. */
export function instantOf({ json }: GoObject): number {
  return Date.parse(printed(json))
}

/** A date, or a date and a time, in UTC where no zone is named. */
export function instantIn(text: string): number | undefined {
  const [whole, day = '', time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[-+]\d\d:\d\d)?$/.exec(text) ?? []
  const instant = whole === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(instant) ? undefined : instant
}

const PARTS =
  /2006|January|Monday|Jan|Mon|MST|Z07:00|-07:00|-0700|Z0700|002|01|02|03|04|05|06|15|PM|pm|_2|[.,](?:0+|9+)(?!\d)|[1-5]/g

/** Go's layouts, in one pass, so that what was put in is not read again. */
export function dated(format: string, time: GoObject, zone: string): string {
  const date = new Date(instantOf(time))
  if (zone !== 'UTC' && zone !== '' && zone !== 'Local' && zone !== 'GMT') {
    throw new Error(`times are given in UTC only, not in ${zone}`)
  }
  const iso = date.toISOString()
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
  const [hour = '', minute = '', second = ''] = iso.slice(11, 19).split(':')
  const twelve = String(Number(hour) % 12 || 12)
  const [weekday = '', monthName = ''] = [DAYS[date.getUTCDay()], MONTHS[Number(month) - 1]]
  const start = Date.UTC(date.getUTCFullYear(), 0, 1)
  const values: { readonly [part: string]: string } = {
    '2006': year,
    '06': year.slice(2),
    '01': month,
    '1': String(Number(month)),
    January: monthName,
    Jan: monthName.slice(0, 3),
    '02': day,
    _2: String(Number(day)).padStart(2, ' '),
    '2': String(Number(day)),
    '002': String(Math.floor((date.getTime() - start) / 86_400_000) + 1).padStart(3, '0'),
    Monday: weekday,
    Mon: weekday.slice(0, 3),
    '15': hour,
    '03': twelve.padStart(2, '0'),
    '3': twelve,
    '04': minute,
    '4': String(Number(minute)),
    '05': second,
    '5': String(Number(second)),
    PM: Number(hour) < 12 ? 'AM' : 'PM',
    pm: Number(hour) < 12 ? 'am' : 'pm',
    MST: zone === 'GMT' ? 'GMT' : 'UTC',
    'Z07:00': 'Z',
    Z0700: 'Z',
    '-07:00': '+00:00',
    '-0700': '+0000',
  }
  return format.replaceAll(PARTS, (part) => values[part] ?? fraction(part, iso.slice(20, 23)))
}

function fraction(part: string, milliseconds: string): string {
  const digits = milliseconds.padEnd(part.length - 1, '0').slice(0, part.length - 1)
  if (part[1] === '0') return part.charAt(0) + digits
  const short = digits.replace(/0+$/, '')
  return short === '' ? '' : part.charAt(0) + short
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const UNITS: { readonly [unit: string]: number } = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  ns: 0.000_001,
}

/** Go's duration, such as `-1h30m`; undefined for what is none. */
export function millisecondsIn(text: string): number | undefined {
  const [whole, sign = '', parts = ''] =
    /^([-+]?)((?:\d+(?:\.\d*)?(?:h|ms|us|ns|m|s))+|0)$/.exec(text) ?? []
  if (whole === undefined) return undefined
  let sum = 0
  for (const [, count, unit = ''] of parts.matchAll(/(\d+(?:\.\d*)?)(h|ms|us|ns|m|s)/g)) {
    sum += Number(count) * (UNITS[unit] ?? 0)
  }
  return sign === '-' ? -sum : sum
}

/** `1h1m5s` */
export function durationText(seconds: number): string {
  const left = Math.abs(seconds)
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60]
  const sign = seconds < 0 ? '-' : ''
  if (hours > 0) return `${sign}${hours}h${minutes}m${left % 60}s`
  return minutes > 0 ? `${sign}${minutes}m${left % 60}s` : `${sign}${left}s`
}
