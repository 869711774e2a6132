/**
 * IANA time zones, as the API server takes them for a CronJob's `timeZone`: exact case, no
 * abbreviations but the few that are zones themselves. The data is that of the JavaScript engine.
 */
export type ZoneFault = 'empty' | 'local' | 'no-name' | 'wrong-case' | 'not-known'

export function zoneFault(name: string): ZoneFault | undefined {
  if (name === '') return 'empty'
  if (name.toLowerCase() === 'local') return 'local'
  const parts = name.split('/')
  if (!parts.every((part) => /^(?!-|\.\.?$)[A-Za-z0-9._+-]{1,14}$/.test(part))) return 'no-name'
  if (parts.length === 1 && !LONE_NAMES.has(name)) {
    const known = [...LONE_NAMES].some((other) => other.toLowerCase() === name.toLowerCase())
    return known ? 'wrong-case' : 'not-known'
  }
  if (formatterOf(name) === undefined || parts[0] === 'SystemV') return 'not-known'
  // No area has three capitals in a row, no place four, and none begins with a small letter.
  const isCased = parts.every((part) => /^[A-Z]/.test(part) && !/[A-Z]{4}/.test(part))
  return isCased && (parts.length === 1 || !/^[A-Z]{3}/.test(name)) ? undefined : 'wrong-case'
}

/** The names that the engine lists, for proposals; older spellings are not among them. */
export function zoneNames(): readonly string[] {
  return Intl.supportedValuesOf('timeZone')
}

/** Zones without an area. The engine knows more (`PST`, `IST`), which are none elsewhere. */
const LONE_NAMES: ReadonlySet<string> = new Set(
  (
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST ' +
    'Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT ' +
    'Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu'
  ).split(' '),
)

/** A change of the clocks: minutes of a local day that are left out, or that come twice. */
export interface ClockChange {
  readonly kind: 'left-out' | 'twice'
  readonly year: number
  readonly month: number
  readonly dayOfMonth: number
  /** From Sunday, 0. */
  readonly weekday: number
  /** Minutes of the day, half open. */
  readonly fromMinute: number
  readonly toMinute: number
}

const DAY_MS = 86_400_000
/** Long enough for a change to meet each weekday and several dates. */
const FIRST_MS = Date.UTC(2025, 0, 1)
const LAST_MS = Date.UTC(2031, 0, 1)
/** No zone moves its clocks there and back within this time. */
const STEP_MS = 14 * DAY_MS

/** The changes of six years from 2025 on; none for a zone without summer time. */
export function clockChanges(name: string): readonly ClockChange[] {
  const formatter = formatterOf(name)
  if (formatter === undefined) return []
  const changes: ClockChange[] = []
  let before = FIRST_MS
  let offset = offsetMinutes(formatter, before)
  for (let after = before + STEP_MS; after <= LAST_MS; after += STEP_MS) {
    const next = offsetMinutes(formatter, after)
    if (next !== offset) {
      const at = momentOfChange(formatter, before, after)
      changes.push(changeAt(at, offset, next))
    }
    before = after
    offset = next
  }
  return changes
}

function momentOfChange(formatter: Intl.DateTimeFormat, before: number, after: number): number {
  const old = offsetMinutes(formatter, before)
  let [low, high] = [before, after]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (offsetMinutes(formatter, middle) === old) low = middle
    else high = middle
  }
  return high
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

function changeAt(at: number, before: number, after: number): ClockChange {
  const local = new Date(at + Math.min(before, after) * MINUTE_MS)
  const fromMinute = local.getUTCHours() * 60 + local.getUTCMinutes()
  return {
    kind: after > before ? 'left-out' : 'twice',
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    dayOfMonth: local.getUTCDate(),
    weekday: local.getUTCDay(),
    fromMinute,
    toMinute: Math.min(fromMinute + Math.abs(after - before), DAY_MINUTES),
  }
}

function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

/** From `1/1/2025, GMT-03:30`; UTC itself is `GMT`. */
function offsetMinutes(formatter: Intl.DateTimeFormat, at: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(formatter.format(at)) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '-' ? -size : size
}
