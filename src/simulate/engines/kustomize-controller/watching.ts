import { stringAt } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { strongerOf } from './causes.ts'
import { isSameForApply } from './cleanup.ts'
import { referencesOf } from './artifacts.ts'
import type { KindFinder } from '../kinds.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { KUSTOMIZATIONS, SOURCE_RESOURCES } from './kinds.ts'
import { keyOf, watchKey } from './objects.ts'
import { wakeNext } from './schedule.ts'
import { settingsOf } from './settings.ts'
import { delayOf, type Record, type State, type Timing, type Wake } from './state.ts'
import { kustomizationOf } from './status.ts'
import { nextLook } from './wait.ts'

/**
 * Which objects can make the next reconcile of a Kustomization differ from the last one: all that
 * it applies, checks, depends on, substitutes from, and its source.
 */
export function watched(record: Record, find: KindFinder, io: Io<never>): ReadonlySet<string> {
  const object = kustomizationOf(record, io)
  if (object === undefined) return new Set()
  const settings = settingsOf(object)
  const keys = new Set<string>()
  const applied = (record.run?.stages ?? []).flat().map(keyOf)
  // A reconcile that never came to its objects says nothing new about them.
  for (const key of applied.length === 0 ? record.watched : applied) {
    if (key !== undefined) keys.add(key)
  }
  for (const { apiVersion, kind, namespace, name } of settings.healthChecks) {
    const served = find(apiVersion, kind, io.read)
    if (served !== undefined) keys.add(watchKey(served.group, served.resource, namespace, name))
  }
  for (const dependency of settings.dependsOn) {
    const [namespace, name = ''] = dependency.split('/')
    keys.add(watchKey(KUSTOMIZATIONS.group, KUSTOMIZATIONS.resource, namespace, name))
  }
  for (const { resource, name } of referencesOf(object)) {
    keys.add(watchKey('', resource.resource, object.metadata.namespace, name))
  }
  const source = SOURCE_RESOURCES.get(settings.source.kind)
  if (source !== undefined) {
    const { namespace, name } = settings.source
    keys.add(watchKey(source.group, source.resource, namespace, name))
  }
  return keys
}

/** Keeps the index of watchers. */
export function rewatch(
  { watchers }: State,
  key: string,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): void {
  for (const one of before) {
    if (after.has(one)) continue
    const left = new Set(watchers.get(one))
    left.delete(key)
    if (left.size === 0) watchers.delete(one)
    else watchers.set(one, left)
  }
  for (const one of after) {
    if (before.has(one) && watchers.get(one)?.has(key) === true) continue
    watchers.set(one, new Set(watchers.get(one)).add(key))
  }
}

/** What a write to any object means for waits and ticks. */
export function notice(state: State, event: WatchEvent, timing: Timing, io: Io<Wake>): void {
  const { resource, object } = event
  const { group } = resource
  const { namespace, name } = object.metadata
  const key = watchKey(group, resource.resource, namespace, name)
  for (const running of state.runs) lookSoon(state, running, key, io)
  if (DEFINING.has(group)) {
    state.epoch += 1
    for (const record of state.records.values()) wakeNext(state, record, timing.jitter, io)
    return
  }
  if (HELPING.has(resource.resource)) {
    for (const record of state.records.values()) {
      if (record.hasFailed) wakeNext(state, record, timing.jitter, io)
    }
  }
  const watchers = state.watchers.get(key)
  if (watchers === undefined) return
  const isOwn = OWN_GROUPS.has(group)
  const isStatusOnly = !isOwn && isOnlyStatus(event)
  for (const watcher of watchers) {
    const record = state.records.get(watcher)
    if (record === undefined || (isStatusOnly && !record.watchesStatus)) continue
    if (isWatchLabelled(event)) trigger(state, record, watchOf(object), timing, io)
    else wakeNext(state, record, timing.jitter, io)
  }
}

/** Admission and definitions: a dry run may answer otherwise. */
const DEFINING: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
])
/** Their absence may be what a Kustomization failed by. */
const HELPING: ReadonlySet<string> = new Set(['namespaces', 'resourcequotas', 'limitranges'])
const OWN_GROUPS: ReadonlySet<string> = new Set([
  'kustomize.toolkit.fluxcd.io',
  'source.toolkit.fluxcd.io',
])

function lookSoon(state: State, running: string, key: string, io: Io<Wake>): void {
  const wait = state.records.get(running)?.run?.wait
  if (wait === undefined || !wait.keys.has(key)) return
  io.wakeAt(nextLook(wait, io.now), { kind: 'poll', key: running }, `poll ${running}`)
}

function isOnlyStatus({ type, object, before }: WatchEvent): boolean {
  return type === 'MODIFIED' && before !== undefined && isSameForApply(before, object)
}

/** F-1, trace 059: a ConfigMap or Secret that asks to be watched. */
function isWatchLabelled({ type, resource, object, before }: WatchEvent): boolean {
  if (resource.group !== '' || type === 'DELETED') return false
  if (resource.resource !== 'configmaps' && resource.resource !== 'secrets') return false
  if (object['data'] === before?.['data']) return false
  const label = stringAt(object, ['metadata', 'labels', 'reconcile.fluxcd.io/watch'])
  return label?.toLowerCase() === 'enabled'
}

function watchOf({ kind, metadata }: KubeObject): Trigger {
  return { kind: 'watch', words: `${kind} ${metadata.namespace ?? ''}/${metadata.name} changed` }
}

/** A trigger starts a reconcile at once, or right after the one that runs. */
export function trigger(
  state: State,
  record: Record,
  why: Trigger,
  timing: Timing,
  io: Io<Wake>,
): void {
  const { key, run, isQueued } = record
  const asked = strongerOf(record.asked, why)
  if (run !== undefined) {
    state.records.set(key, { ...record, asked, again: true })
    return
  }
  state.records.set(key, { ...record, asked })
  if (isQueued) return
  const at = io.now + delayOf(timing.trigger, key, io.now)
  io.wakeAt(at, { kind: 'start', key }, `start ${key}`)
}
