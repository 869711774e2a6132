import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KindFinder } from '../kinds.ts'
import type { ControllerOptions, Record, State, Timing, Wake } from './state.ts'

/** What every step of the controller works with. */
export interface Context {
  readonly options: ControllerOptions
  readonly timing: Timing
  readonly kindOf: KindFinder
  readonly state: State
  readonly io: Io<Wake>
}

export function put(context: Context, record: Record, change: Partial<Record>): Record {
  const next = { ...record, ...change }
  context.state.records.set(record.key, next)
  return next
}

export function plan(
  { io }: Context,
  kind: 'start' | 'decide' | 'begin' | 'action' | 'release',
  key: string,
  delayMs: number,
  because?: Trigger,
): void {
  const why = because === undefined ? {} : { because }
  io.wakeAt(io.now + delayMs, { kind, key, ...why }, `${kind} ${key}`)
}
