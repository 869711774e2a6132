import type { Cel } from '../../../cluster/api/contract.ts'
import type { Chance } from '../../../cluster/chance.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { KindFinder } from '../kinds.ts'
import type { Graph } from './graph.ts'

export interface KroOptions {
  readonly cel: Cel
  readonly timing?: Timing
  /** Kinds that the cluster serves besides those of the model and of stored definitions. */
  readonly kinds?: readonly Kind[]
}

/** The options, and what is made of them once. */
export interface Tools extends KroOptions {
  readonly find: KindFinder
}

/** Delays of the real controller; milliseconds. */
export interface Timing {
  /** An event -> the pass of its instance begins. */
  readonly trigger: number | ((chance: Chance) => number)
  /** A definition changed -> its kind is served and its instances are worked on anew. */
  readonly definition: number | ((name: string, at: Instant) => number)
}

export const IDEALISED_TIMING: Timing = { trigger: 0, definition: 0 }

/**
 * Measured: ../shared/traces/kro.md, "Measured timings". Whether kro still sees the success of a Job
 * with a TTL of 0 is a race with its deletion some 20 ms later; it won one in 28 (X-5, trace kro/019).
 */
export const REALISTIC_TIMING: Timing = {
  trigger: (chance) => (chance.next() < 1 / 28 ? 15 : 45),
  definition: 300,
}

/** `--instance-requeue-interval`: after an error, for ever. */
export const RETRY_MS = 3000

/** The work queue's common limit, for all instances together (trace kro/012). */
export const LIMIT = { perSecond: 10, burst: 100 }

export type Wake =
  | { readonly kind: 'definition'; readonly name: string; readonly trigger: Trigger }
  /** Without delays the pass lets others act first at its instant. */
  | { readonly kind: 'yield'; readonly key: string }
  | { readonly kind: 'instance'; readonly key: string }

/** All that the process remembers. What stands in the maps is replaced, never changed in place. */
export interface State {
  /** By the name of the definition. */
  readonly graphs: Map<string, Graph>
  /** By instance key. */
  readonly records: Map<string, InstanceRecord>
  /** Which instances look at an object, by object key. */
  readonly watchers: Map<string, ReadonlySet<string>>
  /** Objects with the label of an applyset: the informer's view that prune and deletion work on. */
  readonly members: Map<string, ReadonlyMap<string, Member>>
  /** Applyset -> instance key. */
  readonly owners: Map<string, string>
  /** Instance keys whose pass is planned, and why. */
  readonly queued: Map<string, Trigger>
  /** Expressions that the model cannot evaluate, each once: what kro does there is not predicted. */
  readonly unknown: Set<string>
  tokens: number
  tokensAt: Instant
}

export interface InstanceRecord {
  readonly key: string
  readonly resource: ResourceId
  readonly namespace: string | undefined
  readonly name: string
  readonly applyset: string
  readonly watched: ReadonlySet<string>
  /** When it last ended in an error: from then on it tries again every 3 s. */
  readonly failedAt?: Instant
}

export interface Member {
  readonly resource: ResourceId
  readonly namespace: string | undefined
  readonly name: string
}

export function emptyState(now: Instant): State {
  return {
    graphs: new Map(),
    records: new Map(),
    watchers: new Map(),
    members: new Map(),
    owners: new Map(),
    queued: new Map(),
    unknown: new Set(),
    tokens: LIMIT.burst,
    tokensAt: now,
  }
}

export function copyState(state: State): State {
  return {
    graphs: new Map(state.graphs),
    records: new Map(state.records),
    watchers: new Map(state.watchers),
    members: new Map(state.members),
    owners: new Map(state.owners),
    queued: new Map(state.queued),
    unknown: new Set(state.unknown),
    tokens: state.tokens,
    tokensAt: state.tokensAt,
  }
}

export function objectKey(
  { group, resource }: ResourceId,
  namespace: string | undefined,
  name: string,
): string {
  return `${resource}.${group}/${namespace ?? ''}/${name}`
}

export function keyOf(resource: ResourceId, { metadata }: KubeObject): string {
  return objectKey(resource, metadata.namespace, metadata.name)
}

export function graphOf(state: State, { group, resource }: ResourceId): Graph | undefined {
  for (const graph of state.graphs.values()) {
    if (graph.resource.resource === resource && graph.resource.group === group) return graph
  }
  return undefined
}

/** Sets which objects wake an instance. */
export function watch(state: State, record: InstanceRecord, watched: ReadonlySet<string>): void {
  for (const key of record.watched) {
    if (watched.has(key)) continue
    const left = new Set(state.watchers.get(key))
    left.delete(record.key)
    if (left.size === 0) state.watchers.delete(key)
    else state.watchers.set(key, left)
  }
  for (const key of watched) {
    const there = state.watchers.get(key)
    if (there?.has(record.key) === true) continue
    state.watchers.set(key, new Set([...(there ?? []), record.key]))
  }
  state.records.set(record.key, { ...record, watched })
}

export function forget(state: State, record: InstanceRecord): void {
  watch(state, record, new Set())
  state.records.delete(record.key)
  state.owners.delete(record.applyset)
}
