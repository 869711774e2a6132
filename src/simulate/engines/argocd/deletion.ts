import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import { readArgoHook } from '../../../engines/hooks.ts'
import { succeeded, type Status } from '../../../cluster/api/request.ts'
import { releaseHook, remove } from './apply.ts'
import type { App } from './application.ts'
import { tellerOf, tellRound } from './causes.ts'
import type { Engine } from './engine.ts'
import { healthOf } from './health.ts'
import { DELETION_FINALIZERS } from './refresh.ts'
import { optionsOf, placeOf, tracked, type Place } from './tracking.ts'
import { change } from './write.ts'

const CASCADE = 'resources-finalizer.argocd.argoproj.io'

/**
 * One look at an Application that is being deleted: PreDelete hooks, then its objects, then
 * PostDelete hooks, each behind a finalizer.
 */
export function finalise(engine: Engine, name: string): void {
  const app = engine.stored(name)
  if (app?.object.metadata.deletionTimestamp === undefined) return
  const finalizers = app.object.metadata.finalizers ?? []
  const [[, before], [, after]] = DELETION_FINALIZERS as [[string, string], [string, string]]
  if (finalizers.includes(before)) return preDelete(engine, app, before)
  const cascade = finalizers.find((one) => one.startsWith(CASCADE))
  if (cascade !== undefined) return removeAll(engine, app, cascade)
  if (finalizers.includes(after)) {
    // Not waited for: the next look finds the hook made and takes it for done (trace 061).
    for (const hook of hooksOf(engine, app, 'PostDelete')) ensure(engine, app, hook)
    return drop(engine, name, [after])
  }
  const cleanups = finalizers.filter((one) => one.endsWith('/cleanup'))
  if (cleanups.length > 0) drop(engine, name, cleanups)
}

interface DeletionHook {
  readonly place: Place
  readonly target: JsonObject
  readonly phase: string
}

function hooksOf(engine: Engine, app: App, phase: string): readonly DeletionHook[] {
  const revision = stringAt(app.object, ['status', 'sync', 'revision']) ?? ''
  const rendered = engine.render(app, revision, false)
  if ('fault' in rendered) return []
  return rendered.objects.flatMap((object) => {
    const reading = readArgoHook(object)
    const kind = engine.kindOf(object)
    if (reading.kind !== 'hook' || !reading.phases.includes(phase) || kind === undefined) return []
    const target = tracked(object, kind, app.name, app.namespace)
    return [{ place: placeOf(target, kind), target, phase }]
  })
}

/** Created when absent; true when it is new. */
function ensure(engine: Engine, app: App, { place, target, phase }: DeletionHook): boolean {
  if (engine.live(place) !== undefined) return false
  const { resource, namespace } = place
  engine.io.request({
    verb: 'create',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    body: target,
    options: { fieldManager: 'argocd-controller' },
  })
  tellDeletion(engine, app)
  tellerOf(engine.io, app.name, place, { hook: phase }).did('A-40', `created ${place.kind}`)
  return true
}

function preDelete(engine: Engine, app: App, finalizer: string): void {
  const hooks = hooksOf(engine, app, 'PreDelete')
  const isNew = hooks.map((hook) => ensure(engine, app, hook)).some(Boolean)
  if (isNew) return
  const failed: DeletionHook[] = []
  for (const hook of hooks) {
    const live = engine.live(hook.place)
    const status = live === undefined ? 'Missing' : healthOf(live)?.status
    if (status === 'Degraded') failed.push(hook)
    else if (status !== undefined && status !== 'Healthy') return
  }
  if (failed.length === 0) return drop(engine, app.name, [finalizer])
  for (const { place, phase } of failed) {
    remove(engine, place, 'Foreground')
    tellerOf(engine.io, app.name, place, { hook: phase }).did('A-40', `deleted ${place.kind}`)
  }
  const names = failed.map(({ place }) => `${place.namespace ?? ''}/${place.name}`).join(', ')
  failWith(engine, app.name, `error executing pre-delete hooks: PreDelete hook(s) failed: ${names}`)
}

function failWith(engine: Engine, name: string, message: string): void {
  change(engine, name, (object) => ({
    ...object,
    status: {
      ...(object['status'] as JsonObject),
      conditions: [{ type: 'DeletionError', message }],
    },
  }))
  again(engine, name)
}

/** What the deletion of an app leaves: `Delete=confirm` needs a person. */
const KEPT: ReadonlySet<string> = new Set(['Delete=false', 'Delete=confirm'])

/** Once for each app that goes. */
function tellDeletion(engine: Engine, { name }: App): void {
  const memory = engine.app(name)
  if (memory.begins?.words === DELETED.words) return
  memory.begins = DELETED
  tellRound(engine.io, name, { rule: 'A-40', effect: 'synced', trigger: DELETED })
}

const DELETED: Trigger = { kind: 'request', words: 'somebody deleted the Application' }

/** Everything that carries the app's tracking id, hooks that are over included. */
function removeAll(engine: Engine, app: App, cascade: string): void {
  const isBackground = cascade.endsWith('/background')
  const propagation = isBackground ? 'Background' : 'Foreground'
  let left = 0
  for (const place of engine.state.tracked.get(app.name)?.values() ?? []) {
    const live = engine.live(place)
    if (live === undefined) continue
    if (optionsOf(live).some((word) => KEPT.has(word))) continue
    left += 1
    if (live.metadata.deletionTimestamp !== undefined) continue
    releaseHook(engine, place)
    const answer = remove(engine, place, propagation)
    engine.app(app.name).removed.set(place.name, place)
    tellDeletion(engine, app)
    const tell = tellerOf(engine.io, app.name, place, undefined)
    if (succeeded(answer)) tell.did('A-40', `pruned ${place.kind}`)
    else {
      const message = (answer.body as Status).message ?? ''
      tell.refused('A-40', message)
      failWith(engine, app.name, message)
    }
  }
  if (left === 0 && isBehind(engine, app, propagation)) return
  if (left === 0) drop(engine, app.name, [cascade])
  else again(engine, app.name)
}

/** A look at a cache that is behind deletes once more what is gone, and says so (trace 061). */
function isBehind(engine: Engine, app: App, propagation: 'Background' | 'Foreground'): boolean {
  const memory = engine.app(app.name)
  const name = engine.options.recorded?.lateDeletes?.(app.name)[memory.late]
  const place = name === undefined ? undefined : memory.removed.get(name)
  if (place === undefined) return false
  memory.late += 1
  const answer = remove(engine, place, propagation)
  failWith(engine, app.name, (answer.body as Status).message ?? '')
  return true
}

function again(engine: Engine, name: string): void {
  const { io } = engine
  io.wakeAt(
    io.now + Math.max(engine.delays.compare, 100),
    { kind: 'delete', app: name },
    `delete ${name}`,
  )
}

function drop(engine: Engine, name: string, gone: readonly string[]): void {
  change(engine, name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      finalizers: (object.metadata.finalizers ?? []).filter((one) => !gone.includes(one)),
    },
  }))
}
