import { Fault } from '../../core/faults.ts'
import {
  compareDrill,
  drillOf,
  withDrill,
  type Drill,
  type DrillRow,
} from '../../simulate/drill/drill.ts'
import type { History, Run } from '../../simulate/history/history.ts'
import { triggerOf } from '../../simulate/tell/pattern.ts'
import { isoTime, many, offsetText } from '../../simulate/tell/spans.ts'
import { printable, wrap } from '../words.ts'
import type { SimulateOptions } from './options.ts'
import { playWorld, type Playable } from './show.ts'
import type { TimelineContext } from './timeline.ts'

/** An accident that was played, and which Jobs fared otherwise. */
export interface PlayedDrill {
  readonly drill: Drill
  readonly history: History
  readonly rows: readonly DrillRow[]
  /** For a program. */
  readonly told: object
}

export function playDrills(
  playable: Playable,
  base: History,
  options: SimulateOptions,
): readonly PlayedDrill[] {
  return options.drills.map((text) => {
    const drill = drillOf(text, playable.world)
    if (!('event' in drill)) throw new Fault('USAGE', drill)
    const history = playWorld(withDrill(playable.world, drill), playable, options)
    const rows = compareDrill(base, history, drill)
    return { drill, history, rows, told: toldOf(drill, rows, base) }
  })
}

function toldOf({ text, at, event }: Drill, rows: readonly DrillRow[], base: History): object {
  const run = ({ startedAt, cause }: Run): object => ({
    at: isoTime(startedAt),
    seconds: (startedAt - base.start) / 1000,
    cause,
  })
  return {
    drill: text,
    at: isoTime(at),
    seconds: (at - base.start) / 1000,
    what: event.words,
    jobs: rows.map(({ lane, before, with: count, again, missed }) => ({
      name: lane.name,
      runsWithout: before,
      runsWith: count,
      again: again.map(run),
      missed: missed.map(run),
    })),
  }
}

const READING = 100
/** More than these are counted. */
const MOST_RUNS = 3

/** Which Jobs run again because of an accident, and which do not run. */
export function drillText(
  { drill, rows }: PlayedDrill,
  { start }: History,
  { paint, width }: TimelineContext,
): string {
  const when = (run: Run): string => offsetText(run.startedAt - start)
  const head = `Drill ${drill.text}: ${drill.event.words} at ${offsetText(drill.at - start)}`
  if (rows.length === 0) {
    return `${paint.strong(head)}\n  ${paint.good('no Job runs otherwise because of it')}\n`
  }
  const lines = rows.flatMap(({ lane, before, with: count, again, missed }) => {
    const [first] = again
    const reason = first === undefined ? undefined : triggerOf(first)?.words
    const words = [
      `${many(count, 'run')} after it, ${before} without it`,
      ...(again.length === 0 ? [] : [`runs at ${listed(again.map(when))}`]),
      ...(missed.length === 0 ? [] : [`does not run at ${listed(missed.map(when))}`]),
      ...(reason === undefined ? [] : [`the first because ${reason}`]),
    ].join('; ')
    const brush = count > before ? paint.warning : paint.strong
    return [
      `  ${brush(printable(lane.name))}`,
      ...wrap(printable(words), Math.min(width, READING) - 6).map((row) => `    ${row}`),
    ]
  })
  return `${[paint.strong(head), ...lines].join('\n')}\n`
}

function listed(times: readonly string[]): string {
  const left = times.length - MOST_RUNS
  const shown = times.slice(0, MOST_RUNS).join(', ')
  return left > 0 ? `${shown} and ${many(left, 'more time')}` : shown
}
