import type { Actor, Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { kindFinder } from '../kinds.ts'
import { applysetOf, PART_OF } from './applyset.ts'
import { seenAt, STARTED, writtenBy } from './causes.ts'
import { followDefinition } from './definitions.ts'
import { isSuspended, type Graph } from './graph.ts'
import { DEFINITIONS_OF_KRO } from './kinds.ts'
import { reconcile } from './pass.ts'
import { enqueue, enqueueRetry } from './queue.ts'
import {
  copyState,
  emptyState,
  forget,
  graphOf,
  IDEALISED_TIMING,
  keyOf,
  type KroOptions,
  type State,
  type Wake,
} from './state.ts'

export { kroKinds } from './kinds.ts'
export { REALISTIC_TIMING } from './state.ts'
export type { KroOptions, State as KroState } from './state.ts'

/**
 * kro 0.9: definitions make kinds, and every event of an instance or of one of its objects makes a
 * pass over its whole graph. Nothing ticks: a pass over what did not change does nothing,
 * so none is planned; errors, which the real one repeats every 3 s, likewise (queue.ts).
 */
export function kro(options: KroOptions): Actor<State, Wake> {
  const tools = { ...options, find: kindFinder(options.kinds ?? []) }
  return {
    name: 'kro',
    begin(io) {
      const state = emptyState(io.now)
      for (const { resource, object } of io.read.all()) setMembership(state, resource, object, true)
      for (const { metadata } of io.read.list(DEFINITIONS_OF_KRO)) {
        const { name } = metadata
        io.wakeAt(io.now, { kind: 'definition', name, trigger: STARTED }, `rgd ${name}`)
      }
      return state
    },
    observe(state, event, io) {
      if (isDefinition(event.resource)) return seeDefinition(options, event, io)
      const graph = graphOf(state, event.resource)
      if (graph !== undefined) seeInstance(options, state, { graph, event }, io)
      seeObject(options, state, event, io)
    },
    wake(state, wake, io) {
      if (wake.kind === 'yield') {
        return io.wakeAt(io.now, { kind: 'instance', key: wake.key }, wake.key)
      }
      if (wake.kind === 'instance') {
        const trigger = state.queued.get(wake.key) ?? STARTED
        state.queued.delete(wake.key)
        return reconcile(tools, state, { key: wake.key, trigger }, io)
      }
      const { name, trigger } = wake
      const graph = followDefinition(state, { name, trigger }, io)
      if (graph === undefined) return undefined
      for (const instance of io.read.list(graph.resource)) {
        enqueue(options, state, { key: meet(state, graph, instance), trigger }, io)
      }
      return undefined
    },
    copy: copyState,
  }
}

function isDefinition({ group, resource }: ResourceId): boolean {
  return resource === DEFINITIONS_OF_KRO.resource && group === DEFINITIONS_OF_KRO.group
}

function seeDefinition(options: KroOptions, event: WatchEvent, io: Io<Wake>): void {
  const { object, before } = event
  const { name, generation, deletionTimestamp } = object.metadata
  const isNews =
    before === undefined ||
    generation !== before.metadata.generation ||
    deletionTimestamp !== before.metadata.deletionTimestamp
  if (!isNews) return
  const { definition } = options.timing ?? IDEALISED_TIMING
  const delay = typeof definition === 'number' ? definition : definition(name, io.now)
  const trigger = writtenBy(event)
  io.wakeAt(io.now + delay, { kind: 'definition', name, trigger }, `rgd ${name}`)
}

interface InstanceEvent {
  readonly graph: Graph
  readonly event: WatchEvent
}

/** Its generation and its deletion wake it; labels and status do not (X-1, traces kro/018, 025). */
function seeInstance(
  options: KroOptions,
  state: State,
  { graph, event }: InstanceEvent,
  io: Io<Wake>,
): void {
  const { type, resource, object, before } = event
  if (type === 'DELETED') {
    const record = state.records.get(keyOf(resource, object))
    if (record !== undefined) forget(state, record)
    return
  }
  const { generation, deletionTimestamp, annotations } = object.metadata
  const isNews =
    before === undefined ||
    generation !== before.metadata.generation ||
    deletionTimestamp !== before.metadata.deletionTimestamp ||
    isSuspended(annotations) !== isSuspended(before.metadata.annotations)
  if (!isNews) return
  enqueue(options, state, { key: meet(state, graph, object), trigger: writtenBy(event) }, io)
}

/** Makes an instance known; its key. */
function meet(state: State, graph: Graph, instance: KubeObject): string {
  const { namespace, name } = instance.metadata
  const key = keyOf(graph.resource, instance)
  if (!state.records.has(key)) {
    const applyset = applysetOf(graph, instance)
    const { resource } = graph
    state.records.set(key, { key, resource, namespace, name, applyset, watched: new Set() })
    state.owners.set(applyset, key)
  }
  return key
}

/** Any event of a child, at once: of what it owns, and of what its graph names. */
function seeObject(options: KroOptions, state: State, event: WatchEvent, io: Io<Wake>): void {
  const { type, resource, object, before } = event
  const former = before ?? object
  const isGone = type === 'DELETED'
  if (isGone || former.metadata.labels?.[PART_OF] !== object.metadata.labels?.[PART_OF]) {
    setMembership(state, resource, former, false)
  }
  if (!isGone) setMembership(state, resource, object, true)
  const woken = new Set(state.watchers.get(keyOf(resource, object)))
  for (const { metadata } of [object, former]) {
    const owner = state.owners.get(metadata.labels?.[PART_OF] ?? '')
    if (owner !== undefined) woken.add(owner)
  }
  if (woken.size > 0) {
    const trigger = seenAt(event)
    for (const key of woken) enqueue(options, state, { key, trigger }, io)
  }
  if (!mayLiftRefusal(resource)) return
  for (const [key, { failedAt }] of state.records) {
    if (failedAt !== undefined) enqueueRetry(state, key, io)
  }
}

/** Kinds whose objects decide whether the server accepts others. */
function mayLiftRefusal({ group, resource }: ResourceId): boolean {
  return (
    group === 'admissionregistration.k8s.io' ||
    group === 'apiextensions.k8s.io' ||
    resource === 'namespaces' ||
    resource === 'resourcequotas' ||
    resource === 'limitranges'
  )
}

function setMembership(
  state: State,
  resource: ResourceId,
  object: KubeObject,
  isMember: boolean,
): void {
  const applyset = object.metadata.labels?.[PART_OF]
  if (applyset === undefined) return
  const key = keyOf(resource, object)
  const members = state.members.get(applyset)
  if ((members?.has(key) ?? false) === isMember) return
  const next = new Map(members)
  const { namespace, name } = object.metadata
  if (isMember) next.set(key, { resource, namespace, name })
  else next.delete(key)
  if (next.size === 0) state.members.delete(applyset)
  else state.members.set(applyset, next)
}
