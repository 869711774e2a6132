import type { Actor, Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { kindFinder } from '../kinds.ts'
import { noticeAction } from '../helm/action.ts'
import type { Target } from '../helm/objects.ts'
import { deployedOf, historyOf } from '../helm/storage.ts'
import { settingsOf } from './bundle.ts'
import {
  bundleFor,
  correct,
  deploy,
  remove,
  report,
  resume,
  targetsFor,
  type Context,
} from './deploy.ts'
import { driftOf } from './drift.ts'
import { BUNDLES } from './kinds.ts'
import {
  keyOfBundle,
  TIMING,
  type FleetOptions,
  type Record,
  type Running,
  type State,
  type Wake,
} from './state.ts'

export { bundleOf, seenAt } from './bundle.ts'
export { BUNDLES, fleetKinds } from './kinds.ts'
export type { FleetOptions } from './state.ts'

/**
 * Rancher Fleet with its agent in the same cluster: each Bundle is a Helm release, deployed when its
 * content or options change (E-1), watched, and with correctDrift rolled back 5 s after an object of
 * it changed or went (E-4). Read from source and never recorded. Nothing ticks.
 */
export function fleet(options: FleetOptions = {}): Actor<State, Wake> {
  const tools = { timing: options.timing ?? TIMING, find: kindFinder(options.kinds ?? []) }
  const contextOf = (state: State, io: Io<Wake>): Context => ({ tools, state, io })
  return {
    name: 'fleet',
    begin(io) {
      const state: State = { records: new Map() }
      for (const bundle of io.read.list(BUNDLES)) {
        const record = meet(state, bundle)
        io.wakeAt(io.now, { kind: 'deploy', key: record.key }, `deploy ${record.key}`)
        restore(contextOf(state, io), record, bundle)
      }
      return state
    },
    observe(state, event, io) {
      const context = contextOf(state, io)
      if (isBundle(event.resource)) return seeBundle(context, event)
      for (const record of state.records.values()) seeObject(context, record, event)
    },
    wake(state, wake, io) {
      const record = state.records.get(wake.key)
      if (record === undefined) return
      const context = contextOf(state, io)
      if (wake.kind === 'resume') return resume(context, record)
      if (wake.kind === 'remove') return remove(context, record)
      if (wake.kind === 'report') return look(context, record)
      if (record.running !== undefined) {
        state.records.set(record.key, { ...record, again: true })
        return
      }
      if (wake.kind === 'drift') correct(context, record)
      else deploy(context, record)
    },
    copy: ({ records }) => ({ records: new Map(records) }),
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
  const missing = targetsFor(context, known).filter(
    (target) => context.io.read.get(target.kind, target.namespace, target.name) === undefined,
  )
  const modified = new Set(missing.map((target) => `${labelOf(target)} missing`))
  context.state.records.set(record.key, { ...known, modified })
  if (correctsDrift && modified.size > 0) planDrift(context, known)
}

function seeBundle({ tools, state, io }: Context, { type, object, before }: WatchEvent): void {
  const record = meet(state, object)
  const wake = (kind: Wake['kind'], key: string): void => {
    io.wakeAt(io.now + tools.timing.trigger, { kind, key }, `${kind} ${key}`)
  }
  if (type === 'DELETED') {
    if (settingsOf(object).keepsResources) state.records.delete(record.key)
    else wake('remove', record.key)
    return
  }
  if (object.metadata.generation !== before?.metadata.generation) return wake('deploy', record.key)
  // Its readiness may be what others wait for.
  for (const other of state.records.values()) {
    if (other.release === undefined && other.key !== record.key) wake('deploy', other.key)
  }
}

function seeObject(context: Context, record: Record, event: WatchEvent): void {
  const { state, io } = context
  if (record.running !== undefined) notice(context, record, record.running, event)
  const target = targetsFor(context, record).find((one) => isAt(one, event))
  if (target === undefined) return
  const current = state.records.get(record.key) ?? record
  if (current.running === undefined) {
    const drift = driftOf(target.object, event)
    if (drift !== undefined) {
      const modified = new Set([...current.modified, `${labelOf(target)} ${drift}`])
      state.records.set(record.key, { ...current, modified })
      planDrift(context, current)
    }
  }
  // Written later, because nothing may be written while others are told.
  io.wakeAt(io.now, { kind: 'report', key: record.key }, `report ${record.key}`)
}

function planDrift(context: Context, record: Record): void {
  const { tools, io } = context
  const bundle = bundleFor(context, record)
  if (bundle === undefined || !settingsOf(bundle).correctsDrift) return
  const at = io.now + tools.timing.drift
  io.wakeAt(at, { kind: 'drift', key: record.key }, `drift ${record.key}`)
}

function notice({ state, io }: Context, record: Record, running: Running, event: WatchEvent): void {
  const isWatched = running.watches.some(
    (watched) =>
      watched.resource === event.resource.resource &&
      watched.group === event.resource.group &&
      watched.name === event.object.metadata.name,
  )
  if (!isWatched) return
  const { state: action, isSettled } = noticeAction(running.action, event, io.now)
  state.records.set(record.key, { ...record, running: { ...running, action } })
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
