import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import { REPEATED } from './causes.ts'
import {
  IDEALISED_TIMING,
  LIMIT,
  RETRY_MS,
  type KroOptions,
  type State,
  type Wake,
} from './state.ts'

/**
 * Plans a pass of an instance; several triggers before it begins are one, and the first counts as
 * its reason unless an object went away. Without delays the pass comes behind what others do at the
 * same instant, so a TTL of 0 hides a success as it mostly does.
 */
export function enqueue(
  options: KroOptions,
  state: State,
  { key, trigger }: { readonly key: string; readonly trigger: Trigger },
  io: Io<Wake>,
): void {
  const known = state.queued.get(key)
  if (known === undefined || isLess(known, trigger)) state.queued.set(key, trigger)
  if (known !== undefined) return
  const { trigger: delays } = options.timing ?? IDEALISED_TIMING
  const delay = typeof delays === 'number' ? delays : delays(io.chance)
  const wait = delay + waitFor(state, io.now)
  io.wakeAt(io.now + wait, { kind: wait === 0 ? 'yield' : 'instance', key }, key)
}

function isLess(known: Trigger, news: Trigger): boolean {
  const isSeen = known.kind === 'watch' || known.kind === 'dependency'
  return isSeen && news.words.endsWith('went away')
}

/** A bucket of tokens, refilled evenly; milliseconds until the next one is there. */
function waitFor(state: State, now: Instant): number {
  const refilled = ((now - state.tokensAt) / 1000) * LIMIT.perSecond
  state.tokens = Math.min(LIMIT.burst, state.tokens + refilled) - 1
  state.tokensAt = now
  return state.tokens >= 0 ? 0 : Math.ceil((-state.tokens / LIMIT.perSecond) * 1000)
}

/**
 * The real controller tries a failed instance again every 3 s, and meets the same refusal as long as
 * nothing changes. So a try is planned only where something may have changed, for the instant at
 * which the real one would come.
 */
export function enqueueRetry(state: State, key: string, io: Io<Wake>): void {
  const failedAt = state.records.get(key)?.failedAt
  if (failedAt === undefined || state.queued.has(key)) return
  const tries = Math.floor((io.now - failedAt) / RETRY_MS) + 1
  state.queued.set(key, REPEATED)
  io.wakeAt(failedAt + tries * RETRY_MS, { kind: 'instance', key }, key)
}
