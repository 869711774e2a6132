import { listAt, stringAt } from '../../../core/json.ts'
import type { Instant } from '../../../cluster/time.ts'
import { operationOf, PROJECTS, type App } from './application.ts'
import type { Comparison } from './compare.ts'
import { NAMESPACE, type Engine } from './engine.ts'
import type { AppState } from './state.ts'
import { comparedAt, planNextTick, wholeSeconds } from './ticks.ts'
import { change } from './write.ts'

/**
 * Periodic comparisons that can find nothing new are not made. An app is idle when one has just
 * found everything as the one before left it: the next has the same to look at until an object, a
 * project or a repository changes, or a time comes at which something else would be seen. What the
 * skipped ones would have left (the time of the last comparison, the age of a branch's head) is
 * reckoned when the app is roused.
 */
export interface Idle {
  readonly since: Instant
  /** The first instant at which something may be seen otherwise. */
  readonly until: Instant
}

/** Whether periodic comparisons may be skipped at all: the repository has to tell when it moves. */
export function skips({ options }: Engine): boolean {
  if (options.isEager === true || options.resyncSeconds === 0) return false
  return options.sources.nextChange !== undefined && options.recorded === undefined
}

interface Found {
  readonly comparison: Comparison
  /** Nothing but the time of the comparison would be written. */
  readonly isSame: boolean
}

/** After a comparison of a kind that periodic ones are. */
export function rest(engine: Engine, app: App, { comparison, isSame }: Found): void {
  const { name } = app
  const memory = engine.app(name)
  if (!isSame || !skips(engine) || operationOf(app.object) !== undefined) return
  if ((app.selfHeal && memory.before.size > 0) || memory.pass !== undefined || memory.refresh > 0)
    return
  if (!engine.isHeadCurrent(app) || isInWindows(engine, app, comparison)) return
  const until = engine.renderedUntil(app, comparison.revision)
  memory.idle = { since: engine.io.now, until }
}

/** Sync windows open and close by the clock. */
function isInWindows({ io }: Engine, { object, automated }: App, { sync }: Comparison): boolean {
  if (!automated || sync !== 'OutOfSync') return false
  const project = io.read.get(PROJECTS, NAMESPACE, stringAt(object, ['spec', 'project']) ?? '')
  return listAt(project, ['spec', 'syncWindows']).length > 0
}

/** Something happens to an app: from here on it is looked at again. */
export function rouse(engine: Engine, name: string): void {
  const memory = engine.app(name)
  if (memory.idle === undefined) return
  wakeUp(engine, name)
  planNextTick(engine)
}

/** As `rouse`, by a tick. */
export function wakeUp(engine: Engine, name: string): void {
  const memory = engine.app(name)
  catchUp(engine, name, memory)
  memory.idle = undefined
}

export function rouseAll(engine: Engine): void {
  for (const name of engine.state.apps.keys()) rouse(engine, name)
}

/** Its process ends: what nobody has looked at was compared all the same. */
export function settleIdle(engine: Engine): void {
  for (const [name, memory] of engine.state.apps) {
    if (memory.idle !== undefined) catchUp(engine, name, memory)
    change(engine, name, (object) => object)
  }
}

/** More ticks than this are drawn together: what was long ago has no part in when the last was. */
const MOST_DRAWS = 16

/** The time of the last comparison, and the age of the heads, as they would be by now. */
function catchUp(engine: Engine, name: string, memory: AppState): void {
  const { options, state, io } = engine
  const periodMs = (options.resyncSeconds ?? 120) * 1000
  const from = comparedAt(engine, name)
  // A tick at this very instant has been: its comparison comes at once.
  const last = state.ticked === io.now ? io.now : io.now - 1
  const ticks = Math.floor((last - state.tick) / periodMs)
  if (from === undefined) return
  let at = from
  // Seconds are cut off when the time is stored.
  const due = Math.ceil((wholeSeconds(from) + periodMs - state.tick) / periodMs)
  const jitterMs = jitterOf(engine)
  if (jitterMs === 0) {
    if (ticks >= due) at = state.tick + ticks * periodMs
  } else {
    const first = Math.floor((from - state.tick) / periodMs) + 1
    for (let tick = Math.max(first, ticks - MOST_DRAWS); tick <= ticks; tick += 1) {
      const next = state.tick + tick * periodMs + io.chance.next() * jitterMs
      if (next > io.now) io.wakeAt(next, { kind: 'expiry', app: name }, `expiry ${name}`)
      else if (next - wholeSeconds(at) >= periodMs) at = next
    }
  }
  if (at === from) return
  memory.compared = at
  ageHead(engine, name, { first: state.tick + due * periodMs, last: at, periodMs })
}

interface Skipped {
  /** The first and the last of the comparisons that were skipped. */
  readonly first: Instant
  readonly last: Instant
  readonly periodMs: number
}

/** The head of a branch is asked for again whenever it is too old. */
function ageHead(engine: Engine, name: string, { first, last, periodMs }: Skipped): void {
  const app = engine.stored(name)
  const keptMs = (engine.options.headCacheSeconds ?? 180) * 1000
  if (app === undefined || keptMs === 0) return
  const key = engine.headKey(app)
  const known = engine.state.heads.get(key)
  if (known === undefined) return
  const everyMs = Math.ceil(keptMs / periodMs) * periodMs
  // The first comparison that found it too old, counted back from the last one.
  const tooOld = last - Math.floor((last - known.at - keptMs) / periodMs) * periodMs
  const asked = Math.max(tooOld, first)
  if (asked > last) return
  const at = asked + Math.floor((last - asked) / everyMs) * everyMs
  engine.state.heads.set(key, { revision: known.revision, at })
}

/** Drawn with realistic timing only. */
export function jitterOf({ options, delays }: Engine): number {
  return delays.staleShare === 0 ? 0 : (options.jitterSeconds ?? 60) * 1000
}
