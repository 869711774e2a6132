import { comesOn, minutesOfDay, readCron, type CronSchedule } from '../../core/cron.ts'
import { integerAt, stringAt, type JsonObject } from '../../core/json.ts'
import { scheduleWords, ticksWithin } from '../tell/cron-words.ts'
import { grouped, many, spanWords } from '../tell/spans.ts'
import type { Forecast, ForecastOptions } from './contract.ts'
import { neverForecast, unknownForecast } from './words.ts'
import { workOf } from './work.ts'

/** The runs of a CronJob: its ticks, as far as its concurrency policy lets them start. */
export function scheduleForecast(object: JsonObject, options: ForecastOptions): Forecast {
  const { start, spanSeconds } = options
  const text = stringAt(object, ['spec', 'schedule']) ?? ''
  const { schedule } = readCron(text)
  if (schedule === undefined) {
    return neverForecast(`its schedule ${text} cannot be read`, [], options)
  }
  const timeZone = stringAt(object, ['spec', 'timeZone'])
  const given = { schedule: text, ...(timeZone === undefined ? {} : { timeZone }) }
  // A tick at the very moment of its creation is over.
  const span = { from: start + 1, until: start + spanSeconds * 1000 }
  const ticks = schedule.kind === 'every' ? everyTicks(schedule, span) : ticksWithin(given, span)
  if (ticks === undefined) return unknownForecast(`the time zone ${timeZone ?? ''} is not known`)
  const starts = startsOf(ticks, object, options)
  if (starts === undefined) return unknownForecast(HELD_UP)
  const [first] = starts
  const counted = many(starts.length, 'run')
  const skipped = ticks.length - starts.length
  const late =
    skipped === 0
      ? ''
      : `; ${many(skipped, 'tick')} started nothing, because the run before was still going`
  const when = scheduleWords(text, timeZone)
  return {
    kind: 'schedule',
    runs: starts.length,
    ...(first === undefined ? {} : { firstSeconds: (first - start) / 1000 }),
    cause: 'schedule',
    rules: [],
    short: skipped === 0 ? oftenWords(schedule, start) : `${grouped(starts.length)} a week`,
    sentence: `${counted} in ${spanWords(spanSeconds * 1000)}: ${when}${late}`,
  }
}

const HELD_UP =
  'a run may still be going at its next tick, and how late that one starts is not told'

interface Span {
  readonly from: number
  readonly until: number
}

function everyTicks(
  { seconds }: { readonly seconds: number },
  { from, until }: Span,
): readonly number[] {
  const ticks: number[] = []
  for (
    let at = from - 1 + seconds * 1000;
    at < until && ticks.length < MOST;
    at += seconds * 1000
  ) {
    ticks.push(at)
  }
  return ticks
}

const MOST = 100_000

/** With Forbid a tick in the way of a run starts late, when that run is over (K, CronJob). */
function startsOf(
  ticks: readonly number[],
  object: JsonObject,
  { start, spanSeconds, work }: ForecastOptions,
): readonly number[] | undefined {
  if (stringAt(object, ['spec', 'concurrencyPolicy']) !== 'Forbid') return ticks
  const template = object['spec'] as JsonObject | undefined
  const job = (template?.['jobTemplate'] ?? {}) as JsonObject
  const run = workOf(job, work)
  if (run === undefined) return undefined
  const gaps = new Set(ticks.slice(1).map((tick, at) => tick - (ticks[at] ?? 0)))
  const shortest = Math.min(...gaps) / 1000
  // Which of several missed ticks counts is only plain where they are evenly apart.
  if (gaps.size > 1 && run.seconds >= shortest) return undefined
  const deadline = integerAt(object, ['spec', 'startingDeadlineSeconds']) ?? Infinity
  const until = start + spanSeconds * 1000
  const starts: number[] = []
  let free = -Infinity
  let missed: number | undefined
  const take = (at: number): void => {
    if (at < until) starts.push(at)
    free = at + run.seconds * 1000
  }
  for (const tick of ticks) {
    if (missed !== undefined && free <= tick) {
      const isInTime = (free - missed) / 1000 <= deadline
      missed = undefined
      if (isInTime) take(free)
    }
    if (tick >= free) take(tick)
    else missed = tick
  }
  if (missed !== undefined && (free - missed) / 1000 <= deadline) take(free)
  return starts
}

/** `24 a day`, `2 a week`, `12 a year`: what one week cannot tell is counted in a year. */
function oftenWords(schedule: CronSchedule, start: number): string {
  if (schedule.kind === 'every') return `every ${spanWords(schedule.seconds * 1000)}`
  const ofDay = minutesOfDay(schedule).length
  const isWeekly = schedule.dayOfMonth.isStar && schedule.month.values.size === 12
  const days = daysOf(schedule, start, isWeekly ? 7 : 365)
  if (isWeekly && days === 7) return `${grouped(ofDay)} a day`
  return `${grouped(ofDay * days)} a ${isWeekly ? 'week' : 'year'}`
}

function daysOf(
  schedule: Extract<CronSchedule, { kind: 'fields' }>,
  start: number,
  count: number,
): number {
  let found = 0
  for (let day = 0; day < count; day += 1) {
    const date = new Date(start + day * DAY_MS)
    const here = {
      month: date.getUTCMonth() + 1,
      dayOfMonth: date.getUTCDate(),
      weekday: date.getUTCDay(),
    }
    if (comesOn(schedule, here)) found += 1
  }
  return found
}

const DAY_MS = 86_400_000
