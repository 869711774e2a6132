import type { Io } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import {
  IDEALISED_TIMING,
  LIMIT,
  RETRY_MS,
  type KroOptions,
  type State,
  type Wake,
} from './state.ts'

/**
 * Plans a pass of an instance; several triggers before it begins are one. Without delays it comes
 * behind what others do at the same instant, so a TTL of 0 hides a success as it mostly does.
 */
export function enqueue(options: KroOptions, state: State, key: string, io: Io<Wake>): void {
  if (state.queued.has(key)) return
  state.queued.add(key)
  const { trigger } = options.timing ?? IDEALISED_TIMING
  const delay = typeof trigger === 'number' ? trigger : trigger(io.chance)
  const wait = delay + waitFor(state, io.now)
  io.wakeAt(io.now + wait, { kind: wait === 0 ? 'yield' : 'instance', key }, key)
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
  state.queued.add(key)
  io.wakeAt(failedAt + tries * RETRY_MS, { kind: 'instance', key }, key)
}
