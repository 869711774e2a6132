import { runsOf, type History, type Lane, type Run } from '../history/history.ts'
import { skippedTicks } from './cron-sentence.ts'
import { scheduleWords } from './cron-words.ts'
import { applierOf, lookUp, type LookUp } from './look-up.ts'
import { neverWords } from './never.ts'
import { outcomeCell } from './outcomes.ts'
import { patternOf, type Pattern } from './pattern.ts'
import { reasonOf } from './reason.ts'
import {
  everyWords,
  firstWords,
  isUnbounded,
  OCCASION_NAMES,
  repeatsOf,
  restWords,
} from './sentence.ts'
import { grouped, spanWords } from './spans.ts'

/** A lane in the cells of a table. A dash stands for what there is nothing to say about. */
export interface Row {
  readonly lane: Lane
  readonly name: string
  readonly appliedBy: string
  readonly runs: string
  readonly first: string
  /** The period, the occasion, or when the last run began. */
  readonly every: string
  readonly outcomes: string
  readonly why: string
}

export function rowsOf(history: History, seen: LookUp = lookUp(history)): readonly Row[] {
  return history.lanes.map((lane) => rowOf(lane, seen))
}

function rowOf(lane: Lane, seen: LookUp): Row {
  const { history } = seen
  const runs = runsOf(lane, history)
  const [first] = runs
  const isUnknown = lane.unknown !== undefined
  return {
    lane,
    name: lane.name,
    appliedBy: applierOf(lane) ?? '-',
    runs: isUnknown ? '?' : grouped(runs.length),
    first: first === undefined ? '-' : firstWords(first.startedAt - history.start),
    every: isUnknown ? '-' : everyCell(lane, runs, seen),
    outcomes: outcomeCell(runs),
    why: whyCell(lane, runs, seen),
  }
}

function everyCell(lane: Lane, runs: readonly Run[], seen: LookUp): string {
  const { history } = seen
  if (runs.length === 0) return '-'
  if (lane.kind === 'CronJob' && lane.schedule !== undefined) return lane.schedule
  if (isUnbounded(lane, seen)) return 'without bound'
  const pattern: Pattern = patternOf(lane, seen)
  switch (pattern.kind) {
    case 'never':
    case 'once':
      return '-'
    case 'occasions': {
      const name = OCCASION_NAMES[pattern.occasion]
      return pattern.ran === pattern.of
        ? `every ${name}`
        : `${pattern.ran} of ${pattern.of} ${name}s`
    }
    case 'period':
      return pattern.until === undefined && runs.length > 2
        ? everyWords(pattern).replace(/ \(.*\)$/, '')
        : lastCell(runs, history)
    case 'irregular':
    default:
      return lastCell(runs, history)
  }
}

function lastCell(runs: readonly Run[], { start }: History): string {
  const last = runs.at(-1)
  return last === undefined ? '-' : `last after ${spanWords(last.startedAt - start)}`
}

export function whyCell(lane: Lane, runs: readonly Run[], seen: LookUp): string {
  if (lane.unknown !== undefined) return lane.unknown
  const [only] = runs
  if (only === undefined) return neverWords(lane, seen)
  if (lane.kind === 'CronJob') {
    const skipped = skippedTicks(lane, seen).length
    const words =
      lane.schedule === undefined ? 'its schedule' : scheduleWords(lane.schedule, lane.timeZone)
    return skipped === 0 ? words : `${words}; ${grouped(skipped)} ticks started nothing`
  }
  if (runs.length === 1) return restWords(only, lane)
  return reasonOf(repeatsOf(runs, patternOf(lane, seen)), lane)
}
