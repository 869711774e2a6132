import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import type { Release } from '../helm/contract.ts'
import { artifactOf, valuesReferences } from './chart.ts'
import { put, type Context } from './context.ts'
import { targetOf } from './drift.ts'
import { HELM_RELEASES, SOURCE_RESOURCES } from './kinds.ts'
import { enqueue, planTick } from './queue.ts'
import { sourceOf, type Settings } from './settings.ts'
import { conditionIn, statusOf } from './status.ts'
import type { Record } from './state.ts'

const WATCHED = 'reconcile.fluxcd.io/watch'
const REQUESTED = 'reconcile.fluxcd.io/requestedAt'

/** The triggers of R-1; everything else may only make the next interval matter. */
export function see(context: Context, event: WatchEvent): void {
  const { resource } = event
  if (isSame(resource, HELM_RELEASES)) seeRelease(context, event)
  for (const [kind, source] of SOURCE_RESOURCES) {
    if (isSame(resource, source)) seeSource(context, kind, event)
  }
  if (resource.group === '') seeValues(context, event)
  touch(context, event)
  if (WIDE_GROUPS.includes(resource.group)) touchAll(context)
}

/** Changes there may make any dry run answer otherwise. */
const WIDE_GROUPS = ['admissionregistration.k8s.io', 'apiextensions.k8s.io']

function touchAll(context: Context): void {
  const { records } = context.state
  for (const [key, record] of records) {
    if (record.run !== undefined) put(context, record, { isTouched: true })
    else records.set(key, planTick(context, record))
  }
}

function seeRelease(context: Context, { type, object, before }: WatchEvent): void {
  const { name, namespace = '' } = object.metadata
  if (type === 'DELETED') {
    forget(context, `${namespace}/${name}`)
    return
  }
  const isNew = type === 'ADDED' || before?.metadata.generation !== object.metadata.generation
  const isAsked =
    before?.metadata.annotations?.[REQUESTED] !== object.metadata.annotations?.[REQUESTED]
  const isDying = before?.metadata.deletionTimestamp !== object.metadata.deletionTimestamp
  if (!isNew && !isAsked && !isDying) return
  enqueue(context, namespace, name, whyOf(object, type === 'ADDED' ? undefined : before))
}

/** Why a changed HelmRelease is looked at, for a sentence that begins with `because`. */
function whyOf(object: KubeObject, before: KubeObject | undefined): Trigger {
  if (before === undefined) return { kind: 'revision', words: 'the HelmRelease was created' }
  if (before.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) {
    return { kind: 'request', words: 'the HelmRelease was deleted' }
  }
  if (before.metadata.generation === object.metadata.generation) {
    return { kind: 'request', words: askedIn(object) }
  }
  const [now = {}, then = {}] = [object, before].map((one) => objectAt(one, ['spec']))
  if (then['suspend'] === true && now['suspend'] !== true) {
    return { kind: 'request', words: 'the HelmRelease was resumed' }
  }
  const fields = [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((field) => !equal(then[field] ?? null, now[field] ?? null))
    .map((field) => `spec.${field}`)
    .sort()
  return { kind: 'revision', words: `its ${listed(fields)} changed` }
}

function askedIn({ metadata: { annotations = {} } }: KubeObject): string {
  const asked = annotations[REQUESTED]
  if (annotations['reconcile.fluxcd.io/forceAt'] === asked) return 'somebody asked for an upgrade'
  const isReset = annotations['reconcile.fluxcd.io/resetAt'] === asked
  return isReset ? 'somebody asked to count its failures anew' : 'somebody asked for a reconcile'
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? 'spec'
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

/** Its process has nothing more to do with it; an action under way goes on to its end. */
function forget(context: Context, key: string): void {
  const record = context.state.records.get(key)
  if (record === undefined || record.run !== undefined) return
  context.io.cancel(`start ${key}`)
  unwatch(context, record)
  context.state.records.delete(key)
}

/** A new revision, or ready again. The same revision with another digest is none (trace 048). */
function seeSource(context: Context, kind: string, { type, object, before }: WatchEvent): void {
  if (type !== 'MODIFIED' || before === undefined) return
  const isReady = (one: KubeObject): boolean =>
    conditionIn(statusOf(one), 'Ready')?.status === 'True'
  const now = artifactOf(object)
  const isNew = now.revision !== '' && artifactOf(before).revision !== now.revision
  if (!isNew && (isReady(before) || !isReady(object))) return
  for (const release of context.io.read.list(HELM_RELEASES)) {
    const source = sourceOf(release)
    if (source.kind !== kind || source.name !== object.metadata.name) continue
    if (source.namespace !== (object.metadata.namespace ?? '')) continue
    const status = statusOf(release)
    const isDone =
      kind === 'OCIRepository'
        ? now.revision.endsWith(status.lastAttemptedRevisionDigest) &&
          status.lastAttemptedRevisionDigest !== ''
        : isReady(release) && now.revision === status.lastAttemptedRevision
    if (isDone) continue
    const place = `${kind} ${source.namespace}/${source.name}`
    const because: Trigger = isNew
      ? { kind: 'revision', words: `revision ${now.revision} of ${place} came` }
      : { kind: 'dependency', words: `${place} became ready` }
    enqueue(context, release.metadata.namespace ?? '', release.metadata.name, because)
  }
}

/** ConfigMaps and Secrets of valuesFrom, when they are labelled to be watched. */
function seeValues(context: Context, { resource, object }: WatchEvent): void {
  if (object.metadata.labels?.[WATCHED] !== 'Enabled') return
  const kind = { configmaps: 'ConfigMap', secrets: 'Secret' }[resource.resource]
  if (kind === undefined) return
  for (const release of context.io.read.list(HELM_RELEASES, object.metadata.namespace)) {
    if (!valuesReferences(release).includes(`${kind} ${object.metadata.name}`)) continue
    const words = `${kind} ${object.metadata.namespace ?? ''}/${object.metadata.name} changed`
    const because = { kind: 'revision', words } as const
    enqueue(context, release.metadata.namespace ?? '', release.metadata.name, because)
  }
}

/** Something that the next reconcile would look at has changed. */
function touch(context: Context, event: WatchEvent): void {
  const { state } = context
  const key = keyOf(event.resource, event.object.metadata.namespace, event.object.metadata.name)
  const watchers = state.watchers.get(key)
  if (watchers === undefined || !isChange(event)) return
  for (const name of watchers) {
    const record = state.records.get(name)
    if (record === undefined) continue
    if (record.run !== undefined) put(context, record, { isTouched: true })
    else state.records.set(name, planTick(context, record))
  }
}

/** Status counts only where a status is looked at: of other HelmReleases and of sources. */
function isChange({ type, resource, object, before }: WatchEvent): boolean {
  if (before === undefined || type !== 'MODIFIED' || resource.group.endsWith('toolkit.fluxcd.io'))
    return true
  return !equal(lookedAt(before), lookedAt(object))
}

function lookedAt({ metadata, status: _status, ...rest }: KubeObject): JsonObject {
  const { labels = {}, annotations = {}, deletionTimestamp = '', uid } = metadata
  return { ...rest, metadata: { labels, annotations, deletionTimestamp, uid } }
}

/** All that the next reconcile of an unchanged HelmRelease looks at. */
export function watchAll(
  context: Context,
  record: Record,
  {
    settings,
    release,
    object,
  }: {
    readonly settings: Settings
    readonly release: Release | undefined
    readonly object: KubeObject
  },
): Record {
  const keys = new Set<string>()
  const core = (resource: string): ResourceId => ({ group: '', version: 'v1', resource })
  const { source } = settings
  const sources = SOURCE_RESOURCES.get(source.kind)
  if (sources !== undefined) keys.add(keyOf(sources, source.namespace, source.name))
  for (const dependency of settings.dependsOn) {
    const [namespace, name = ''] = dependency.split('/')
    keys.add(keyOf(HELM_RELEASES, namespace, name))
  }
  for (const reference of valuesReferences(object)) {
    const [kind, name = ''] = reference.split(' ')
    const resource = core(kind === 'Secret' ? 'secrets' : 'configmaps')
    keys.add(keyOf(resource, record.namespace, name))
  }
  if (release !== undefined) {
    // Its own Secret, and the one of a revision that somebody else adds.
    for (const version of [release.version, release.version + 1]) {
      const name = `sh.helm.release.v1.${release.name}.v${version}`
      keys.add(keyOf(core('secrets'), release.namespace, name))
    }
    if (settings.drift.mode !== 'disabled') {
      for (const one of release.manifest) addObject(context, keys, one, release.namespace)
    }
  }
  unwatch(context, record)
  for (const key of keys) {
    const watchers = context.state.watchers.get(key) ?? new Set()
    context.state.watchers.set(key, new Set([...watchers, record.key]))
  }
  return put(context, record, { watched: keys, isTouched: false })
}

function addObject(
  context: Context,
  keys: Set<string>,
  object: JsonObject,
  namespace: string,
): void {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const own = stringAt(metadata, ['namespace']) ?? namespace
  const placed = { ...object, metadata: { ...metadata, namespace: own } }
  const target = targetOf(placed, context.kindOf, context.io)
  if (target !== undefined) keys.add(keyOf(target.resource, target.namespace, target.name))
}

function unwatch({ state }: Context, record: Record): void {
  for (const key of record.watched) {
    const left = new Set(state.watchers.get(key))
    left.delete(record.key)
    if (left.size === 0) state.watchers.delete(key)
    else state.watchers.set(key, left)
  }
}

function keyOf(
  { group, resource }: ResourceId,
  namespace: string | undefined,
  name: string,
): string {
  return `${group}/${resource}/${namespace ?? ''}/${name}`
}

function isSame(one: ResourceId, other: ResourceId): boolean {
  return one.group === other.group && one.resource === other.resource
}
