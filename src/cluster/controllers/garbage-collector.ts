import type { Actor, Io } from '../actor.ts'
import type { Kind } from '../api/kind.ts'
import type { WatchEvent } from '../api/request.ts'
import { defaultKinds } from '../kinds/index.ts'
import type { KubeObject, OwnerReference } from '../object.ts'
import type { Instant } from '../time.ts'
import { collect, GARBAGE_COLLECTOR, orphanDependents } from './garbage-collect.ts'
import {
  FOREGROUND,
  hasFinalizer,
  isBeingDeleted,
  isDeletingDependents,
  knownKinds,
  leadsTo,
  learn,
  ORPHAN,
  type KnownKinds,
  type Row,
} from './garbage-owners.ts'

/**
 * The garbage collector (K-14, K-50 to K-56). The store's index of dependents is its graph, so all it
 * remembers is which kinds there are. An object is judged when one of its owners goes, begins to
 * go, or was never there, and an owner that waits is judged when a dependent of its goes.
 */
export function garbageCollector(
  kinds: readonly Kind[] = defaultKinds,
): Actor<GarbageState, GarbageWake> {
  return {
    name: GARBAGE_COLLECTOR,
    begin: (io) => beginAll(kinds, io),
    observe,
    wake(state, wake, io) {
      const row = io.read.byUid(wake.uid)
      if (row === undefined) return
      const isDone =
        wake.kind === 'orphan'
          ? orphanDependents(io, row)
          : collect({ io, known: state.known, again: (uid) => soon(state, uid, io, 0) }, row)
      if (!isDone) io.wakeAt(io.now + pauseAfter(wake.tries), { ...wake, tries: wake.tries + 1 })
    },
    copy: ({ known, readyAt }) => ({ known: new Map(known), readyAt }),
  }
}

export interface GarbageState {
  readonly known: KnownKinds
  readonly readyAt: Instant
}

export interface GarbageWake {
  readonly kind: 'collect' | 'orphan'
  readonly uid: string
  /** Refusals so far: the pause doubles from 5 ms to 1,000 s. */
  readonly tries: number
}

function pauseAfter(tries: number): number {
  return Math.min(5 * 2 ** tries, 1_000_000)
}

/** What a stopped process left lying: all objects are new to it. */
function beginAll(kinds: readonly Kind[], io: Io<GarbageWake>): GarbageState {
  const state: GarbageState = {
    known: knownKinds(kinds),
    readyAt: io.now + io.latencies.controllerStart,
  }
  for (const row of io.read.all()) learn(state.known, row)
  for (const row of io.read.all()) observeNew(state, row, io)
  return state
}

function observe(state: GarbageState, event: WatchEvent, io: Io<GarbageWake>): void {
  if (event.resource.resource === 'events') return
  learn(state.known, event)
  if (event.type === 'DELETED') observeGone(state, event, io)
  else if (event.before === undefined) observeNew(state, event, io)
  else observeChanged(state, { ...event, before: event.before }, io)
}

function observeNew(state: GarbageState, { object }: Row, io: Io<GarbageWake>): void {
  judgeReferences(state, { object, added: object.metadata.ownerReferences ?? [] }, io)
  if (isBeingDeleted(object)) observeDeletion(state, object, io)
}

function observeChanged(
  state: GarbageState,
  { object, before }: Row & { readonly before: KubeObject },
  io: Io<GarbageWake>,
): void {
  if (object.metadata.ownerReferences !== before.metadata.ownerReferences) {
    const old = before.metadata.ownerReferences ?? []
    const now = object.metadata.ownerReferences ?? []
    const added = now.filter(({ uid }) => !old.some((other) => other.uid === uid))
    for (const reference of old) {
      if (reference.blockOwnerDeletion !== true) continue
      const kept = now.find(({ uid }) => uid === reference.uid)
      if (kept?.blockOwnerDeletion !== true) soon(state, reference.uid, io)
    }
    judgeReferences(state, { object, added }, io)
  }
  if (!isBeingDeleted(object)) return
  const begins = (finalizer: string): boolean =>
    hasFinalizer(object, finalizer) && !(isBeingDeleted(before) && hasFinalizer(before, finalizer))
  if (begins(ORPHAN) || begins(FOREGROUND)) observeDeletion(state, object, io)
}

/** Orphaning goes before waiting, where both are asked for. */
function observeDeletion(state: GarbageState, object: KubeObject, io: Io<GarbageWake>): void {
  const { uid } = object.metadata
  if (hasFinalizer(object, ORPHAN)) {
    const at = Math.max(io.now + io.latencies.garbage, state.readyAt)
    io.wakeAt(at, { kind: 'orphan', uid, tries: 0 }, `orphan ${uid}`)
    return
  }
  if (!hasFinalizer(object, FOREGROUND)) return
  for (const dependent of io.read.dependents(uid)) soon(state, dependent.object.metadata.uid, io)
  soon(state, uid, io)
}

function observeGone(state: GarbageState, { object }: Row, io: Io<GarbageWake>): void {
  const { uid, ownerReferences = [] } = object.metadata
  for (const dependent of io.read.dependents(uid)) soon(state, dependent.object.metadata.uid, io)
  for (const owner of ownerReferences) {
    const row = io.read.byUid(owner.uid)
    if (row !== undefined && isDeletingDependents(row.object)) soon(state, owner.uid, io)
  }
}

interface Added {
  readonly object: KubeObject
  readonly added: readonly OwnerReference[]
}

/** Only an owner that is not there is a reason to judge a new dependent. */
function judgeReferences(state: GarbageState, { object, added }: Added, io: Io<GarbageWake>): void {
  const absent = added.filter(
    (reference) => leadsTo(io, state.known, { reference, dependent: object }) === 'absent',
  )
  if (absent.length === 0) return
  for (const reference of absent) tellOfNamespace(object, reference, io)
  soon(state, object.metadata.uid, io)
}

/** An owner of that uid lives in another namespace: the dependent will be deleted (K-50). */
function tellOfNamespace(
  dependent: KubeObject,
  { apiVersion, kind, name, uid }: OwnerReference,
  io: Io<GarbageWake>,
): void {
  const { namespace = '' } = dependent.metadata
  const elsewhere = io.read.byUid(uid)?.object.metadata.namespace
  if (elsewhere === undefined || elsewhere === namespace) return
  const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
  const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`
  io.event(dependent, 'Warning', 'OwnerRefInvalidNamespace', message)
}

function soon(
  state: GarbageState,
  uid: string,
  io: Io<GarbageWake>,
  delayMs: number = io.latencies.garbage,
): void {
  const at = Math.max(io.now + delayMs, state.readyAt)
  io.wakeAt(at, { kind: 'collect', uid, tries: 0 }, `collect ${uid}`)
}
