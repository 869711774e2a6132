import type { Trigger } from '../../../cluster/actor.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { FullParser } from '../../../core/yaml/document.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Files } from './build.ts'
import type { Desired, Identity } from './objects.ts'

export interface ControllerOptions {
  /** The files of a revision, as source-controller would have stored them. */
  readonly artifact: (revision: string, source: JsonObject) => Files | undefined
  /** Kustomizations at a time; `--concurrent`, default 4. A wait holds its place (F-3). */
  readonly concurrency?: number
  readonly timing?: Timing
  /** Of kustomize-controller: 9 for 1.9, which is the default. It may change. */
  readonly minor?: number
  /** Kinds that the cluster serves besides those of the model. */
  readonly kinds?: readonly Kind[]
  readonly fullParser?: FullParser
  /** Comes at every tick, also when nothing has changed: the same run, at a price. For tests. */
  readonly isEager?: boolean
}

/** Delays of the real controller; milliseconds. */
export interface Timing {
  /** A trigger -> its reconcile begins. */
  readonly trigger: Delay
  /** A new Kustomization gets its finalizer -> its first reconcile. */
  readonly firstRequeue: Delay
  /** A reconcile begins -> its status says so; until then, others see it as Ready as before. */
  readonly report: number
  /** Fetching and building, until the first dry run. */
  readonly build: Delay
  /** Everything is applied -> the first health check looks. */
  readonly look: number
  /** Of the interval, both ways (F-1); retries have none. */
  readonly jitter: number
}

/** A function where a recording knows how long a loaded machine took. */
export type Delay = number | ((kustomization: string, at: Instant) => number)

export function delayOf(delay: Delay, kustomization: string, at: Instant): number {
  return typeof delay === 'number' ? delay : delay(kustomization, at)
}

export const IDEALISED_TIMING: Timing = {
  trigger: 0,
  firstRequeue: 0,
  report: 0,
  build: 0,
  look: 0,
  jitter: 0,
}

/** Measured: ../shared/traces/kustomize-controller.md, section 4. */
export const REALISTIC_TIMING: Timing = {
  trigger: 15,
  firstRequeue: 750,
  report: 5,
  build: 110,
  look: 25,
  jitter: 0.05,
}

export type Wake =
  | { readonly kind: 'start'; readonly key: string }
  | { readonly kind: 'tick'; readonly key: string; readonly hops: number }
  | { readonly kind: 'report'; readonly key: string }
  | { readonly kind: 'apply'; readonly key: string }
  | { readonly kind: 'poll'; readonly key: string }

/** All that the process remembers. Records are replaced, never changed in place. */
export interface State {
  readonly records: Map<string, Record>
  /** Which Kustomizations look at an object, by its watch key. */
  readonly watchers: Map<string, ReadonlySet<string>>
  /** Kustomizations that wait for a free worker, first come first served. */
  readonly waiting: string[]
  /** Those that hold a worker. */
  readonly runs: Set<string>
  /** Kustomizations whose present reconcile has been told of. */
  readonly told: Set<string>
  /** What the server refused to each since it last succeeded, as it was told. */
  readonly refused: Map<string, ReadonlySet<string>>
  /** Grows when admission or definitions change: what a dry run said before says nothing then. */
  epoch: number
}

export interface Record {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly run?: Run
  /** Why the next reconcile begins, where something other than a tick brings it. */
  readonly asked?: Trigger
  /** Something came while it was running or waiting: it starts anew right after. */
  readonly again: boolean
  readonly isQueued: boolean
  /** What it watches has changed while it ran. */
  readonly hasNews: boolean
  readonly next?: Next
  /** Objects whose changes matter, by watch key. */
  readonly watched: ReadonlySet<string>
  /** Their status matters too: of those that are waited for, of dependencies and sources. */
  readonly watchesStatus: boolean
  /** What lets a failed reconcile succeed may lie anywhere: namespaces, definitions, policies. */
  readonly hasFailed: boolean
  /** Objects that a dry run found unchanged, by watch key. */
  readonly clean: ReadonlyMap<string, Clean>
}

/** The ticks after a reconcile. Nothing is planned for them while nothing has changed. */
export interface Next {
  readonly anchor: Instant
  readonly everyMs: number
  readonly isJittered: boolean
  /** How long a reconcile that changes nothing takes. */
  readonly costMs: number
  readonly isPlanned: boolean
  /** Why these ticks come: an interval, a retry. */
  readonly why: Trigger
}

export interface Clean {
  readonly object: JsonObject
  readonly live: KubeObject
  readonly epoch: number
}

export type Action = 'created' | 'configured' | 'unchanged' | 'skipped' | 'deleted'

export interface Change {
  readonly of: Desired
  readonly action: Action
}

/** An entry of the inventory, with what is needed to delete its object. */
export interface Entry extends Identity {
  readonly id: string
}

/** A reconcile under way. */
export interface Run {
  readonly startedAt: Instant
  readonly trigger: Trigger
  readonly revision: string
  readonly stages: readonly (readonly Desired[])[]
  /** Position in `stages` of the one that is being applied or waited for. */
  readonly stage: number
  /** Of finished stages. */
  readonly done: readonly Change[]
  /** Of the stage that is being applied, by position. */
  readonly found: readonly (Change | undefined)[]
  readonly oldInventory: readonly Entry[]
  readonly wait?: Wait
}

export interface Wait {
  readonly for: 'deletion' | 'stage' | 'health' | 'termination'
  readonly since: Instant
  readonly everyMs: number
  readonly until: Instant
  readonly objects: readonly Desired[]
  /** Their watch keys. */
  readonly keys: ReadonlySet<string>
  /** Of a deletion: the objects as they were last seen. */
  readonly seen?: ReadonlyMap<Desired, KubeObject>
}

export function emptyState(): State {
  return {
    records: new Map(),
    watchers: new Map(),
    waiting: [],
    runs: new Set(),
    told: new Set(),
    refused: new Map(),
    epoch: 0,
  }
}

export function copyState(state: State): State {
  return {
    records: new Map(state.records),
    watchers: new Map(state.watchers),
    waiting: [...state.waiting],
    runs: new Set(state.runs),
    told: new Set(state.told),
    refused: new Map(state.refused),
    epoch: state.epoch,
  }
}

export function recordOf(namespace: string, name: string): Record {
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    again: false,
    isQueued: false,
    hasNews: false,
    watched: new Set(),
    watchesStatus: false,
    hasFailed: false,
    clean: new Map(),
  }
}
