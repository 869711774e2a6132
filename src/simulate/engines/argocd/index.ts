import { objectAt } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { APPLICATIONS, operationOf, operationStateOf, REFRESH } from './application.ts'
import { finalise } from './deletion.ts'
import { engineOf, NAMESPACE, type Engine } from './engine.ts'
import { endPass, operate } from './operation.ts'
import type { ArgoOptions } from './options.ts'
import { expire, isExpired, planRecorded, refresh, requestRefresh, tick } from './refresh.ts'
import { copyState, FORCED, LATEST, RECENT, type State, type Wake } from './state.ts'
import { ownerOf, type Place } from './tracking.ts'

export { applicationKinds } from './kinds.ts'
export { IDEALISED_DELAYS, MEASURED_DELAYS, type ArgoOptions, type Rendered, type Sources, type Stale } from './options.ts'

export const ARGOCD = 'argocd-application-controller'

/**
 * Argo CD's application controller with its repo-server (rules of
 * docs/engines/argocd.md). What must survive a restart stands in the Application, as in the real
 * one: the operation, its state, the last comparison. Timers and passes at work do not.
 */
export function argocd(options: ArgoOptions): Actor<State, Wake> {
  return {
    name: ARGOCD,
    begin(io) {
      const state: State = {
        apps: new Map(),
        tracked: new Map(),
        heads: new Map(),
        rendered: new Map(),
      }
      const engine = engineOf(options, state, io)
      for (const { resource, object } of io.read.all()) track(engine, { type: 'ADDED', resource, object })
      const seconds = options.resyncSeconds ?? 120
      if (seconds > 0) io.wakeAt(io.now + seconds * 1000, { kind: 'tick' }, 'tick')
      for (const object of io.read.list(APPLICATIONS, NAMESPACE)) {
        const { name } = object.metadata
        planRecorded(engine, name)
        // Comparisons only: a running operation is not taken up (A-1b, traces 081, 082, 085).
        if (isExpired(engine, object)) requestRefresh(engine, name, LATEST, engine.delays.compare)
        if (object.metadata.deletionTimestamp !== undefined) planDeletion(engine, name, 0)
      }
      return state
    },
    observe(state, event, io) {
      const engine = engineOf(options, state, io)
      if (event.resource.resource === 'applications' && event.resource.group === APPLICATIONS.group) {
        return observeApp(engine, event)
      }
      track(engine, event)
      observeObject(engine, event)
    },
    wake(state, wake, io) {
      const engine = engineOf(options, state, io)
      act(engine, wake)
    },
    copy: copyState,
  }
}

function act(engine: Engine, wake: Wake): void {
  switch (wake.kind) {
    case 'refresh':
      return refresh(engine, wake.app)
    case 'operate':
      return operate(engine, wake.app)
    case 'end':
      return endPass(engine, wake.app)
    case 'delete':
      return finalise(engine, wake.app)
    case 'tick':
      return tick(engine)
    case 'expiry':
      return expire(engine, wake.app)
  }
}

function observeApp(engine: Engine, { type, object, before }: WatchEvent): void {
  const { name } = object.metadata
  const { delays } = engine
  if (type === 'DELETED') {
    engine.state.apps.delete(name)
    for (const kind of ['refresh', 'operate', 'end', 'delete', 'heal', 'retry', 'poll', 'batch']) {
      engine.io.cancel(`${kind} ${name}`)
    }
    return
  }
  if (object.metadata.deletionTimestamp !== undefined) return planDeletion(engine, name, 20)
  if (type === 'ADDED') {
    planRecorded(engine, name)
    requestRefresh(engine, name, FORCED, delays.compare)
  } else if (isAsked(object) && (before === undefined || !isAsked(before))) {
    requestRefresh(engine, name, FORCED, delays.compare)
  } else if (before !== undefined && !equal(object['spec'] ?? {}, before['spec'] ?? {})) {
    requestRefresh(engine, name, FORCED, delays.compare)
  }
  planOperation(engine, object, before)
}

function isAsked({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[REFRESH] !== undefined
}

/** Every write of the Application wakes its operation. */
function planOperation(engine: Engine, object: KubeObject, before: KubeObject | undefined): void {
  if (operationOf(object) === undefined) return
  const { io, delays } = engine
  const { name } = object.metadata
  const isNew = operationStateOf(object) !== undefined && objectAt(before, ['operation']) === undefined
  const delay = isNew ? delays.operation : delays.pass
  io.wakeAt(io.now + delay, { kind: 'operate', app: name }, `operate ${name}`)
}

function planDeletion(engine: Engine, name: string, delayMs: number): void {
  engine.io.wakeAt(engine.io.now + delayMs, { kind: 'delete', app: name }, `delete ${name}`)
}

/** Keeps the list of objects that name an app in their tracking id. */
function track(engine: Engine, { type, resource, object }: Pick<WatchEvent, 'type' | 'resource' | 'object'>): void {
  const owner = ownerOf(object)
  if (owner === undefined) return
  let places = engine.state.tracked.get(owner.app)
  if (places === undefined) {
    places = new Map()
    engine.state.tracked.set(owner.app, places)
  }
  if (type === 'DELETED') places.delete(owner.key)
  else places.set(owner.key, placeOfLive(resource, object))
}

function placeOfLive(resource: Place['resource'], object: KubeObject): Place {
  const { name, namespace } = object.metadata
  return { group: resource.group, kind: object.kind, resource, namespace, name }
}

function observeObject(engine: Engine, { type, object }: WatchEvent): void {
  const owner = ownerOf(object)
  if (owner === undefined) return
  const { io, delays, state } = engine
  const app = engine.stored(owner.app)
  if (app === undefined) return
  const { name } = app
  if (app.object.metadata.deletionTimestamp !== undefined) {
    return planDeletion(engine, name, type === 'DELETED' ? delays.watch : delays.batch)
  }
  requestRefresh(engine, name, RECENT, delays.watch)
  const memory = state.apps.get(name)
  if (memory?.pass?.waiting !== undefined && type === 'DELETED') {
    io.cancel(`end ${name}`)
    io.wakeAt(io.now + 10, { kind: 'end', app: name }, `end ${name}`)
  }
  // While a pass sleeps between waves, changes are looked at when it is over (trace 089).
  if (operationOf(app.object) === undefined || memory?.pass !== undefined) return
  io.wakeAt(io.now + delays.batch, { kind: 'operate', app: name }, `batch ${name}`)
}

export type ArgoIo = Io<Wake>
