import type { Instant } from '../../time.ts'

/**
 * How fast a real client may send: requests a second, after a first burst. The Job controller works
 * on several Jobs at once and sends its Events beside them, all through the same client.
 */
export interface ClientLimit {
  readonly perSecond: number
  readonly burst: number
  /** Syncs at the same time. */
  readonly workers: number
}

/** What a controller manager has unless it is told otherwise. */
export const DEFAULT_LIMIT: ClientLimit = { perSecond: 20, burst: 30, workers: 5 }

/** How much of the limit is used, and which Jobs wait for their turn, first come first served. */
export interface Turns {
  readonly at: Instant
  /** Requests that may be sent now; below zero, those sent ahead of their time. */
  readonly credit: number
  /** Events that are not sent yet. */
  readonly events: number
  readonly waiting: readonly string[]
}

export function fullTurns(limit: ClientLimit, now: Instant): Turns {
  return { at: now, credit: limit.burst, events: 0, waiting: [] }
}

export function waitTurn(turns: Turns, key: string): Turns {
  if (turns.waiting.includes(key)) return turns
  return { ...turns, waiting: [...turns.waiting, key] }
}

/** A sync has sent its requests and left its Events to be sent. */
export function spend(turns: Turns, requests: number, events: number): Turns {
  const credit = turns.credit - requests
  const sentAtOnce = Math.min(Math.max(Math.floor(credit), 0), events)
  return {
    ...turns,
    credit: credit - sentAtOnce,
    events: turns.events + events - sentAtOnce,
  }
}

/** Time passes: the sender of Events takes its share as one among the workers. */
export function pass(turns: Turns, limit: ClientLimit, now: Instant): Turns {
  const all = ((now - turns.at) * limit.perSecond) / 1000
  const sent = Math.min(turns.events, all / (limit.workers + 1))
  const credit = Math.min(turns.credit + all - sent, limit.burst)
  return { ...turns, at: now, credit, events: turns.events - sent }
}

/** Milliseconds until the next sync may send its first request. */
export function untilTurn(turns: Turns, limit: ClientLimit): number {
  const needed = 1 - turns.credit
  if (needed <= 0) return 0
  const perMs = limit.perSecond / 1000
  // While Events wait, they get one part in workers + 1.
  const beside = needed / limit.workers
  const all = turns.events >= beside ? needed + beside : needed + turns.events
  return Math.ceil(all / perMs)
}
