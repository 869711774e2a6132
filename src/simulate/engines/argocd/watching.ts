import type { WatchEvent } from '../../../cluster/api/request.ts'
import { operationOf } from './application.ts'
import { watchOf } from './causes.ts'
import type { Engine } from './engine.ts'
import { healthOf } from './health.ts'
import { requestRefresh } from './refresh.ts'
import { RECENT } from './state.ts'
import { keyOf, ownerOf, placeOfLive } from './tracking.ts'

/** Keeps the list of objects that name an app in their tracking id. */
export function track(
  engine: Engine,
  { type, resource, object }: Pick<WatchEvent, 'type' | 'resource' | 'object'>,
): void {
  const owner = ownerOf(object)
  const place = placeOfLive(resource, object)
  // A copy under another name carries an id that is not its own.
  if (owner === undefined || owner.key !== keyOf(place)) return
  let places = engine.state.tracked.get(owner.app)
  if (places === undefined) {
    places = new Map()
    engine.state.tracked.set(owner.app, places)
  }
  if (type === 'DELETED') places.delete(owner.key)
  else places.set(owner.key, place)
}

/** What a change of an app's object sets in motion. */
export function observeObject(engine: Engine, event: WatchEvent): void {
  const { type, object } = event
  const owner = ownerOf(object)
  if (owner === undefined) return
  const { io, delays, state } = engine
  const app = engine.stored(owner.app)
  if (app === undefined) return
  const { name } = app
  const isNoticed = isNoticedAt(engine, event)
  if (app.object.metadata.deletionTimestamp !== undefined) {
    if (type === 'DELETED') {
      return io.wakeAt(io.now + delays.watch, { kind: 'delete', app: name }, `delete ${name}`)
    }
    if (type === 'ADDED') return
    io.cancel(`look ${name}`)
    io.wakeAt(io.now + delays.batch, { kind: 'delete', app: name }, `look ${name}`)
    return
  }
  requestRefresh(engine, name, { level: RECENT, inMs: delays.watch, why: watchOf(event) })
  const memory = state.apps.get(name)
  if (memory?.pass?.waiting !== undefined && type === 'DELETED') {
    io.cancel(`end ${name}`)
    io.wakeAt(io.now + 10, { kind: 'end', app: name }, `end ${name}`)
  }
  // While a pass sleeps between waves, changes are looked at when it is over (trace 089).
  if (operationOf(app.object) === undefined || memory?.pass !== undefined || !isNoticed) return
  io.wakeAt(io.now + delays.batch, { kind: 'operate', app: name }, `batch ${name}`)
}

/**
 * Changes that may end a wait. A creation arrives while its own pass is at work or just after, and
 * only then it counts (traces 021 and 029 against 025, 045, 058).
 */
function isNoticedAt({ state, options, delays, io }: Engine, event: WatchEvent): boolean {
  const { type, object, before } = event
  if (type === 'MODIFIED' && before !== undefined) {
    const isGoing = object.metadata.deletionTimestamp !== before.metadata.deletionTimestamp
    return isGoing || healthOf(object)?.status !== healthOf(before)?.status
  }
  if (type !== 'ADDED') return true
  const { name } = object.metadata
  const nth = (state.created.get(name) ?? 0) + 1
  state.created.set(name, nth)
  const recorded = options.recorded?.noticed
  if (recorded !== undefined) return recorded(name, nth)
  return delays.noticedShare > 0 && io.chance.next() < delays.noticedShare
}
