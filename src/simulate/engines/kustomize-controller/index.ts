import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import { kindFinder } from '../kinds.ts'
import { createArtifacts } from './artifacts.ts'
import { MANAGER } from './cleanup.ts'
import { finalize, goOnFinalizing } from './finalize.ts'
import { fluxKinds, KUSTOMIZATIONS, SOURCE_RESOURCES } from './kinds.ts'
import { changeOf, CREATED, STARTED, strongerOf } from './causes.ts'
import { applyFirst, begin, reportBegin } from './begin.ts'
import type { Controller, End } from './ending.ts'
import { goOn } from './staging.ts'
import { lingers, wakeNext } from './schedule.ts'
import { settingsOf } from './settings.ts'
import {
  copyState,
  delayOf,
  emptyState,
  IDEALISED_TIMING,
  recordOf,
  type ControllerOptions,
  type Record,
  type State,
  type Timing,
  type Wake,
} from './state.ts'
import { FINALIZER, kustomizationOf, sourceOf, writeFinalizers } from './status.ts'
import { notice, rewatch, trigger, watched } from './watching.ts'

export { fluxKinds } from './kinds.ts'
export {
  REALISTIC_TIMING,
  type ControllerOptions,
  type State,
  type Timing,
  type Wake,
} from './state.ts'

/**
 * Flux kustomize-controller 1.9 (F-1 to F-18): every trigger and every interval applies all that a
 * Kustomization declares. Its Kustomizations and sources are objects of the cluster (`fluxKinds`);
 * a source's revision names the files that `artifact` hands out. An interval over a cluster in
 * which nothing has changed costs nothing: its tick is planned when something does.
 */
export function kustomizeController(options: ControllerOptions): Actor<State, Wake> {
  const timing = options.timing ?? IDEALISED_TIMING
  const concurrency = options.concurrency ?? 4
  const controller: Controller = {
    artifacts: createArtifacts(options),
    find: kindFinder([...fluxKinds, ...(options.kinds ?? [])]),
    timing,
    get minor() {
      return options.minor ?? NEWEST
    },
    isEager: options.isEager === true,
    ended: (state, record, end, io) => {
      settle(controller, state, record, end, io)
      nextInLine(concurrency, state, io)
    },
  }
  return {
    name: MANAGER,
    begin(io) {
      const state = emptyState()
      for (const object of io.read.list(KUSTOMIZATIONS)) adopt(state, object, STARTED, timing, io)
      return state
    },
    observe(state, event, io) {
      if (event.resource.resource === KUSTOMIZATIONS.resource) follow(state, event, timing, io)
      else if (isSource(event)) followSource(state, event, timing, io)
      notice(state, event, timing, io)
    },
    wake(state, wake, io) {
      const record = state.records.get(wake.key)
      if (record === undefined) return
      if (wake.kind === 'tick' && lingers(wake.key, wake.hops, io)) return
      if (wake.kind === 'start') start(controller, concurrency, state, record, io)
      else if (wake.kind === 'tick') tick(controller, concurrency, state, record, io)
      else if (wake.kind === 'report') reportBegin(controller, state, record, io)
      else if (wake.kind === 'apply') applyFirst(controller, state, record, io)
      else if (record.run?.wait?.for === 'termination') {
        goOnFinalizing(controller, state, record, record.run.wait, io)
      } else goOn(controller, state, record, io)
    },
    // What a refused request has left undone is tried again at its time.
    relist(state, io) {
      for (const record of state.records.values()) wakeNext(state, record, timing.jitter, io)
    },
    renewDeadlineMs: RENEW_DEADLINE_MS,
    copy: copyState,
  }
}

/** As the recordings: 1.9. */
const NEWEST = 9

/** Of its leader election, as Flux sets it. */
const RENEW_DEADLINE_MS = 30_000

function adopt(
  state: State,
  { metadata }: KubeObject,
  why: Trigger,
  timing: Timing,
  io: Io<Wake>,
): void {
  const record = recordOf(metadata.namespace ?? '', metadata.name)
  state.records.set(record.key, record)
  trigger(state, record, why, timing, io)
}

/** F-1: a new object, a new generation, a request, a deletion. */
function follow(state: State, event: WatchEvent, timing: Timing, io: Io<Wake>): void {
  const { type, object, before } = event
  const { namespace = '', name } = object.metadata
  const record = state.records.get(`${namespace}/${name}`)
  if (type === 'DELETED') {
    if (record === undefined) return
    rewatch(state, record.key, record.watched, new Set())
    state.records.delete(record.key)
    state.refused.delete(record.key)
    io.cancel(`tick ${record.key}`)
    return
  }
  if (record === undefined) return adopt(state, object, CREATED, timing, io)
  const why = changeOf(object, before)
  if (why !== undefined) trigger(state, record, why, timing, io)
}

function isSource({ resource }: WatchEvent): boolean {
  return [...SOURCE_RESOURCES.values()].some(
    ({ group, resource: plural }) => group === resource.group && plural === resource.resource,
  )
}

/** F-1: a revision that a Kustomization has not attempted, or has not made Ready. */
function followSource(state: State, event: WatchEvent, timing: Timing, io: Io<Wake>): void {
  const { object, before } = event
  const revision = revisionOf(object)
  if (revision === undefined || revision === revisionOf(before)) return
  const { namespace, name } = object.metadata
  for (const record of state.records.values()) {
    const kustomization = kustomizationOf(record, io)
    if (kustomization === undefined) continue
    const source = sourceOf(kustomization)
    if (source['name'] !== name || source['namespace'] !== namespace) continue
    if (source['kind'] !== object.kind) continue
    const attempted = stringAt(kustomization, ['status', 'lastAttemptedRevision'])
    if (isTrue(conditionOf(kustomization, 'Ready')) && attempted === revision) continue
    const why = { kind: 'revision', words: `revision ${revision} came` } as const
    trigger(state, state.records.get(record.key) ?? record, why, timing, io)
  }
}

function revisionOf(source: JsonObject | undefined): string | undefined {
  return stringAt(source, ['status', 'artifact', 'revision'])
}

/** The interval or a retry has come. */
function tick(
  controller: Controller,
  concurrency: number,
  state: State,
  record: Record,
  io: Io<Wake>,
): void {
  const why = record.next?.why
  const asked = why === undefined ? record.asked : strongerOf(record.asked, why)
  const next = asked === undefined ? record : { ...record, asked }
  state.records.set(record.key, next)
  start(controller, concurrency, state, next, io)
}

/** A worker takes the Kustomization, or it waits for one (F-3, trace 056). */
function start(
  controller: Controller,
  concurrency: number,
  state: State,
  record: Record,
  io: Io<Wake>,
): void {
  const { key } = record
  if (record.run !== undefined) {
    state.records.set(key, { ...record, again: true })
    return
  }
  if (state.runs.size >= concurrency) {
    if (!record.isQueued) state.waiting.push(key)
    state.records.set(key, { ...record, isQueued: true })
    return
  }
  io.cancel(`tick ${key}`)
  io.cancel(`start ${key}`)
  const { next: _over, ...rest } = record
  const taken: Record = { ...rest, isQueued: false, again: false, hasNews: false }
  state.records.set(key, taken)
  state.told.delete(key)
  const object = kustomizationOf(record, io)
  if (object === undefined) return
  if (object.metadata.deletionTimestamp !== undefined) {
    return finalize(controller, state, taken, object, io)
  }
  const { finalizers = [] } = object.metadata
  if (!finalizers.includes(FINALIZER)) {
    writeFinalizers(object, [...finalizers, FINALIZER], io)
    const at = io.now + delayOf(controller.timing.firstRequeue, key, io.now)
    io.wakeAt(at, { kind: 'start', key }, `start ${key}`)
    return
  }
  // F-3: a suspended one is left alone until its object changes.
  const { asked = STARTED, ...begun } = taken
  state.records.set(key, begun)
  if (settingsOf(object).isSuspended) return
  state.runs.add(key)
  begin(controller, state, begun, asked, io)
}

/** After a reconcile: what is watched, and when the next one may come. */
function settle(
  controller: Controller,
  state: State,
  record: Record,
  end: End,
  io: Io<Wake>,
): void {
  const { key } = record
  state.runs.delete(key)
  io.cancel(`poll ${key}`)
  const now = state.records.get(key)
  if (now === undefined) return
  const keys = watched(record, controller.find, io)
  rewatch(state, key, now.watched, keys)
  const { run: _over, next: _old, ...rest } = record
  const { retryMs, isJittered, hasFailed } = end
  const object = kustomizationOf(record, io)
  const settings = object === undefined ? undefined : settingsOf(object)
  const next =
    retryMs === undefined
      ? undefined
      : {
          anchor: io.now,
          everyMs: retryMs,
          isJittered,
          costMs: delayOf(controller.timing.build, key, io.now),
          isPlanned: false,
          why: end.next,
        }
  const settled: Record = {
    ...rest,
    ...(next === undefined ? {} : { next }),
    ...(now.asked === undefined ? {} : { asked: now.asked }),
    again: false,
    hasNews: false,
    hasFailed,
    watched: keys,
    watchesStatus: settings !== undefined && (settings.waits || settings.healthChecks.length > 0),
  }
  state.records.set(key, settled)
  if (now.again) io.wakeAt(io.now, { kind: 'start', key }, `start ${key}`)
  else if (now.hasNews || controller.isEager) wakeNext(state, settled, controller.timing.jitter, io)
}

function nextInLine(concurrency: number, state: State, io: Io<Wake>): void {
  while (state.runs.size < concurrency) {
    const key = state.waiting.shift()
    if (key === undefined) return
    const record = state.records.get(key)
    if (record === undefined) continue
    state.records.set(key, { ...record, isQueued: false })
    io.wakeAt(io.now, { kind: 'start', key }, `start ${key}`)
    return
  }
}
