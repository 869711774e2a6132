/**
 * The offsets of a time zone from UTC, as intervals without a change. Found by asking the
 * JavaScript engine a few times per year and remembered; the answers never change.
 */
export interface ZoneOffsets {
  at(instantMs: number): OffsetInterval
}

/** Half open; the ends are changes of the clock, or as far as anybody looked. */
export interface OffsetInterval {
  readonly fromMs: number
  readonly untilMs: number
  readonly offsetMs: number
}

export const UTC_OFFSETS: ZoneOffsets = {
  at: () => ({ fromMs: -Infinity, untilMs: Infinity, offsetMs: 0 }),
}

/** Undefined for a name that the engine does not know. */
export function zoneOffsets(name: string): ZoneOffsets | undefined {
  if (name === '' || name === 'UTC') return UTC_OFFSETS
  const formatter = formatterOf(name)
  if (formatter === undefined) return undefined
  const years = new Map<number, readonly OffsetInterval[]>()
  const ofYear = (year: number): readonly OffsetInterval[] => {
    const known = years.get(year)
    if (known !== undefined) return known
    const found = intervalsOfYear(formatter, year)
    years.set(year, found)
    return found
  }
  let last: OffsetInterval | undefined
  return {
    at(instantMs) {
      if (last !== undefined && instantMs >= last.fromMs && instantMs < last.untilMs) return last
      const year = new Date(instantMs).getUTCFullYear()
      const found = ofYear(year).find(({ untilMs }) => instantMs < untilMs)
      last = joined(found ?? nowhere(instantMs), ofYear(year - 1).at(-1), ofYear(year + 1)[0])
      return last
    },
  }
}

/** Over the turn of a year the clocks rarely change: the interval goes on beyond it. */
function joined(
  { fromMs, untilMs, offsetMs }: OffsetInterval,
  before: OffsetInterval | undefined,
  after: OffsetInterval | undefined,
): OffsetInterval {
  const goesBack = before?.untilMs === fromMs && before.offsetMs === offsetMs
  const goesOn = after?.fromMs === untilMs && after.offsetMs === offsetMs
  return {
    fromMs: goesBack ? before.fromMs : fromMs,
    untilMs: goesOn ? after.untilMs : untilMs,
    offsetMs,
  }
}

function nowhere(instantMs: number): OffsetInterval {
  return { fromMs: instantMs, untilMs: instantMs + 1, offsetMs: 0 }
}

const MINUTE_MS = 60_000
/** No zone moves its clocks there and back within this time. */
const STEP_MS = 14 * 86_400_000

function intervalsOfYear(formatter: Intl.DateTimeFormat, year: number): readonly OffsetInterval[] {
  const start = startOfYear(year)
  const end = startOfYear(year + 1)
  const intervals: OffsetInterval[] = []
  let fromMs = start
  let offsetMs = offsetOf(formatter, start)
  for (let before = start; before < end; before += STEP_MS) {
    const after = Math.min(before + STEP_MS, end)
    const next = offsetOf(formatter, after)
    if (next === offsetMs) continue
    const untilMs = momentOfChange(formatter, before, after)
    intervals.push({ fromMs, untilMs, offsetMs })
    fromMs = untilMs
    offsetMs = next
  }
  if (fromMs < end) intervals.push({ fromMs, untilMs: end, offsetMs })
  return intervals
}

/** The first instant with the offset of `after`, to the minute. */
function momentOfChange(formatter: Intl.DateTimeFormat, before: number, after: number): number {
  const old = offsetOf(formatter, before)
  let [low, high] = [before, after]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (offsetOf(formatter, middle) === old) low = middle
    else high = middle
  }
  return high
}

function startOfYear(year: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, 0, 1)
  return date.getTime()
}

function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

/** From `1/1/2025, GMT-03:30`; UTC itself is `GMT`, and old local times have seconds. */
function offsetOf(formatter: Intl.DateTimeFormat, instantMs: number): number {
  const found = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(formatter.format(instantMs))
  const [, sign, hours, minutes, seconds] = found ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)
  return (sign === '-' ? -size : size) * 1000
}
