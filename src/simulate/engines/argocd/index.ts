import { objectAt } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { APPLICATIONS, operationOf, operationStateOf, PROJECTS, REFRESH } from './application.ts'
import { ASKED, CREATED, specChangeOf, STARTED } from './causes.ts'
import { finalise } from './deletion.ts'
import { soil } from './kept.ts'
import { engineFinder, NAMESPACE, type Engine } from './engine.ts'
import { rouse, rouseAll, settleIdle } from './idle.ts'
import { planNextTick, planTick } from './ticks.ts'
import { endPass, operate } from './operation.ts'
import type { ArgoOptions } from './options.ts'
import { expire, isExpired, planRecorded, refresh, requestRefresh, tick } from './refresh.ts'
import { copyState, FORCED, LATEST, type State, type Wake } from './state.ts'
import { observeObject, track } from './watching.ts'

export { applicationKinds } from './kinds.ts'
export {
  IDEALISED_DELAYS,
  type ArgoOptions,
  type Rendered,
  type Sources,
  type Stale,
} from './options.ts'

export const ARGOCD = 'argocd-application-controller'

/**
 * Argo CD's application controller with its repo-server (rules of
 * docs/engines/argocd.md). What must survive a restart stands in the Application, as in the real
 * one: the operation, its state, the last comparison. Timers and passes at work do not.
 */
export function argocd(options: ArgoOptions): Actor<State, Wake> {
  const engines = engineFinder(options)
  return {
    name: ARGOCD,
    begin(io) {
      const state: State = {
        tick: firstTick(options, io.now),
        ticked: undefined,
        apps: new Map(),
        tracked: new Map(),
        declared: new Map(),
        created: new Map(),
        heads: new Map(),
        rendered: new Map(),
      }
      const engine = engines(state, io)
      for (const { resource, object } of io.read.all())
        track(engine, { type: 'ADDED', resource, object })
      planTick(engine, state.tick)
      for (const object of io.read.list(APPLICATIONS, NAMESPACE)) {
        const { name } = object.metadata
        planRecorded(engine, name)
        // Comparisons only: a running operation is not taken up (A-1b, traces 081, 082, 085).
        if (isExpired(engine, object)) {
          requestRefresh(engine, name, { level: LATEST, inMs: engine.delays.compare, why: STARTED })
        }
        if (object.metadata.deletionTimestamp !== undefined) planDeletion(engine, name, 0)
      }
      return state
    },
    observe(state, event, io) {
      const engine = engines(state, io)
      if (
        event.resource.resource === 'applications' &&
        event.resource.group === APPLICATIONS.group
      ) {
        return observeApp(engine, event)
      }
      if (event.resource.resource === PROJECTS.resource) rouseAll(engine)
      soil(state, event)
      track(engine, event)
      observeObject(engine, event)
    },
    wake(state, wake, io) {
      const engine = engines(state, io)
      act(engine, wake)
    },
    copy: copyState,
    settle: (state, io) => settleIdle(engines(state, io)),
    relist: (state, io) => rouseAll(engines(state, io)),
  }
}

/** The first tick after now: one period after the start of the process, or as recorded. */
function firstTick({ recorded, resyncSeconds }: ArgoOptions, now: number): number {
  const period = (resyncSeconds ?? 120) * 1000
  const tick = recorded?.tick
  return tick === undefined
    ? now + period
    : now + period - ((((now - tick) % period) + period) % period)
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
    case 'sources':
      return rouseAll(engine)
    case 'expiry':
      return expire(engine, wake.app)
  }
}

function observeApp(engine: Engine, { type, object, before }: WatchEvent): void {
  const { name } = object.metadata
  const { delays } = engine
  if (type === 'ADDED') planNextTick(engine)
  else rouse(engine, name)
  if (type === 'DELETED') {
    engine.state.apps.delete(name)
    for (const kind of [
      'refresh',
      'operate',
      'end',
      'delete',
      'heal',
      'retry',
      'poll',
      'batch',
      'look',
    ]) {
      engine.io.cancel(`${kind} ${name}`)
    }
    return
  }
  if (object.metadata.deletionTimestamp !== undefined) return planDeletion(engine, name, 20)
  const compareMs = engine.options.recorded?.compareMs?.(name, engine.io.now) ?? delays.compare
  if (type === 'ADDED') {
    planRecorded(engine, name)
    requestRefresh(engine, name, { level: FORCED, inMs: compareMs, why: CREATED })
  } else if (isAsked(object) && (before === undefined || !isAsked(before))) {
    requestRefresh(engine, name, { level: FORCED, inMs: compareMs, why: ASKED })
  } else if (before !== undefined && !equal(object['spec'] ?? {}, before['spec'] ?? {})) {
    engine.app(name).diffs.clear()
    engine.app(name).kept = undefined
    const why = specChangeOf(object, before)
    requestRefresh(engine, name, { level: FORCED, inMs: compareMs, why })
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
  const isBegun = objectAt(operationStateOf(object), ['syncResult']) !== undefined
  const isKnown = objectAt(before, ['operation']) !== undefined
  const delay = !isKnown ? delays.operation : isBegun ? delays.pass : delays.firstPass
  io.wakeAt(io.now + delay, { kind: 'operate', app: name }, `operate ${name}`)
}

function planDeletion(engine: Engine, name: string, delayMs: number): void {
  engine.io.wakeAt(engine.io.now + delayMs, { kind: 'delete', app: name }, `delete ${name}`)
}
