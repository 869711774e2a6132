import type { Instant } from '../../cluster/time.ts'
import { runsOf, type JobLife, type Lane, type Run } from '../history/history.ts'
import { scheduleWords, ticksWithin } from './cron-words.ts'
import type { LookUp } from './look-up.ts'
import { outcomeWords } from './outcomes.ts'
import { grouped, listed, many, spanWords } from './spans.ts'

/** `168 runs in 7 days: at minute 0 of every hour; 3 ticks skipped, because the run before …`. */
export function cronSentence(lane: Lane, seen: LookUp): string {
  const { history } = seen
  const runs = runsOf(lane, history)
  const span = spanWords(history.end - history.start)
  const byHand = runs.filter(({ cause }) => cause === 'manual').length
  const counted = `${many(runs.length, 'run')} in ${span}${outcomeWords(runs)}`
  const when =
    lane.schedule === undefined ? 'by its schedule' : scheduleWords(lane.schedule, lane.timeZone)
  const parts = [
    `${counted}: ${when}`,
    ...(byHand === 0 ? [] : [`${many(byHand, 'run')} of these started by hand`]),
    ...skippedWords(skippedTicks(lane, seen)),
  ]
  return parts.join('; ')
}

export interface SkippedTick {
  readonly at: Instant
  /** The run that was still going, where one was. */
  readonly blockedBy?: JobLife
  readonly isSuspended: boolean
}

/**
 * Ticks between the CronJob's first and last sign of life that no Job has. A Job's name ends in the
 * minute of its tick, so that a late start is not taken for a skipped tick.
 */
export function skippedTicks(lane: Lane, seen: LookUp): readonly SkippedTick[] {
  const { schedule, timeZone, lives } = lane
  if (schedule === undefined) return []
  const scheduled = lives.filter(({ cause }) => cause === 'schedule')
  const done = new Set(scheduled.map(tickOf))
  const { from, until } = aliveBetween(lane, seen, scheduled)
  const given = { schedule, ...(timeZone === undefined ? {} : { timeZone }) }
  const ticks = ticksWithin(given, { from, until }) ?? []
  const sorted = runsOf(lane, seen.history)
  const skipped: SkippedTick[] = []
  let before = 0
  for (const at of ticks) {
    if (done.has(at)) continue
    while ((sorted[before]?.startedAt ?? Infinity) < at) before += 1
    const blockedBy = goingAt(sorted, before, at)
    const isSuspended = (lane.suspended ?? []).some(
      ({ from, until: to = Infinity }) => from <= at && at < to,
    )
    skipped.push({ at, isSuspended, ...(blockedBy === undefined ? {} : { blockedBy }) })
  }
  return skipped
}

function goingAt(runs: readonly Run[], before: number, at: Instant): Run | undefined {
  const run = runs[before - 1]
  return run !== undefined && (run.endedAt ?? run.deletedAt ?? Infinity) > at ? run : undefined
}

/** `<CronJob>-<minutes since 1970>`; the minute of its creation for any other name. */
function tickOf({ name, createdAt }: JobLife): Instant {
  const minutes = /-(\d{7,9})$/.exec(name)?.[1]
  return (minutes === undefined ? Math.floor(createdAt / MINUTE) : Number(minutes)) * MINUTE
}

const MINUTE = 60_000

function aliveBetween(
  lane: Lane,
  seen: LookUp,
  scheduled: readonly JobLife[],
): { readonly from: Instant; readonly until: Instant } {
  const own = seen.ofObject(`CronJob ${lane.name}`)
  const created = own.find(({ kind }) => kind === 'created')?.at
  const removed = own.findLast(({ kind }) => kind === 'deleted' || kind === 'pruned')?.at
  const first = scheduled[0]
  return {
    from: created ?? (first === undefined ? seen.history.end : tickOf(first)),
    until: Math.min(removed ?? seen.history.end, seen.history.end),
  }
}

function skippedWords(skipped: readonly SkippedTick[]): readonly string[] {
  if (skipped.length === 0) return []
  const reasons: readonly (readonly [string, number])[] = [
    ['while it was suspended', skipped.filter(({ isSuspended }) => isSuspended).length],
    ['because the run before was still going', skipped.filter(isBlocked).length],
    [
      'with no run in the way',
      skipped.filter((tick) => !tick.isSuspended && !isBlocked(tick)).length,
    ],
  ]
  const own = reasons.filter(([, count]) => count > 0)
  const words = own.map(([reason, count]) =>
    own.length === 1 ? reason : `${grouped(count)} ${reason}`,
  )
  return [`${many(skipped.length, 'tick')} started nothing, ${listed(words)}`]
}

function isBlocked({ isSuspended, blockedBy }: SkippedTick): boolean {
  return !isSuspended && blockedBy !== undefined
}
