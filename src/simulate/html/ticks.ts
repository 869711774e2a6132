import type { Instant } from '../../cluster/time.ts'
import { DAY, HOUR, MINUTE, SECOND, clock, day, month, offset } from './format.ts'
import type { View } from './scale.ts'

export interface Tick {
  readonly at: Instant
  /** Wall clock: `06:00`, and `Tue 7 Jan` where a day begins. */
  readonly label: string
  /** `+1d 6h`. */
  readonly offset: string
  /** A day, month or year begins: drawn stronger. */
  readonly isMajor: boolean
}

const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14].map((days) => days * DAY),
]

const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120]

/** Jan 1970 was a Thursday; weeks are counted from a Monday. */
const FIRST_MONDAY = 4 * DAY

/** Instants at round wall-clock times in view and in the span, one every `room` pixels or fewer. */
export function ticks(
  { view, width, start, end }: { view: View; width: number; start: Instant; end: Instant },
  room: number = 96,
): readonly Tick[] {
  const least = ((view.to - view.from) * room) / Math.max(width, room)
  const step = STEPS.find((size) => size >= least)
  const instants = step === undefined ? monthStarts(view, least) : multiples(view, step)
  const inside = instants.filter((at) => at >= start && at <= end)
  return inside.map((at) => {
    const isMonthly = step === undefined
    const isMajor = isMonthly ? new Date(at).getUTCMonth() === 0 : at % DAY === 0 && step < DAY
    const label = isMonthly ? month(at) : at % DAY === 0 ? day(at) : clock(at)
    return { at, label, offset: offset(at, start), isMajor }
  })
}

function multiples({ from, to }: View, step: number): readonly Instant[] {
  const origin = step >= 7 * DAY ? FIRST_MONDAY : 0
  const instants: Instant[] = []
  for (let at = Math.ceil((from - origin) / step) * step + origin; at <= to; at += step) {
    instants.push(at)
  }
  return instants
}

function monthStarts({ from, to }: View, least: number): readonly Instant[] {
  const months =
    MONTH_STEPS.find((count) => count * 28 * DAY >= least) ??
    Math.ceil(least / (28 * DAY) / 240) * 240
  const first = new Date(from)
  const begin = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months
  const instants: Instant[] = []
  for (let index = begin; ; index += months) {
    const at = Date.UTC(Math.floor(index / 12), index % 12, 1)
    if (at > to) return instants
    if (at >= from) instants.push(at)
  }
}
