import type { Chance } from '../../../cluster/chance.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Next, Record, State, Wake } from './state.ts'

/** More ticks than this are drawn together. */
const MOST_DRAWS = 60

/**
 * The tick that follows `now` of a Kustomization whose reconciles changed nothing since `anchor`:
 * each comes `everyMs`, with jitter, after the end of the one before it (F-1, F-2).
 */
export function tickAfter(
  now: Instant,
  next: Omit<Next, 'why'>,
  jitter: number,
  chance: Chance,
): Instant {
  const { anchor, everyMs, costMs, isJittered } = next
  const step = everyMs + costMs
  const share = isJittered ? jitter : 0
  if (share === 0) {
    const ticks = Math.max(0, Math.ceil((now - anchor - everyMs) / step))
    return anchor + everyMs + ticks * step
  }
  let end = anchor
  const many = Math.floor((now - anchor) / step) - MOST_DRAWS
  if (many > 0) end += many * step + spread(many, everyMs * share, chance)
  for (;;) {
    const tick = end + everyMs * (1 + share * (2 * chance.next() - 1))
    if (tick >= now) return Math.round(tick)
    end = tick + costMs
  }
}

/** The sum of many even draws from ±`reach`, which is all but normal. */
function spread(count: number, reach: number, chance: Chance): number {
  const radius = Math.sqrt(-2 * Math.log(1 - chance.next()))
  const normal = radius * Math.cos(2 * Math.PI * chance.next())
  const most = Math.sqrt(count) * reach
  return Math.max(-4 * most, Math.min(4 * most, (normal * reach * Math.sqrt(count)) / Math.sqrt(3)))
}

/**
 * With idealised timing, what happens at the very second of a tick comes before it, and its chain
 * (a TTL, the collector, finalizers) takes a few wakes of that second.
 */
const MOST_HOPS = 16

/** Whether the tick lets others of the same instant go first. */
export function lingers(key: string, hops: number, io: Io<Wake>): boolean {
  if (hops >= MOST_HOPS) return false
  io.wakeAt(io.now, { kind: 'tick', key, hops: hops + 1 }, `tick ${key}`)
  return true
}

/** Something has changed that the next tick will see: only then there is one. */
export function wakeNext(state: State, record: Record, jitter: number, io: Io<Wake>): void {
  const { next, key } = record
  if (record.run !== undefined && !record.hasNews) {
    state.records.set(key, { ...record, hasNews: true })
  }
  if (next === undefined || next.isPlanned || record.run !== undefined) return
  const at = tickAfter(io.now, next, jitter, io.chance)
  state.records.set(key, { ...record, next: { ...next, isPlanned: true } })
  io.wakeAt(at, { kind: 'tick', key, hops: 0 }, `tick ${key}`)
}
