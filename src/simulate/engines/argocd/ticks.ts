import { objectAt, stringAt } from '../../../core/json.ts'
import { timestamp, type Instant } from '../../../cluster/time.ts'
import { APPLICATIONS } from './application.ts'
import { NAMESPACE, type Engine } from './engine.ts'

/** Plans the first common tick from `from` on. */
export function planTick({ io, options, state }: Engine, from: Instant): void {
  const period = (options.resyncSeconds ?? 120) * 1000
  if (period === 0) return
  const at = state.tick + Math.ceil((from - state.tick) / period) * period
  io.wakeAt(at, { kind: 'tick' }, 'tick')
}

/** Plans the next tick that has not been yet. */
export function planNextTick(engine: Engine): void {
  const { now } = engine.io
  planTick(engine, engine.state.ticked === now ? now + 1 : now)
}

/** When an app was last compared as a whole, written or not; in whole seconds, as it is written. */
export function comparedAt({ io, state }: Engine, name: string): Instant | undefined {
  const object = io.read.get(APPLICATIONS, NAMESPACE, name)
  const text = stringAt(objectAt(object, ['status']), ['reconciledAt'])
  const written = text === undefined ? undefined : Date.parse(text)
  const skipped = state.apps.get(name)?.compared
  if (skipped === undefined || written === undefined) return written
  return Math.max(wholeSeconds(skipped), written)
}

/** As `status.reconciledAt` says it. */
export function comparedText(engine: Engine, name: string): string | undefined {
  const at = comparedAt(engine, name)
  return at === undefined ? undefined : timestamp(at)
}

export function wholeSeconds(at: Instant): Instant {
  return Math.floor(at / 1000) * 1000
}
