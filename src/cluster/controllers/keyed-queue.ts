import type { Io } from '../actor.ts'
import type { KubeObject } from '../object.ts'
import type { Instant } from '../time.ts'

/** The memory of a controller that only knows which objects failed how often. */
export interface QueueState {
  readonly failures: Map<string, number>
  /** A process that has just started works from here on. */
  readonly readyAt: Instant
}

export interface QueueWake {
  /** `namespace/name` */
  readonly key: string
}

export function newQueue(io: Io<QueueWake>): QueueState {
  return { failures: new Map(), readyAt: io.now + io.latencies.controllerStart }
}

export function copyQueue({ failures, readyAt }: QueueState): QueueState {
  return { failures: new Map(failures), readyAt }
}

/** After an event: at once, and once for all events of one instant. */
export function soon(state: QueueState, { metadata }: KubeObject, io: Io<QueueWake>): void {
  const key = `${metadata.namespace ?? ''}/${metadata.name}`
  io.wakeAt(Math.max(io.now, state.readyAt), { key }, `now ${key}`)
}

/** In the delaying queue an object waits once, and the earlier time stays. */
export function later(key: string, at: Instant, io: Io<QueueWake>): void {
  io.wakeAt(at, { key }, `later ${key}`)
}

/** As `client-go` retries: 5 ms, doubling up to 1,000 s. */
export function again(state: QueueState, key: string, io: Io<QueueWake>): void {
  const failures = state.failures.get(key) ?? 0
  state.failures.set(key, failures + 1)
  later(key, io.now + Math.min(5 * 2 ** failures, 1_000_000), io)
}
