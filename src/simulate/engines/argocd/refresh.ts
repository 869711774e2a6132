import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { timestamp, type Instant } from '../../../cluster/time.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import { autoSync } from './auto-sync.ts'
import { APPLICATIONS, operationOf, REFRESH, type App } from './application.ts'
import { ENDED, intervalOf, strongerOf, tellRound } from './causes.ts'
import { compare, incomparable, type Comparison, type CompareOptions } from './compare.ts'
import { jitterOf, rest, rouse, skips, wakeUp } from './idle.ts'
import { comparedAt, planTick } from './ticks.ts'
import { NAMESPACE, type Engine } from './engine.ts'
import { readArgoHook } from '../../../engines/hooks.ts'
import { FORCED, LATEST, RECENT } from './state.ts'
import { change, type StatusPart } from './write.ts'

interface Due {
  readonly level: number
  readonly inMs: number
  readonly why: Trigger
}

/** Plans a comparison; the strongest level that was asked for holds. */
export function requestRefresh(engine: Engine, name: string, due: Due): void {
  rouse(engine, name)
  const app = engine.app(name)
  app.refresh = Math.max(app.refresh, due.level)
  app.why = strongerOf(app.why, due.why)
  engine.io.wakeAt(engine.io.now + due.inMs, { kind: 'refresh', app: name }, `refresh ${name}`)
}

/** Compares, writes what it finds, and starts an automated sync where one is due. */
export function refresh(engine: Engine, name: string): void {
  rouse(engine, name)
  const memory = engine.app(name)
  const app = engine.stored(name)
  const level = memory.refresh
  const why = memory.why ?? memory.healing
  memory.refresh = 0
  memory.why = undefined
  if (app === undefined || app.isSkipped) return
  if (app.object.metadata.deletionTimestamp !== undefined) return
  const asked = app.object.metadata.annotations?.[REFRESH]
  const isForced = level >= FORCED || asked !== undefined
  const known = stringAt(app.object, ['status', 'sync', 'revision'])
  const isRecent =
    level === RECENT &&
    asked === undefined &&
    known !== undefined &&
    // Whatever asks: a comparison that is too old is made anew (A-1a).
    !isExpired(engine, app.object)
  const isKnown = isRecent && (isHash(known) || known !== app.targetRevision)
  const revision = isKnown ? known : engine.headOf(app, isForced)
  const gitFault = engine.options.sources.fault?.(app.repoURL)
  if (revision === undefined && gitFault === undefined) return
  const isHard = asked === 'hard'
  const mayReuse =
    app.serverSideDiff && asked === undefined && revision === known && isSameSpec(app)
  const stale = isForced || isRecent ? undefined : staleView(engine, app)
  const options: CompareOptions = {
    isHard,
    mayReuse,
    ...(stale === undefined ? {} : { stale: stale.view }),
  }
  const comparison =
    revision === undefined
      ? incomparable(engine, app, gitFault ?? '')
      : compare(engine, app, revision, options)
  if (operationOf(app.object) === undefined) tellNews(engine, app, comparison, why)
  const sync = comparison.fault === undefined ? autoSync(engine, app, comparison, why) : undefined
  const problems = [
    ...(comparison.fault === undefined
      ? []
      : [{ type: 'ComparisonError', message: comparison.fault }]),
    ...(sync?.error === undefined ? [] : [{ type: 'SyncError', message: sync.error }]),
  ]
  const isCounted = !isRecent || stringAt(app.object, ['status', 'reconciledAt']) === undefined
  const isSame = save(engine, app, comparison, { conditions: problems, isCounted })
  if (level === LATEST && asked === undefined) rest(engine, app, { comparison, isSame })
  if (stale !== undefined) {
    if (stale.lasts && sync !== undefined && sync.error === undefined) memory.view = stale.view
    // The cache catches up at once, and the next look is right.
    requestRefresh(engine, name, { level: RECENT, inMs: engine.delays.watch, why: ENDED })
  }
}

/** A comparison that comes to another end than the one before it. */
function tellNews(
  { io }: Engine,
  { name, object }: App,
  { sync, revision, fault }: Comparison,
  why: Trigger | undefined,
): void {
  const before = objectAt(object, ['status', 'sync'])
  if (before?.['status'] === sync && before['revision'] === revision) return
  const because = why === undefined ? '' : `, because ${why.words}`
  const effect = `refreshed: ${sync}${because}`
  const data = { revision, ...(fault === undefined ? {} : { fault }) }
  tellRound(io, name, { rule: 'A-1', effect, data })
}

interface Details {
  readonly conditions: readonly JsonObject[]
  readonly isCounted: boolean
}

/** True when nothing but the time of the comparison is another one than before. */
function save(engine: Engine, app: App, comparison: Comparison, details: Details): boolean {
  const { name, object } = app
  const found: StatusPart = {
    sync: { status: comparison.sync, revision: comparison.revision, comparedTo: comparedTo(app) },
    health: { status: comparison.health },
    resources: comparison.rows,
    conditions: details.conditions.length === 0 ? undefined : [...details.conditions],
  }
  const metadata = metadataAfter(object, comparison)
  const before = objectAt(object, ['status']) ?? {}
  const isSame =
    Object.entries(found).every(([field, value]) => equal(value, before[field])) &&
    equal(metadata, object.metadata)
  // A running operation is woken by each write.
  if (isSame && skips(engine) && operationOf(object) === undefined) {
    // Whoever writes next writes it along.
    if (details.isCounted) engine.app(name).compared = engine.io.now
    return true
  }
  const counted = details.isCounted ? { reconciledAt: timestamp(engine.io.now) } : {}
  change(engine, name, (stored) => {
    const status = { ...objectAt(stored, ['status']), ...found, ...counted }
    return { ...stored, metadata: metadataAfter(stored, comparison), status: defined(status) }
  })
  return isSame
}

function defined(part: StatusPart): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
}

/** The asked refresh is done; PreDelete and PostDelete hooks bring their finalizers. */
function metadataAfter(object: KubeObject, { hooks, fault }: Comparison): JsonObject {
  const { [REFRESH]: _, ...annotations } = object.metadata.annotations ?? {}
  const finalizers = new Set(object.metadata.finalizers)
  if (fault === undefined) {
    const phases = hooks.flatMap((hook) => phasesOf(hook))
    for (const [phase, finalizer] of DELETION_FINALIZERS) {
      if (phases.includes(phase)) finalizers.add(finalizer).add(`${finalizer}/cleanup`)
    }
  }
  const kept = { ...object.metadata, annotations, finalizers: [...finalizers] }
  return finalizers.size === 0 && object.metadata.finalizers === undefined
    ? { ...object.metadata, annotations }
    : kept
}

export const DELETION_FINALIZERS: readonly (readonly [string, string])[] = [
  ['PreDelete', 'pre-delete-finalizer.argocd.argoproj.io'],
  ['PostDelete', 'post-delete-finalizer.argocd.argoproj.io'],
]

function phasesOf(hook: JsonObject): readonly string[] {
  const reading = readArgoHook(hook)
  return reading.kind === 'hook' ? reading.phases : []
}

function comparedTo(app: App): JsonObject {
  return { source: app.source, ignoreDifferences: [...app.ignoreDifferences] }
}

function isSameSpec(app: App): boolean {
  const before = objectAt(app.object, ['status', 'sync', 'comparedTo'])
  return before !== undefined && equal(before, comparedTo(app))
}

function isHash(revision: string): boolean {
  return /^[0-9a-f]{7,40}$/.test(revision)
}

/**
 * The first comparison after a sync may read a cluster cache in which its writes have not arrived
 * (A-10; traces 038, 041, 132). Drawn with the recorded frequency; idealised: never.
 */
function staleView(engine: Engine, app: App): StaleView | undefined {
  const memory = engine.app(app.name)
  if (!app.selfHeal || memory.before.size === 0 || operationOf(app.object) !== undefined) {
    return undefined
  }
  const { before } = memory
  memory.before = new Map()
  const recorded = engine.options.recorded?.stale
  if (recorded === undefined) {
    if (engine.delays.staleShare === 0) return undefined
    const isStale = engine.io.chance.next() < engine.delays.staleShare
    return isStale ? { view: before, lasts: false } : undefined
  }
  const draw = recorded(app.name, memory.operations)
  if (draw === undefined) return undefined
  const view = new Map(
    [...before]
      .filter(([key]) => draw.names.some((name) => isNamedBy(name, key)))
      .map(([key, live]) => [key, draw.absent ? undefined : live]),
  )
  return { view, lasts: draw.lasts }
}

interface StaleView {
  readonly view: ReadonlyMap<string, KubeObject | undefined>
  readonly lasts: boolean
}

/** `Job/work` and `batch/Job:shop/work`. */
function isNamedBy(words: string, key: string): boolean {
  const [kind = '', name = ''] = words.split('/')
  const [type = '', place = ''] = key.split(':')
  return type.endsWith(`/${kind}`) && place.endsWith(`/${name}`)
}

/** Whether the last comparison is older than the period (A-1a). */
export function isExpired(engine: Engine, object: KubeObject): boolean {
  const seconds = engine.options.resyncSeconds ?? 120
  const last = comparedAt(engine, object.metadata.name)
  if (seconds === 0) return last === undefined
  return last === undefined || engine.io.now - last >= seconds * 1000
}

/** The common tick of all apps: each is looked at after a delay of its own (A-1a). */
export function tick(engine: Engine): void {
  const { io, options, state } = engine
  const { now } = io
  const jitterMs = jitterOf(engine)
  let next: Instant | undefined = Infinity
  for (const { metadata } of io.read.list(APPLICATIONS, NAMESPACE)) {
    const name = metadata.name
    const { idle } = engine.app(name)
    const app = engine.stored(name)
    if (idle !== undefined && app !== undefined) {
      if (now < idle.until && engine.isHeadCurrent(app)) {
        next = Math.min(next, idle.until)
        continue
      }
      wakeUp(engine, name)
    }
    next = now + 1
    io.wakeAt(now + engine.delays.pass, { kind: 'operate', app: name }, `operate ${name}`)
    if (options.recorded?.comparisons?.(name) !== undefined) continue
    const late = jitterMs === 0 ? 0 : io.chance.next() * jitterMs
    io.wakeAt(now + late, { kind: 'expiry', app: name }, `expiry ${name}`)
  }
  state.ticked = now
  next = skips(engine) ? Math.min(next, options.sources.nextChange?.(now) ?? Infinity) : now + 1
  if (next < Infinity) planTick(engine, next)
}

/** Recorded times of periodic comparisons stand in for the drawn ones. */
export function planRecorded(engine: Engine, name: string): void {
  for (const at of engine.options.recorded?.comparisons?.(name) ?? []) {
    if (at >= engine.io.now) engine.io.wakeAt(at, { kind: 'expiry', app: name })
  }
}

export function expire(engine: Engine, name: string): void {
  const app = engine.stored(name)
  if (app === undefined) return
  if (app.object.metadata.deletionTimestamp !== undefined) {
    engine.io.wakeAt(engine.io.now, { kind: 'delete', app: name }, `delete ${name}`)
    return
  }
  const isRecorded = engine.options.recorded?.comparisons?.(name) !== undefined
  if (isRecorded || isExpired(engine, app.object)) {
    const why = intervalOf(engine.options.resyncSeconds ?? 120)
    requestRefresh(engine, name, { level: LATEST, inMs: 0, why })
  }
}
