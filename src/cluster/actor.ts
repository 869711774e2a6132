import type { JsonObject } from '../core/json.ts'
import type { Answer, Request, WatchEvent } from './api/request.ts'
import type { Chance } from './chance.ts'
import type { KubeObject, ResourceId } from './object.ts'
import type { Instant } from './time.ts'

/**
 * Somebody who acts on the cluster in virtual time: a controller, the kubelet, a GitOps engine, a
 * person's script. An actor is rules without memory; its memory is `State`, plain data that
 * `copy` duplicates, so that a whole cluster can be copied and both go on alike. Wakes are plain
 * data too (never a function): they wait in the cluster's queue.
 */
export interface Actor<State, Wake> {
  /** Unique in a cluster, as the real one is called: `job-controller`. */
  readonly name: string
  /** At its start, and again after each restart: reads what there is, plans its first wakes. */
  begin(io: Io<Wake>): State
  /** After each write, in the order of writes. Nothing may be written here: plan a wake. */
  observe?(state: State, event: WatchEvent, io: Io<Wake>): void
  wake(state: State, wake: Wake, io: Io<Wake>): void
  copy(state: State): State
  /** Its process is about to end: what it would have written by now, had it skipped nothing. */
  settle?(state: State, io: Io<Wake>): void
  /**
   * Of its leader election: the process ends when the API server has not answered for so long, and
   * is there again (`begin`) as soon as it answers. Left out: it elects no leader, and lives on.
   */
  readonly renewDeadlineMs?: number
  /**
   * The API server answers again after an outage, or tells of an earlier state after a restore (the
   * differences were observed before). Nothing that was asked for in between was done. Who has none
   * relies on its own retries after an outage, and is started anew after a restore.
   */
  relist?(state: State, io: Io<Wake>): void
}

/** All that an actor can do. */
export interface Io<Wake> {
  readonly now: Instant
  readonly chance: Chance
  readonly latencies: Latencies
  /** One request, answered at once. Latency is the caller's: it wakes later. */
  request(request: Omit<Request, 'user'> & { readonly user?: string }): Answer
  /** The informer's view: what is stored now, without the price of a request. */
  readonly read: Reader
  /** `key` names the wake: a second one of the same key replaces it when it is earlier. */
  wakeAt(at: Instant, wake: Wake, key?: string): void
  cancel(key: string): void
  /** A Kubernetes Event, and with it a line of the trace. */
  event(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void
  /** Why something was done, for cause chains: rule id and the object's key. */
  cause(cause: Cause): void
}

export interface Reader {
  get(resource: ResourceId, namespace: string | undefined, name: string): KubeObject | undefined
  /** In the order of their names; `namespace` undefined: of all. */
  list(resource: ResourceId, namespace?: string): readonly KubeObject[]
  /** Objects whose ownerReferences name `uid`. Indexed. */
  dependents(uid: string): readonly { readonly resource: ResourceId; readonly object: KubeObject }[]
  byUid(uid: string): { readonly resource: ResourceId; readonly object: KubeObject } | undefined
  /** Everything that is stored, in the order of creation: for those who list all at their start. */
  all(): Iterable<{ readonly resource: ResourceId; readonly object: KubeObject }>
}

/**
 * Why something was done. A round of work (a reconcile, a sync, a tick) begins with a cause that
 * has a `trigger`; what is done in it follows as causes that name the same `carrier`.
 */
export interface Cause {
  readonly at: Instant
  readonly actor: string
  /** The rule of docs/engines that decided: `K-17`. */
  readonly rule: string
  /** What was done, in the past tense: `created Job`, `deleted Job`, `reconciled`. */
  readonly effect: string
  /** What it was done to: kind, namespace and name. `Job shop/migrate`, `Namespace shop`. */
  readonly object?: string
  /** On whose behalf: the engine's own object. `Kustomization flux-system/shop`. */
  readonly carrier?: string
  readonly trigger?: Trigger
  readonly data?: JsonObject
}

/** What began a round of work. */
export interface Trigger {
  readonly kind: TriggerKind
  /** For a sentence that begins with `because`: `its interval of 10m0s was over`. */
  readonly words: string
}

/**
 * interval: a period of the carrier was over; revision: other files in Git, another chart, other
 * values or settings; request: a person or an annotation asked; retry: after a failure; watch: an
 * object was changed or went away; dependency: what it waited for became ready; schedule: a tick of
 * a CronJob; expiry: a TTL; start: a controller's process started.
 */
export type TriggerKind =
  | 'interval'
  | 'revision'
  | 'request'
  | 'retry'
  | 'watch'
  | 'dependency'
  | 'schedule'
  | 'expiry'
  | 'start'

/**
 * Delays of the real components, in milliseconds. All zero in idealised mode; the realistic values
 * were measured (../shared/traces/kubernetes.md, section 4).
 */
export interface Latencies {
  /** Job created -> its controller acts. */
  readonly jobSync: number
  /** Job changed, resumed or deleted -> its controller acts. */
  readonly jobChange: number
  /** Pod events of a Job -> its controller acts: batched. */
  readonly podBatch: number
  /** CronJob's time -> its controller acts (the requeue adds 100 ms by itself). */
  readonly cronTick: number
  /** CronJob looked at (its Job is created) -> its status is written: an edit in between conflicts. */
  readonly cronStatus?: number
  /** Background deletion -> the garbage collector deletes dependents. */
  readonly garbage: number
  /** A pod exists -> its containers run. */
  readonly podStart: number
  /** A controller's process started -> it works. */
  readonly controllerStart: number
}

export const IDEALISED: Latencies = {
  jobSync: 0,
  jobChange: 0,
  podBatch: 0,
  cronTick: 0,
  garbage: 0,
  podStart: 0,
  controllerStart: 0,
}

export const REALISTIC: Latencies = {
  jobSync: 40,
  jobChange: 15,
  podBatch: 1000,
  cronTick: 190,
  cronStatus: 10,
  garbage: 20,
  podStart: 30,
  controllerStart: 250,
}
