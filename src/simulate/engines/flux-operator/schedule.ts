import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { KindFinder } from '../kinds.ts'
import { intervalOver, strongerOf } from './causes.ts'
import type { After } from './provider.ts'
import type { Idle, OperatorOptions, Record, State, Timing, Wake } from './state.ts'

const BACKOFF_MS = 750
const MOST_BACKOFF_MS = 900_000

/** What all parts of the operator share; nothing of it changes. */
export interface Operator {
  readonly options: OperatorOptions
  readonly timing: Timing
  readonly find: KindFinder
}

export function put(state: State, record: Record): void {
  state.records.set(record.key, record)
}

export function forget(state: State, { key }: Record, io: Io<Wake>): void {
  state.records.delete(key)
  io.cancel(`ready ${key}`)
  io.cancel(`go ${key}`)
}

/** A set has one timer: an event makes it due at once, and the tick that it stood for is gone. */
export function trigger(
  operator: Operator,
  state: State,
  record: Record,
  { by, because }: { readonly by: string; readonly because: Trigger },
  io: Io<Wake>,
): void {
  const { key } = record
  put(state, { ...record, asked: strongerOf(record.asked, because) })
  io.wakeAt(io.now + operator.timing.trigger, { kind: 'ready', key, by }, `ready ${key}`)
}

export function goAt(key: string, at: Instant, io: Io<Wake>): void {
  io.wakeAt(at, { kind: 'go', key }, `go ${key}`)
}

/** The record without its run; its worker is free. */
export function leave(state: State, record: Record): Record {
  const { run, ...left } = record
  if (run !== undefined) state.running -= 1
  put(state, left)
  return left
}

/** O-2: when it comes again. What ends without an error resets the rate limiter. */
export function after(
  operator: Operator,
  state: State,
  record: Record,
  then: After & { readonly because?: Trigger },
  io: Io<Wake>,
): void {
  const failures = failuresAfter(then, record.failures)
  put(state, { ...record, failures, again: false })
  const delay = record.again ? 0 : delayOf(operator, then, record, io)
  const because = then.kind === 'interval' ? intervalOver(then.ms) : then.because
  const why = because === undefined ? {} : { because }
  const ready: Wake = { kind: 'ready', key: record.key, ...why }
  if (delay !== undefined) io.wakeAt(io.now + delay, ready, `ready ${record.key}`)
}

function failuresAfter({ kind }: After, before: number): number {
  if (kind === 'retry') return before + 1
  return kind === 'terminal' ? before : 0
}

function delayOf(
  operator: Operator,
  then: After,
  { key, failures }: Record,
  io: Io<Wake>,
): number | undefined {
  switch (then.kind) {
    case 'retry':
      return Math.min(BACKOFF_MS * 2 ** failures, MOST_BACKOFF_MS)
    case 'interval':
      return interval(operator, key, { from: io.now, ms: then.ms }, io)
    case 'now':
      return 0
    case 'nothing':
    case 'terminal':
    default:
      return undefined
  }
}

/** O-1: drawn around the interval, or as the caller knows it. */
function interval(
  { options, timing }: Operator,
  key: string,
  { from, ms }: { from: Instant; ms: number },
  io: Io<Wake>,
): number {
  const given = options.intervalOf?.(key, from, ms)
  if (given !== undefined) return given
  return timing.jitter === 0 ? ms : ms * (1 + (io.chance.next() * 2 - 1) * timing.jitter)
}

/** Nothing is planned for it: its next tick comes when something that it reads has changed. */
export function rest(state: State, record: Record, idle: Omit<Idle, 'isPlanned'>): void {
  put(state, { ...record, failures: 0, again: false, idle: { ...idle, isPlanned: false } })
}

/** The first tick of a resting set that has not passed yet. */
export function planTick(operator: Operator, state: State, record: Record, io: Io<Wake>): void {
  const { idle, key } = record
  if (idle === undefined || idle.isPlanned) return
  const { from, everyMs, costMs, isJittered, because } = idle
  const { options, timing } = operator
  let at = from
  if (!isJittered || (timing.jitter === 0 && options.intervalOf === undefined)) {
    const period = everyMs + costMs
    at += Math.max(1, Math.ceil((io.now - from + costMs) / period)) * period - costMs
  } else {
    at += interval(operator, key, { from: at, ms: everyMs }, io)
    while (at < io.now) {
      const next = at + costMs
      at = next + interval(operator, key, { from: next, ms: everyMs }, io)
    }
  }
  put(state, { ...record, idle: { ...idle, isPlanned: true } })
  io.wakeAt(at, { kind: 'ready', key, because }, `ready ${key}`)
}
