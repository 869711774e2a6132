import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { shortWords } from '../words.ts'
import { APPLY_ORDER, childLabels, parentMetadata, PART_OF } from './applyset.ts'
import { labelOf, tell, type Round } from './causes.ts'
import type { Graph } from './graph.ts'
import type { InstanceRecord, State } from './state.ts'
import type { Desired, NodeRun, Walk } from './walk.ts'

const MANAGER = 'kro.run/applyset'

/** What the requests of a pass came to. */
export interface Applied {
  /** By node id, in the order of the graph. */
  readonly errors: Map<string, string>
  readonly uids: Set<string>
  hasChanged: boolean
}

export interface Target {
  readonly graph: Graph
  readonly instance: KubeObject
  readonly record: InstanceRecord
  readonly round: Round
}

/**
 * Applies every object of the walk, by force and without looking for a difference first, also when
 * one of them is refused (X-3, X-7).
 */
export function applyAll(target: Target, { runs }: Walk, io: Io<never>): Applied {
  const applied: Applied = { errors: new Map(), uids: new Set(), hasChanged: false }
  announce(target, runs, io)
  for (const run of runs.values()) {
    if (run.node.isExternal || run.isIgnored) continue
    const observed: KubeObject[] = []
    run.desired.forEach((desired, index) => {
      const answer = applyOne(target, run, { desired, index }, io)
      if (typeof answer === 'string') {
        const place = run.node.forEach.length > 0 ? `collection item ${index}: ` : ''
        if (!applied.errors.has(run.node.id)) applied.errors.set(run.node.id, place + answer)
        if (desired.current !== undefined) applied.uids.add(desired.current.metadata.uid)
        return
      }
      observed.push(answer)
      applied.uids.add(answer.metadata.uid)
      const before = desired.current?.metadata.resourceVersion
      if (before !== answer.metadata.resourceVersion) applied.hasChanged = true
    })
    if (!applied.errors.has(run.node.id)) run.observed = observed
  }
  return applied
}

interface Item {
  readonly desired: Desired
  readonly index: number
}

function applyOne(
  { graph, instance, record, round }: Target,
  run: NodeRun,
  { desired, index }: Item,
  io: Io<never>,
): KubeObject | string {
  const { node, resource } = run
  const { namespace, name, current } = desired
  const owner = current?.metadata.labels?.[PART_OF]
  if (owner !== undefined && owner !== record.applyset) {
    // Only another applyset protects an object; without that label it is taken over (X-10).
    return (
      `resource belongs to a different ApplySet: ${namespace ?? ''}/${name} ` +
      `(${node.apiVersion}, Kind=${node.kind}) belongs to ApplySet "${owner}", ` +
      `cannot reassign to "${record.applyset}"`
    )
  }
  const isCollection = node.forEach.length > 0
  const collection = isCollection ? { index, size: run.desired.length } : undefined
  const metadata = objectAt(desired.object, ['metadata']) ?? {}
  const body = {
    ...desired.object,
    metadata: {
      ...metadata,
      ...(namespace === undefined ? {} : { namespace }),
      annotations: {
        ...objectAt(metadata, ['annotations']),
        [APPLY_ORDER]: String(node.wave),
      },
      labels: {
        ...objectAt(metadata, ['labels']),
        ...childLabels(graph, instance, node, collection),
        [PART_OF]: record.applyset,
      },
    },
  }
  const answer = io.request({
    verb: 'patch',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { type: 'apply', body },
    options: { fieldManager: MANAGER, force: true },
  })
  const object = `${node.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
  if (!succeeded(answer)) {
    const message = stringAt(answer.body, ['message']) ?? `HTTP ${answer.code}`
    tell(round, { rule: 'X-7', effect: `refused ${node.kind}: ${shortWords(message)}`, object }, io)
    return message
  }
  const { resourceVersion } = answer.body.metadata
  if (answer.code === 201) tell(round, { rule: 'X-3', effect: `created ${node.kind}`, object }, io)
  else if (resourceVersion !== current?.metadata.resourceVersion) {
    tell(round, { rule: 'X-3', effect: `patched ${node.kind}`, object }, io)
  }
  return answer.body
}

/** The parent names the kinds of its objects before they are written. */
function announce(
  { instance, graph, record }: Target,
  runs: ReadonlyMap<string, NodeRun>,
  io: Io<never>,
): void {
  const own = instance.metadata.namespace
  const kinds = new Set<string>()
  const namespaces = new Set<string>()
  for (const { node, resource, desired, isIgnored } of runs.values()) {
    if (node.isExternal || isIgnored) continue
    for (const { namespace } of desired) {
      kinds.add(resource.group === '' ? node.kind : `${node.kind}.${resource.group}`)
      if (namespace !== undefined && namespace !== own) namespaces.add(namespace)
    }
  }
  const wanted = parentMetadata(record.applyset, kinds, namespaces)
  if (holds(instance.metadata, wanted)) return
  io.request({
    verb: 'patch',
    ...placeOf(record),
    patch: { type: 'apply', body: bareInstance(graph, record, wanted) },
    options: { fieldManager: `${MANAGER}-parent`, force: true },
  })
}

/** Whether the labels and annotations stand there already. */
export function holds(metadata: KubeObject['metadata'], wanted: JsonObject): boolean {
  return (['labels', 'annotations'] as const).every((part) =>
    Object.entries(objectAt(wanted, [part]) ?? {}).every(
      ([key, value]) => metadata[part]?.[key] === value,
    ),
  )
}

export function placeOf({ resource, namespace, name }: InstanceRecord): {
  readonly resource: InstanceRecord['resource']
  readonly namespace?: string
  readonly name: string
} {
  return { resource, ...(namespace === undefined ? {} : { namespace }), name }
}

export function bareInstance(
  { kind, resource }: Graph,
  { namespace, name }: InstanceRecord,
  metadata: JsonObject,
): JsonObject {
  return {
    apiVersion: `${resource.group}/${resource.version}`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...metadata },
  }
}

/**
 * Deletes what carries the applyset's label and is no longer wanted, without a propagation policy:
 * the pods of a Job stay, without an owner (X-8). True when something was deleted.
 */
export function prune(
  state: State,
  { record, round }: Target,
  kept: ReadonlySet<string>,
  io: Io<never>,
): boolean {
  const orphans = membersOf(state, record, io).filter(
    ({ object: { metadata } }) =>
      !kept.has(metadata.uid) && metadata.deletionTimestamp === undefined,
  )
  orphans.sort((one, other) => waveOf(other.object) - waveOf(one.object))
  for (const orphan of orphans) deleteMember(orphan, 'pruned', round, io)
  return orphans.length > 0
}

export interface LiveMember {
  readonly resource: InstanceRecord['resource']
  readonly object: KubeObject
}

export function membersOf(state: State, { applyset }: InstanceRecord, io: Io<never>): LiveMember[] {
  return [...(state.members.get(applyset)?.values() ?? [])].flatMap(
    ({ resource, namespace, name }) => {
      const object = io.read.get(resource, namespace, name)
      return object === undefined ? [] : [{ resource, object }]
    },
  )
}

export function waveOf({ metadata }: KubeObject): number {
  const wave = Number(metadata.annotations?.[APPLY_ORDER] ?? 0)
  return Number.isInteger(wave) && wave > 0 ? wave : 0
}

export function deleteMember(
  { resource, object }: LiveMember,
  effect: 'pruned' | 'deleted',
  round: Round,
  io: Io<never>,
): void {
  const { namespace, name, uid } = object.metadata
  const label = labelOf(object)
  tell(round, { rule: 'X-8', effect: `${effect} ${object.kind}`, object: label }, io)
  io.request({
    verb: 'delete',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } },
  })
}
