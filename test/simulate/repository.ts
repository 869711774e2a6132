import { inputOf, type Files, type Options } from '../ownership/harness.ts'
import { buildRepository } from '../../src/ownership/repository.ts'
import type { Workload } from '../../src/cluster/kubelet/scenario-script.ts'
import { historyOf } from '../../src/simulate/history/history-of.ts'
import { runsOf } from '../../src/simulate/history/history.ts'
import { scenarioEngines } from '../../src/simulate/scenario/stages/index.ts'
import type { PlayTools } from '../../src/simulate/trace/player.ts'
import { Play } from '../../src/simulate/world/play.ts'
import { snapshotOf } from '../../src/simulate/repository/snapshot-of.ts'
import type { Snapshot } from '../../src/simulate/repository/snapshot.ts'
import { worldsOf } from '../../src/simulate/repository/worlds-of.ts'

/** What can be played of files, given as path and text. */
export function snapshotIn(files: Files, options: Options = {}): Snapshot {
  const input = inputOf(files, options)
  return snapshotOf(buildRepository(input), input)
}

/** `shop/migrate: unknown why`, or its carrier. */
export function lanesIn(snapshot: Snapshot): readonly string[] {
  return snapshot.lanes.map(
    ({ name, cluster, appliedBy, unknown }) =>
      `${cluster === '' ? '' : `[${cluster}] `}${name}: ${unknown ?? appliedBy}`,
  )
}

export interface PlayedOptions {
  readonly days?: number
  readonly workloads?: readonly Workload[]
  readonly tools?: PlayTools
  /** Snapshots that follow, by the hour of their commit. */
  readonly later?: readonly (readonly [hours: number, snapshot: Snapshot])[]
}

const START = Date.UTC(2026, 0, 5)
const HOUR = 3_600_000

/** Hours of the runs of each lane: `shop/migrate: 0 25 50`; work takes a minute. */
export function played(
  first: Snapshot,
  {
    days = 7,
    workloads = [{ name: '*', durationMs: 60_000 }],
    tools = {},
    later = [],
  }: PlayedOptions = {},
): readonly string[] {
  const states = [
    { revision: 'c0', words: 'start', afterMs: 0, snapshot: first },
    ...later.map(([hours, snapshot], index) => ({
      revision: `c${index + 1}`,
      words: `commit ${index + 1}`,
      afterMs: hours * HOUR,
      snapshot,
    })),
  ]
  const end = START + days * 24 * HOUR
  const play = { start: START, end, engines: scenarioEngines, workloads }
  const lines = worldsOf(first, states, play).flatMap(({ cluster, world, declared }) => {
    const run = new Play(world, { timing: { mode: 'idealised' } }, tools)
    run.finish()
    const history = historyOf(run, { timing: { mode: 'idealised' }, declared })
    return history.lanes.map((lane) => {
      const hours = runsOf(lane, history).map(({ startedAt }) => (startedAt - START) / HOUR)
      const shown = hours.map((hour) => String(Math.round(hour * 100) / 100))
      const prefix = cluster === '' ? '' : `[${cluster}] `
      return `${prefix}${lane.name}: ${lane.unknown === undefined ? shown.join(' ') : 'unknown'}`
    })
  })
  return lines.sort()
}
