import type { Trigger } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import { goDuration } from '../kustomize-controller/settings.ts'
import { strongerOf } from './causes.ts'
import { plan, put, type Context } from './context.ts'
import { HELM_RELEASES } from './kinds.ts'
import { FINALIZER } from './status.ts'
import { recordOf, type Record, type Result, type Run, type Timing } from './state.ts'

const DISPATCH = 'dispatch'

/** A trigger: it starts as soon as a worker is free, or right after the reconcile under way. */
export function enqueue(context: Context, namespace: string, name: string, because: Trigger): void {
  const key = `${namespace}/${name}`
  const record = context.state.records.get(key) ?? recordOf(namespace, name)
  put(context, record, { asked: strongerOf(record.asked, because) })
  // Its first pass only adds the finalizer, and leaves no mark of its time.
  const { finalizers = [] } = context.io.read.get(HELM_RELEASES, namespace, name)?.metadata ?? {}
  if (finalizers.includes(FINALIZER)) planStart(context, { key }, context.timing.trigger)
  else plan(context, 'start', key, context.timing.trigger)
}

function planStart(
  context: Context,
  record: Pick<Record, 'key'>,
  delayMs: number,
  because?: Trigger,
): void {
  const { io, timing } = context
  const late = timing.late?.(record.key, io.now + delayMs, 'start') ?? 0
  plan(context, 'start', record.key, delayMs + late, because)
}

/** Its time has come: into the line of those who wait for a worker. */
export function queueUp(context: Context, record: Record, because: Trigger | undefined): void {
  if (record.run !== undefined) {
    put(context, record, { again: true })
    return
  }
  if (record.isQueued) return
  put(context, record, { isQueued: true, ...(because === undefined ? {} : { due: because }) })
  context.state.waiting.push(record.key)
  context.io.wakeAt(context.io.now, { kind: 'dispatch' }, DISPATCH)
}

/** The next who gets a worker; undefined when there is none, or nobody waits. */
export function nextOf({ state, options }: Context): Record | undefined {
  if (state.running >= (options.concurrency ?? 4)) return undefined
  const rank = options.rank ?? (() => 0)
  const [first] = [...state.waiting].sort((one, other) => rank(one) - rank(other))
  if (first === undefined) return undefined
  state.waiting.splice(state.waiting.indexOf(first), 1)
  return state.records.get(first)
}

/** The worker is free again, and the result says when this one comes back. */
export function release(context: Context, record: Record, run: Run): void {
  context.state.running -= 1
  context.io.wakeAt(context.io.now, { kind: 'dispatch' }, DISPATCH)
  const { run: _, tick: _t, ...rest } = record
  const idle: Record = { ...rest, again: false }
  const after = scheduled(context, idle, run.next ?? { kind: 'nothing' }, record.isTouched)
  context.state.records.set(record.key, after)
  if (record.again) planStart(context, record, context.timing.trigger)
}

function scheduled(context: Context, record: Record, result: Result, isTouched: boolean): Record {
  const { timing, io } = context
  switch (result.kind) {
    case 'error':
    case 'requeue':
      planStart(context, record, limited(record.retries, timing), result.because)
      return { ...record, retries: record.retries + 1 }
    case 'terminal':
      return record
    case 'after': {
      const forgotten = { ...record, retries: 0 }
      if (result.isTick !== true) {
        const because = result.because ?? intervalOf(result.ms)
        const delay = jittered(context, result.ms, result.isJittered)
        plan(context, 'start', record.key, delay, because)
        return forgotten
      }
      const ticking = {
        ...forgotten,
        tick: { anchor: io.now, everyMs: result.ms, isPlanned: false },
      }
      const isDue = isTouched || result.isWatching === false || context.options.everyTick === true
      return isDue ? planTick(context, ticking) : ticking
    }
    case 'nothing':
    default:
      return { ...record, retries: 0 }
  }
}

/** 750 ms, doubling to 15 min. */
function limited(retries: number, { firstRetry, longestRetry }: Timing): number {
  return Math.min(firstRetry * 2 ** retries, longestRetry)
}

/** The next interval at which something can differ. */
export function planTick(context: Context, record: Record): Record {
  const { tick } = record
  if (tick === undefined || tick.isPlanned) return record
  const { io } = context
  const passed = Math.floor((io.now - tick.anchor) / tick.everyMs)
  const at = tick.anchor + passed * tick.everyMs + jittered(context, tick.everyMs, true)
  const due = at > io.now ? at : at + tick.everyMs
  const because = intervalOf(tick.everyMs)
  io.wakeAt(due, { kind: 'start', key: record.key, because }, `start ${record.key}`)
  return { ...record, tick: { ...tick, isPlanned: true } }
}

function intervalOf(ms: number): Trigger {
  return { kind: 'interval', words: `its interval of ${goDuration(ms)} was over` }
}

function jittered({ timing, io }: Context, ms: Instant, isJittered: boolean): number {
  if (!isJittered || timing.jitter === 0) return ms
  return Math.round(ms * (1 + timing.jitter * (2 * io.chance.next() - 1)))
}
