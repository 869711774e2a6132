import type { Restore, Waiter } from '../../engines/engine.ts'
import type { JobRun } from './work.ts'

/** Seconds at which a Job starts: one by one, then at an even distance from the last of them. */
export interface Starts {
  readonly before: readonly number[]
  /** Left out: no more of them. */
  readonly periodSeconds?: number
  /** What begins the rounds that restore it. */
  readonly by: 'interval' | 'retry' | 'watch'
}

export type Restoring = Extract<Restore, { when: 'interval' | 'watch' }>

interface Run extends JobRun {
  readonly ttlSeconds: number
}

/** When a Job with a TTL runs whose engine restores it. The first run is at 0. */
export function restoredStarts(
  restore: Restoring,
  waiter: Waiter | undefined,
  run: Run,
): Starts | { readonly unknown: string } {
  if (restore.when === 'interval') return byInterval(restore, waiter, run)
  // Whatever the sync waits for and does not find, or finds failed, ends it; retries follow.
  if (waiter?.absent === 'failure' && (run.ttlSeconds === 0 || !run.ok)) {
    return { unknown: `what becomes of ${waiter.who} when the Job is gone or fails` }
  }
  const gap = run.seconds + run.ttlSeconds + restore.delaySeconds
  const pauses = restore.pausesSeconds ?? []
  const gaps = pauses.map((pause) => Math.max(pause, gap))
  return { ...settled(gaps.length === 0 ? [gap] : gaps), by: 'watch' }
}

/** Gaps of which the last one stays. */
function settled(gaps: readonly number[]): Omit<Starts, 'by'> {
  const period = gaps.at(-1) ?? 0
  const before = [0]
  const other = gaps.findLastIndex((gap) => !isSame(gap, period))
  for (const gap of gaps.slice(0, other + 1)) before.push((before.at(-1) ?? 0) + gap)
  return { before, periodSeconds: period }
}

/** Times are sums of milliseconds. */
function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.0005
}

/** How many of them come before the end of the span. */
export function within(starts: Starts, spanSeconds: number): number {
  const before = starts.before.filter((start) => start < spanSeconds || isSame(start, 0)).length
  const last = starts.before.at(-1) ?? 0
  if (starts.periodSeconds === undefined || last >= spanSeconds) return before
  return before + Math.ceil((spanSeconds - last) / starts.periodSeconds) - 1
}

type Interval = Extract<Restore, { when: 'interval' }>

/** Longer than any growth of retries takes to settle. */
const MOST_CYCLES = 64

function byInterval(
  restore: Interval,
  waiter: Waiter | undefined,
  run: Run,
): Starts | { readonly unknown: string } {
  const { periodSeconds } = restore
  if (periodSeconds === undefined) return { unknown: 'how long its interval is' }
  const gaps: number[] = []
  const known = { restore, periodSeconds, waiter, run }
  let failures = 0
  let by: Starts['by'] = 'interval'
  for (let cycle = 0; cycle < MOST_CYCLES; cycle += 1) {
    const found = nextRestore(known, { isFirst: cycle === 0, failures })
    if ('unknown' in found) return found
    if (found.afterSeconds === Infinity) return { before: startsOf(gaps), by }
    const before = gaps.at(-1)
    const isSettled = before !== undefined && isSame(before, found.afterSeconds)
    gaps.push(found.afterSeconds)
    by = found.by
    if (isSettled && (found.failures === failures || found.failures >= GROWN)) break
    ;({ failures } = found)
  }
  return { ...settled(gaps), by }
}

/** So many doublings are beyond every limit of a retry. */
const GROWN = 24

function startsOf(gaps: readonly number[]): readonly number[] {
  const starts = [0]
  for (const gap of gaps) starts.push((starts.at(-1) ?? 0) + gap)
  return starts
}

interface Known {
  readonly restore: Interval
  readonly periodSeconds: number
  readonly waiter: Waiter | undefined
  readonly run: Run
}

interface Restored {
  readonly afterSeconds: number
  readonly failures: number
  readonly by: 'interval' | 'retry'
}

/** From one start, at 0, through rounds that find the Job there, to the one that does not. */
function nextRestore(
  known: Known,
  { isFirst, failures: before }: { readonly isFirst: boolean; readonly failures: number },
): Restored | { readonly unknown: string } {
  const { restore, periodSeconds, waiter, run } = known
  const goneAt = run.seconds + run.ttlSeconds
  const { unwaited, waiterOfNew } = restore
  const ofAll = unwaited === undefined || isFirst ? waiter : undefined
  let failures = before
  let roundAt = 0
  for (let round = 0; ; round += 1) {
    const waits = ofAll ?? (round === 0 ? waiterOfNew : undefined)
    const end = waits === undefined ? { at: roundAt, ok: true } : waitOf(waits, roundAt, run)
    if (end === undefined) return { afterSeconds: Infinity, failures, by: 'interval' }
    if (!end.ok && (restore.retry === undefined || unwaited !== undefined)) {
      return { unknown: `what follows when ${waiter?.who ?? 'a round'} fails` }
    }
    failures = end.ok ? 0 : failures + 1
    const step = end.ok ? periodSeconds : retrySeconds(restore, failures)
    const by = end.ok ? 'interval' : 'retry'
    if (round === 0 && unwaited !== undefined) {
      roundAt = waits === undefined ? unwaited.againSeconds : end.at
      if (roundAt >= goneAt) return { afterSeconds: roundAt, failures, by }
      continue
    }
    roundAt = end.at + step
    if (roundAt >= goneAt) return { afterSeconds: roundAt, failures, by }
    // Once the Job is over, rounds are alike until it is gone, as soon as retries stop growing.
    const isEven =
      roundAt >= run.seconds && (end.ok === run.ok || waits === undefined) && waits === ofAll
    const isGrown = end.ok || step >= (restore.retry?.mostSeconds ?? 0)
    if (!isEven || !isGrown) continue
    const rounds = Math.ceil((goneAt - roundAt) / step)
    return {
      afterSeconds: roundAt + rounds * step,
      failures: end.ok ? 0 : failures + rounds,
      by,
    }
  }
}

function retrySeconds({ retry }: Interval, failures: number): number {
  const { firstSeconds = 0, mostSeconds = 0 } = retry ?? {}
  return Math.min(firstSeconds * 2 ** Math.min(failures - 1, GROWN), mostSeconds)
}

/** How a wait ends that begins at `from`; undefined: never. */
function waitOf(
  { pollSeconds, timeoutSeconds = Infinity, absent }: Waiter,
  from: number,
  run: Run,
): { readonly at: number; readonly ok: boolean } | undefined {
  const looks =
    pollSeconds === undefined ? 0 : Math.ceil(Math.max(run.seconds - from, 0) / pollSeconds)
  const seenAt =
    pollSeconds === undefined ? Math.max(run.seconds, from) : from + looks * pollSeconds
  const limit = from + timeoutSeconds
  if (seenAt > limit) return { at: limit, ok: false }
  const isGone = run.seconds + run.ttlSeconds <= seenAt
  if (!isGone) return { at: seenAt, ok: run.ok }
  switch (absent) {
    case 'success':
      return { at: seenAt, ok: true }
    case 'failure':
      return { at: seenAt, ok: false }
    case 'timeout':
      return Number.isFinite(limit) ? { at: limit, ok: false } : undefined
    case 'hangs':
    default:
      return undefined
  }
}
