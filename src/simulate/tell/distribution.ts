import type { Instant } from '../../cluster/time.ts'
import { runsOf, type History, type Lane, type Run } from '../history/history.ts'
import { grouped, many, spanWords } from './spans.ts'

/** How far the answers of many plays of one scenario, each with its own chance, lie apart. */
export interface Distribution {
  readonly plays: number
  readonly seeds?: { readonly first: number; readonly last: number }
  readonly start: Instant
  /** The latest: a play that runs without bound is cut early. */
  readonly end: Instant
  readonly lanes: readonly LaneDistribution[]
}

export interface LaneDistribution {
  readonly name: string
  readonly kind: Lane['kind']
  readonly appliedBy?: string
  /** Plays in which it ran at all. */
  readonly ran: number
  /** Runs of one play; plays without a run count as 0. */
  readonly runs: Spread
  /** How many plays had how many runs, ascending. */
  readonly counts: readonly { readonly runs: number; readonly plays: number }[]
  /** Milliseconds from the start to the first run, over the plays that have one. */
  readonly first?: Spread
  readonly failed: Spread
  /** Plays in which two of its runs were going at one time. */
  readonly overlapped: number
}

export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

/** What a distribution needs of one play: the history itself may go. */
export interface Sample {
  readonly seed?: number
  readonly start: Instant
  readonly end: Instant
  readonly lanes: readonly LaneSample[]
}

interface LaneSample {
  readonly name: string
  readonly kind: Lane['kind']
  readonly appliedBy?: string
  readonly runs: number
  readonly failed: number
  readonly first?: number
  readonly overlaps: boolean
}

export function sampleOf(history: History): Sample {
  const { start, end, timing, lanes } = history
  return {
    ...(timing.mode === 'realistic' ? { seed: timing.seed } : {}),
    start,
    end,
    lanes: lanes.map((lane) => {
      const { name, kind, appliedBy } = lane
      const runs = runsOf(lane, history)
      const [first] = runs
      return {
        name,
        kind,
        ...(appliedBy === undefined ? {} : { appliedBy }),
        runs: runs.length,
        failed: runs.filter(({ outcome }) => outcome === 'failed').length,
        ...(first === undefined ? {} : { first: first.startedAt - start }),
        overlaps: overlap(runs, end),
      }
    }),
  }
}

/** Whether a run began while one before it was still going. `runs` in the order of their starts. */
function overlap(runs: readonly Run[], end: Instant): boolean {
  let latest = -Infinity
  for (const { startedAt, endedAt, deletedAt } of runs) {
    if (startedAt < latest) return true
    latest = Math.max(latest, endedAt ?? deletedAt ?? end)
  }
  return false
}

/** Lanes in the order of the first play, then what only later ones have. */
export function distributionOf(samples: readonly Sample[]): Distribution {
  const byName = new Map<string, LaneSample[]>()
  for (const { lanes } of samples) {
    for (const lane of lanes) {
      const known = byName.get(lane.name)
      if (known === undefined) byName.set(lane.name, [lane])
      else known.push(lane)
    }
  }
  const seeds = samples.flatMap(({ seed }) => (seed === undefined ? [] : [seed]))
  return {
    plays: samples.length,
    ...(seeds.length === 0
      ? {}
      : { seeds: { first: Math.min(...seeds), last: Math.max(...seeds) } }),
    start: samples[0]?.start ?? 0,
    end: samples.reduce((latest, { end }) => Math.max(latest, end), samples[0]?.end ?? 0),
    lanes: [...byName.values()].map((own) => laneDistribution(own, samples.length)),
  }
}

function laneDistribution(own: readonly LaneSample[], plays: number): LaneDistribution {
  const absent = Array.from({ length: plays - own.length }, () => 0)
  const runs = [...own.map((lane) => lane.runs), ...absent]
  const firsts = own.flatMap(({ first }) => (first === undefined ? [] : [first]))
  const counts = new Map<number, number>()
  for (const count of runs) counts.set(count, (counts.get(count) ?? 0) + 1)
  const [{ name, kind, appliedBy } = NOBODY] = own
  return {
    name,
    kind,
    ...(appliedBy === undefined ? {} : { appliedBy }),
    ran: firsts.length,
    runs: spreadOf(runs),
    counts: [...counts]
      .sort(([one], [other]) => one - other)
      .map(([count, of]) => ({ runs: count, plays: of })),
    ...(firsts.length === 0 ? {} : { first: spreadOf(firsts) }),
    failed: spreadOf([...own.map(({ failed }) => failed), ...absent]),
    overlapped: own.filter(({ overlaps }) => overlaps).length,
  }
}

const NOBODY: Pick<LaneSample, 'name' | 'kind' | 'appliedBy'> = { name: '', kind: 'Job' }

/** The median of an even number is the lower of the two in the middle: a value that came. */
function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other)
  return {
    min: sorted[0] ?? 0,
    median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    max: sorted.at(-1) ?? 0,
  }
}

/** `6 to 8 runs in 7 days, mostly 7; first after 0 s to 4 s; in 3 of 100 plays two at one time`. */
export function distributionSentence(
  lane: LaneDistribution,
  { plays, start, end }: Distribution,
): string {
  const span = spanWords(end - start)
  const { runs, ran, first, failed, overlapped } = lane
  if (ran === 0) return `never runs in ${span}, in none of ${many(plays, 'play')}`
  const number =
    runs.min === runs.max
      ? `${many(runs.min, 'run')} in ${span} in every play`
      : `${grouped(runs.min)} to ${many(runs.max, 'run')} in ${span}${mostly(lane, plays)}`
  const parts = [
    number,
    ...(ran < plays ? [`${grouped(plays - ran)} of ${grouped(plays)} plays have no run`] : []),
    ...(first === undefined ? [] : [`first ${between(first)}`]),
    ...(failed.max === 0
      ? []
      : [
          failed.min === failed.max
            ? `${grouped(failed.max)} failed in every play`
            : `${grouped(failed.min)} to ${grouped(failed.max)} failed`,
        ]),
    ...(overlapped === 0
      ? []
      : [`two runs at one time in ${grouped(overlapped)} of ${grouped(plays)} plays`]),
  ]
  return parts.join('; ')
}

/** The number that most plays have; where none has the half of them, the one in the middle. */
function mostly({ counts, runs }: LaneDistribution, plays: number): string {
  const most = counts.find((one) => one.plays * 2 > plays)
  return most === undefined
    ? `, median ${grouped(runs.median)}`
    : `, ${grouped(most.runs)} in ${grouped(most.plays)} of ${grouped(plays)} plays`
}

function between({ min, max }: Spread): string {
  const [early, late] = [spanWords(min), spanWords(max)]
  return early === late ? `after ${early}` : `after ${early} to ${late}`
}
