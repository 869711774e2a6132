import type { Instant } from '../../cluster/time.ts'
import { runsOf, type Happening, type Lane, type Run } from '../history/history.ts'
import { lastUntil, type LookUp } from './look-up.ts'

/** In what rhythm a Job runs. Spans are milliseconds. */
export type Pattern =
  | { readonly kind: 'never' }
  | { readonly kind: 'once'; readonly at: Instant }
  /** Each run belongs to one of them, and none of them to two. */
  | {
      readonly kind: 'occasions'
      readonly occasion: Occasion
      readonly ran: number
      readonly of: number
    }
  | {
      readonly kind: 'period'
      /** The runs before the rhythm sets in, and the first in it. */
      readonly before: readonly Instant[]
      readonly min: number
      readonly median: number
      readonly max: number
      readonly isSteady: boolean
      /** The last run, when the rhythm stops long before the end. */
      readonly until?: Instant
    }
  | { readonly kind: 'irregular'; readonly min: number; readonly max: number }

export type Occasion = 'commit' | 'request' | 'sync'

/** The rhythm of the runs that no schedule asked for. */
export function patternOf(lane: Lane, seen: LookUp): Pattern {
  const runs = runsOf(lane, seen.history)
  const [first] = runs
  if (first === undefined) return { kind: 'never' }
  if (runs.length === 1) return { kind: 'once', at: first.startedAt }
  return byOccasions(runs, lane, seen) ?? byGaps(runs, seen.history.end)
}

/** Occasions that people know, each with what marks a run that it caused. */
const OCCASIONS: readonly {
  readonly occasion: Occasion
  readonly caused: (run: Run) => boolean
  readonly all: (lane: Lane, seen: LookUp) => readonly Happening[]
}[] = [
  {
    occasion: 'commit',
    caused: (run) => triggerOf(run)?.trigger === 'revision',
    all: (_lane, seen) => seen.ofKind('commit'),
  },
  {
    occasion: 'request',
    caused: (run) => triggerOf(run)?.trigger === 'request',
    all: (_lane, seen) => inOrder(seen.ofKind('request'), seen.ofKind('sync')),
  },
  {
    occasion: 'sync',
    caused: ({ cause }) => cause === 'hook' || cause === 'replaced',
    all: (lane, seen) => seen.ofCarrier(lane).filter(({ words }) => /^synced\b/.test(words)),
  },
]

function inOrder(...lists: readonly (readonly Happening[])[]): readonly Happening[] {
  return lists.flat().sort((one, other) => one.at - other.at)
}

function byOccasions(runs: readonly Run[], lane: Lane, seen: LookUp): Pattern | undefined {
  for (const { occasion, caused, all } of OCCASIONS) {
    if (!runs.every(caused)) continue
    const known = all(lane, seen)
    if (known.length < 2) continue
    const met = new Set<number>()
    for (const { createdAt } of runs) {
      const at = lastUntil(known, createdAt)
      if (at >= 0) met.add(at)
    }
    if (met.size === runs.length) {
      return { kind: 'occasions', occasion, ran: met.size, of: known.length }
    }
  }
  return undefined
}

function byGaps(runs: readonly Run[], end: Instant): Pattern {
  const starts = runs.map(({ startedAt }) => startedAt)
  const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? start))
  const last = starts.at(-1) ?? end
  for (const wanted of [steady, about]) {
    for (let skipped = 0; skipped <= MOST_BEFORE && skipped < gaps.length; skipped += 1) {
      // One gap is a period only where nothing was passed over to find it.
      if (skipped > 0 && gaps.length - skipped < LEAST_GAPS) break
      const found = rhythm(gaps.slice(skipped))
      if (!wanted(found)) continue
      const stopped = end - last > found.max * STOPPED_AFTER
      return {
        kind: 'period',
        before: starts.slice(0, skipped + 1),
        ...found,
        isSteady: steady(found),
        ...(stopped ? { until: last } : {}),
      }
    }
  }
  return settled(gaps, starts) ?? { kind: 'irregular', ...ends(gaps) }
}

/** Most gaps are alike, after others that were not: pauses that grow up to a limit. */
function settled(gaps: readonly number[], starts: readonly Instant[]): Pattern | undefined {
  const from = Math.floor(gaps.length * MOSTLY_BEFORE)
  const tail = gaps.slice(from)
  if (tail.length < LEAST_GAPS || !steady(rhythm(tail))) return undefined
  let skipped = from
  while (skipped > 0 && steady(rhythm(gaps.slice(skipped - 1)))) skipped -= 1
  return {
    kind: 'period',
    before: starts.slice(0, skipped + 1),
    ...rhythm(gaps.slice(skipped)),
    isSteady: true,
  }
}

const MOSTLY_BEFORE = 0.2

/** So many runs may stand before a rhythm; the last of them is the first in it. */
const MOST_BEFORE = 2
const LEAST_GAPS = 3
const STOPPED_AFTER = 2

function rhythm(gaps: readonly number[]): Rhythm {
  const sorted = [...gaps].sort((one, other) => one - other)
  return { ...ends(gaps), median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0 }
}

interface Rhythm {
  readonly min: number
  readonly median: number
  readonly max: number
}

/** Equal to a second or a thousandth. */
function steady({ min, median, max }: Rhythm): boolean {
  return max - min <= Math.max(SECOND, median / 1000)
}

/** The longest is not half longer than the shortest. */
function about({ min, max }: Rhythm): boolean {
  return min > 0 && max <= min * ABOUT
}

const SECOND = 1000
const ABOUT = 1.5

function ends(gaps: readonly number[]): { readonly min: number; readonly max: number } {
  let min = Infinity
  let max = 0
  for (const gap of gaps) {
    min = Math.min(min, gap)
    max = Math.max(max, gap)
  }
  return { min, max }
}

/**
 * What began the round in which it was created. The chain may also hold how the Job before it went
 * away, and a TTL that was over begins no round of an engine.
 */
export function triggerOf({ created }: Pick<Run, 'created'>): Run['created'][number] | undefined {
  let latest: Run['created'][number] | undefined
  for (const step of created) {
    if (step.role !== 'trigger' || step.trigger === 'expiry') continue
    if (latest === undefined || step.at > latest.at) latest = step
  }
  return latest
}
