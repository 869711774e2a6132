import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { kindFinder } from '../kinds.ts'
import { noticeAction } from '../helm/action.ts'
import type { Target } from '../helm/objects.ts'
import { deployedOf, historyOf } from '../helm/storage.ts'
import { settingsOf } from './bundle.ts'
import { DEPENDENCY, driftOfTarget, revisionOf, STARTED } from './causes.ts'
import { bundleFor, correct, deploy, remove, report, resume } from './deploy.ts'
import { driftOf } from './drift.ts'
import { BUNDLES } from './kinds.ts'
import { drop, keyOfObject, put, targetsFor, type Context } from './records.ts'
import {
  keyOfBundle,
  TIMING,
  type FleetOptions,
  type Record,
  type Running,
  type State,
  type Tools,
  type Wake,
} from './state.ts'

export { bundleOf, seenAt } from './bundle.ts'
export { gitRepos, HEAD, UNREACHABLE } from './git-repos.ts'
export { BUNDLES, fleetKinds, GIT_REPOS } from './kinds.ts'
export type { FleetOptions } from './state.ts'

/**
 * Rancher Fleet with its agent in the same cluster: each Bundle is a Helm release, deployed when its
 * content or options change (E-1), watched, and with correctDrift rolled back 5 s after an object of
 * it changed or went (E-4). Read from source and never recorded. Nothing ticks.
 */
export function fleet(options: FleetOptions = {}): Actor<State, Wake> {
  const tools: Tools = {
    timing: options.timing ?? TIMING,
    find: kindFinder(options.kinds ?? []),
    targets: new WeakMap(),
  }
  const contextOf = (state: State, io: Io<Wake>): Context => ({ tools, state, io })
  return {
    name: 'fleet',
    begin(io) {
      const state: State = {
        records: new Map(),
        owners: new Map(),
        running: new Set(),
        waiting: new Set(),
      }
      for (const bundle of io.read.list(BUNDLES)) {
        const record = meet(state, bundle)
        const { key } = record
        io.wakeAt(io.now, { kind: 'deploy', key, trigger: STARTED }, `deploy ${key}`)
        restore(contextOf(state, io), record, bundle)
      }
      return state
    },
    observe(state, event, io) {
      const context = contextOf(state, io)
      if (isBundle(event.resource)) return seeBundle(context, event)
      const owners = state.owners.get(keyOfObject(event.resource, event.object))
      for (const key of new Set([...(owners ?? []), ...state.running])) {
        const record = state.records.get(key)
        if (record !== undefined) seeObject(context, record, event)
      }
    },
    wake(state, wake, io) {
      const record = state.records.get(wake.key)
      if (record === undefined) return
      const context = contextOf(state, io)
      if (wake.kind === 'resume') return resume(context, record)
      if (wake.kind === 'remove') return remove(context, record, wake.trigger)
      if (wake.kind === 'report') return look(context, record)
      if (record.running !== undefined) {
        return put(context, { ...record, again: true })
      }
      if (wake.kind === 'drift') return correct(context, record, wake.trigger)
      return deploy(context, record, wake.trigger)
    },
    copy: ({ records, owners, running, waiting }) => ({
      records: new Map(records),
      owners: new Map(owners),
      running: new Set(running),
      waiting: new Set(waiting),
    }),
  }
}

/** What is to be seen of a deployed bundle, unless Helm is at work. */
function look(context: Context, record: Record): void {
  const bundle = bundleFor(context, record)
  if (bundle !== undefined && record.running === undefined) report(context, record, bundle)
}

function isBundle({ group, resource }: ResourceId): boolean {
  return group === BUNDLES.group && resource === BUNDLES.resource
}

function meet(state: State, bundle: KubeObject): Record {
  const key = keyOfBundle(bundle)
  const known = state.records.get(key)
  if (known !== undefined) return known
  const { namespace = '', name } = bundle.metadata
  const record = { key, namespace, name, again: false, retries: 0, modified: new Set<string>() }
  state.records.set(key, record)
  return record
}

/** After a restart the release is read back, and drift is looked for again (S7). */
function restore(context: Context, record: Record, bundle: KubeObject): void {
  const { namespace, release: name, correctsDrift } = settingsOf(bundle)
  const release = deployedOf(historyOf(context.io, namespace, name))
  if (release === undefined) return
  const known = { ...record, release }
  put(context, known)
  const missing = targetsFor(context, known).filter(
    (target) => context.io.read.get(target.kind, target.namespace, target.name) === undefined,
  )
  const modified = new Set(missing.map((target) => `${labelOf(target)} missing`))
  put(context, { ...known, modified })
  if (correctsDrift && modified.size > 0) planDrift(context, known, STARTED)
}

function seeBundle(context: Context, event: WatchEvent): void {
  const { tools, state, io } = context
  const { type, object, before } = event
  const record = meet(state, object)
  const wake = (kind: Wake['kind'], key: string, trigger: Trigger): void => {
    io.wakeAt(io.now + tools.timing.trigger, { kind, key, trigger }, `${kind} ${key}`)
  }
  if (type === 'DELETED') {
    if (settingsOf(object).keepsResources) drop(context, record)
    else wake('remove', record.key, revisionOf(event))
    return
  }
  if (object.metadata.generation !== before?.metadata.generation) {
    const trigger = revisionOf(event)
    // Drift that was there before correction was switched on is corrected, too.
    if (record.modified.size > 0) planDrift(context, record, trigger)
    return wake('deploy', record.key, trigger)
  }
  // Its readiness may be what others wait for.
  for (const key of state.waiting) if (key !== record.key) wake('deploy', key, DEPENDENCY)
}

function seeObject(context: Context, record: Record, event: WatchEvent): void {
  const { state, io, tools } = context
  if (record.running !== undefined) notice(context, record, record.running, event)
  const target = targetsFor(context, record).find((one) => isAt(one, event))
  if (target === undefined) return
  const current = state.records.get(record.key) ?? record
  if (current.running === undefined) {
    const drift = driftOf(target.object, event)
    if (drift !== undefined) {
      const modified = new Set([...current.modified, `${labelOf(target)} ${drift}`])
      put(context, { ...current, modified })
      planDrift(context, current, driftOfTarget(target, drift, tools.timing.drift))
    }
  }
  // Written later, because nothing may be written while others are told.
  io.wakeAt(io.now, { kind: 'report', key: record.key }, `report ${record.key}`)
}

function planDrift(context: Context, record: Record, trigger: Trigger): void {
  const { tools, io } = context
  const bundle = bundleFor(context, record)
  if (bundle === undefined || !settingsOf(bundle).correctsDrift) return
  const at = io.now + tools.timing.drift
  io.wakeAt(at, { kind: 'drift', key: record.key, trigger }, `drift ${record.key}`)
}

function notice(context: Context, record: Record, running: Running, event: WatchEvent): void {
  const { io } = context
  const isWatched = running.watches.some(
    (watched) =>
      watched.resource === event.resource.resource &&
      watched.group === event.resource.group &&
      watched.name === event.object.metadata.name,
  )
  if (!isWatched) return
  const { state: action, isSettled } = noticeAction(running.action, event, io.now)
  put(context, { ...record, running: { ...running, action } })
  if (isSettled) io.wakeAt(io.now, { kind: 'resume', key: record.key }, `resume ${record.key}`)
}

function isAt({ kind, namespace, name }: Target, { resource, object }: WatchEvent): boolean {
  return (
    kind.resource === resource.resource &&
    kind.group === resource.group &&
    name === object.metadata.name &&
    namespace === object.metadata.namespace
  )
}

function labelOf({ kind, namespace, name }: Target): string {
  const where = kind.group === '' ? kind.singular : `${kind.singular}.${kind.group}`
  return `${where} ${namespace === undefined ? name : `${namespace}/${name}`}`
}
