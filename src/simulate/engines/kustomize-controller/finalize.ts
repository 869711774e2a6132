import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { inventoryOf, prune } from './inventory.ts'
import { desiredOf, liveOf, type Desired } from './objects.ts'
import { STARTED, tellerOf } from './causes.ts'
import { OVER, type Controller } from './ending.ts'
import { settingsOf, type Settings } from './settings.ts'
import type { Entry, Record, State, Wait, Wake } from './state.ts'
import { FINALIZER, kustomizationOf, writeFinalizers } from './status.ts'
import { planWait, waitFor } from './wait.ts'

/** Controllers of Flux wait this long before they repeat what failed, and double it. */
const RETRY_MS = 750

/**
 * F-14: the end of a Kustomization. What it applied is deleted in the background, unless its policy
 * or `prune` says otherwise or it is suspended; then the finalizer goes. A refused delete is tried
 * again.
 */
export function finalize(
  controller: Controller,
  state: State,
  record: Record,
  object: KubeObject,
  io: Io<Wake>,
): void {
  const { finalizers = [] } = object.metadata
  if (!finalizers.includes(FINALIZER)) return
  const settings = settingsOf(object)
  if (!deletes(settings)) return release(object, io)
  const tell = tellerOf(state, record, io)
  const pruned = prune(inventoryOf(object), object, controller.find, { io, tell })
  if (pruned.fault !== undefined) {
    io.event(object, 'Warning', 'PruneFailed', 'pruning for deleted resource failed')
    io.wakeAt(io.now + RETRY_MS, { kind: 'start', key: record.key }, `start ${record.key}`)
    return
  }
  if (settings.deletionPolicy !== 'WaitForTermination') return release(object, io)
  const objects = pruned.deleted.map((entry) => gone(entry, controller, io))
  const { timeoutMs } = settings
  const wait = waitFor('termination', objects, { everyMs: 2000, timeoutMs }, io.now)
  state.runs.add(record.key)
  const run = {
    startedAt: io.now,
    trigger: record.asked ?? STARTED,
    revision: '',
    stages: [],
    stage: 0,
    done: [],
    found: [],
    oldInventory: [],
    wait,
  }
  goOnFinalizing(controller, state, { ...record, run }, wait, io)
}

/** One look at what was deleted; after the timeout the finalizer goes all the same. */
export function goOnFinalizing(
  controller: Controller,
  state: State,
  record: Record,
  wait: Wait,
  io: Io<Wake>,
): void {
  const isGone = wait.objects.every((desired) => liveOf(desired, io) === undefined)
  if (!isGone && io.now < wait.until) {
    state.records.set(record.key, record)
    planWait(record.key, wait, io)
    return
  }
  const object = kustomizationOf(record, io)
  if (object !== undefined) release(object, io)
  controller.ended(state, record, OVER, io)
}

function deletes({ isSuspended, deletionPolicy, prunes }: Settings): boolean {
  if (isSuspended) return false
  if (deletionPolicy === 'MirrorPrune') return prunes
  return deletionPolicy === 'Delete' || deletionPolicy === 'WaitForTermination'
}

function gone(entry: Entry, controller: Controller, io: Io<never>): Desired {
  const { apiVersion, kind, name, namespace } = entry
  return desiredOf({ apiVersion, kind, metadata: { name, namespace } }, controller.find, io)
}

function release(object: KubeObject, io: Io<never>): void {
  const { finalizers = [] } = object.metadata
  writeFinalizers(
    object,
    finalizers.filter((name) => name !== FINALIZER),
    io,
  )
}
