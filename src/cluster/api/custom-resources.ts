import { at, isList, type Json, type JsonObject } from '../../core/json.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { timestamp, type Instant } from '../time.ts'
import { ANY, fields } from '../fields/index.ts'
import { withManagers } from './create.ts'
import { kindsOf } from './custom-kind.ts'
import type { Host } from './host.ts'
import type { Kind } from './kind.ts'
import { findKind, withKinds } from './registry.ts'
import type { WatchEvent } from './request.ts'
import { typeOf } from './types.ts'
import { DEFINITIONS } from './well-known.ts'

/** Holds a deleted definition until its objects are gone. */
const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io'

/**
 * What the controllers inside the API server do about CustomResourceDefinitions, at once: a new one
 * is established and served; one in deletion takes its objects with it and goes when the last of
 * them is gone.
 */
export function followDefinitions(host: Host, events: readonly WatchEvent[], now: Instant): void {
  for (const { type, resource, object, before } of events) {
    if (isDefinitions(resource)) {
      if (type === 'DELETED') host.registry = withKinds(host.registry, [], servedBy(object))
      else if (object['spec'] !== before?.['spec']) serve(host, object, before, now)
      else if (isDying(object) && !isDying(before)) takeDown(host, object, now)
    } else if (type === 'DELETED') {
      const definition = definitionOf(host, resource)
      if (definition !== undefined && isDying(definition)) finish(host, definition)
    }
  }
}

function isDefinitions({ group, resource }: ResourceId): boolean {
  return resource === DEFINITIONS.resource && group === DEFINITIONS.group
}

function isDying(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined
}

function definitionOf(host: Host, { group, resource }: ResourceId): KubeObject | undefined {
  if (group === '') return undefined
  return host.store.get(DEFINITIONS, undefined, `${resource}.${group}`)
}

function servedBy(definition: KubeObject): readonly Kind[] {
  return kindsOf(definition, undefined)
}

function serve(
  host: Host,
  definition: KubeObject,
  before: KubeObject | undefined,
  now: Instant,
): void {
  const old = before === undefined ? [] : servedBy(before)
  host.registry = withKinds(host.registry, kindsOf(definition, host.options.cel), old)
  const status = at(definition, ['status'])
  const names = at(definition, ['spec', 'names']) ?? null
  const accepted = withCondition(status, now, {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  })
  const established = withCondition(accepted, now, {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  })
  writeStatus(host, definition, { ...established, acceptedNames: names }, now)
}

function takeDown(host: Host, definition: KubeObject, now: Instant): void {
  const status = withCondition(at(definition, ['status']), now, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  })
  const marked = writeStatus(host, definition, status, now)
  for (const object of instancesOf(host, marked)) deleteInstance(host, object, now)
  finish(host, marked)
}

/** As a plain delete in the background would do it. */
function deleteInstance(host: Host, { resource, object }: Instance, now: Instant): void {
  const { finalizers = [], deletionTimestamp, generation = 0 } = object.metadata
  if (finalizers.length === 0) {
    host.store.remove(resource, object)
    return
  }
  if (deletionTimestamp !== undefined) return
  const metadata = {
    ...object.metadata,
    generation: generation + 1,
    deletionTimestamp: timestamp(now),
    deletionGracePeriodSeconds: 0,
  }
  host.store.put(resource, { ...object, metadata }, object)
}

function finish(host: Host, definition: KubeObject): void {
  const stored = host.store.get(DEFINITIONS, undefined, definition.metadata.name)
  if (stored === undefined || instancesOf(host, stored).length > 0) return
  const finalizers = (stored.metadata.finalizers ?? []).filter((name) => name !== CLEANUP)
  if (finalizers.length === 0) {
    host.store.remove(DEFINITIONS, stored)
    host.registry = withKinds(host.registry, [], servedBy(stored))
    return
  }
  if (finalizers.length === stored.metadata.finalizers?.length) return
  host.store.put(DEFINITIONS, { ...stored, metadata: { ...stored.metadata, finalizers } }, stored)
}

interface Instance {
  readonly resource: ResourceId
  readonly object: KubeObject
}

function instancesOf(host: Host, definition: KubeObject): readonly Instance[] {
  const [resource] = servedBy(definition)
  if (resource === undefined) return []
  return host.store.list(resource).map((object) => ({ resource, object }))
}

function writeStatus(
  host: Host,
  definition: KubeObject,
  status: JsonObject,
  now: Instant,
): KubeObject {
  const stored = host.store.get(DEFINITIONS, undefined, definition.metadata.name) ?? definition
  const next: KubeObject = { ...stored, status }
  const kind = findKind(host.registry, DEFINITIONS)
  const managedFields = fields.updateManagers({
    before: stored,
    after: next,
    type: kind === undefined ? ANY : typeOf(kind),
    manager: 'kube-apiserver',
    subresource: 'status',
    now,
  })
  return host.store.put(DEFINITIONS, withManagers(next, managedFields) as KubeObject, stored)
}

function withCondition(status: Json | undefined, now: Instant, condition: JsonObject): JsonObject {
  const kept = typeof status === 'object' && status !== null && !isList(status) ? status : {}
  const list = at(status, ['conditions'])
  const others = isList(list) ? list : []
  const old = others.find((entry) => at(entry, ['type']) === condition['type'])
  const { type, status: value, reason, message } = condition
  const isKept = old !== undefined && at(old, ['status']) === value
  if (isKept && at(old, ['reason']) === reason) return kept
  const since = isKept ? at(old, ['lastTransitionTime']) : timestamp(now)
  const next = { type, status: value, lastTransitionTime: since, reason, message }
  return { ...kept, conditions: [...others.filter((entry) => entry !== old), next] }
}
