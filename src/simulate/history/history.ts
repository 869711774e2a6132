import type { TriggerKind } from '../../cluster/actor.ts'
import type { Instant } from '../../cluster/time.ts'

/**
 * What happened in a simulated span of time: plain data, from which sentences, tables, timelines,
 * JSON and the HTML report are made. Instants are milliseconds since 1970, UTC.
 */
export interface History {
  readonly start: Instant
  /** Half open: what happens exactly here is outside. */
  readonly end: Instant
  readonly timing: Timing
  /** In the order of their first life; those that are declared and never ran come last. */
  readonly lanes: readonly Lane[]
  /** Everything else worth a mark, in order: commits, rounds of engines, refusals, outages. */
  readonly happenings: readonly Happening[]
  /** What a person must know before believing this. */
  readonly warnings: readonly Warning[]
}

/** `idealised`: no jitter, no latency. `realistic`: both, drawn from the seed. */
export type Timing =
  | { readonly mode: 'idealised' }
  | { readonly mode: 'realistic'; readonly seed: number }

/** One Job or CronJob as people think of it, whatever number of objects it became. */
export interface Lane {
  /** `shop/migrate`; of a Job with `generateName` its prefix and `*`: `shop/migrate-*`. */
  readonly name: string
  readonly kind: 'Job' | 'CronJob'
  /** Whose carrier declares it, for people: `Flux Kustomization flux-system/shop`. */
  readonly appliedBy?: string
  /** Rule traits for the sentence: what a second run would do. */
  readonly contract?: string
  readonly ttlSeconds?: number
  readonly schedule?: string
  /** Of the CronJob's spec; UTC when left out. */
  readonly timeZone?: string
  readonly lives: readonly JobLife[]
  /** When the CronJob was suspended: it starts nothing then. */
  readonly suspended?: readonly { readonly from: Instant; readonly until?: Instant }[]
  /** Why nothing of it starts at the end, for a sentence that begins with `it`: `is suspended`. */
  readonly held?: string
  /** Set for a Job that is declared but of which the model cannot tell when it runs: why not. */
  readonly unknown?: string
}

/** One Job object, from its creation to its deletion. A run is a life that started a pod. */
export interface JobLife {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** The CronJob that made it, if one did. */
  readonly cronJob?: string
  readonly image: string
  readonly createdAt: Instant
  /** Why it was created: trigger first, the creation last. Never empty. */
  readonly created: readonly Step[]
  readonly cause: RunCause
  /** The first pod. Undefined: it never ran (suspended, quota, taken over by another controller). */
  readonly startedAt?: Instant
  /** Why it has no pod, for a sentence that begins with `it`: `is suspended`. */
  readonly held?: string
  /** Pods that were created: attempts, and parallel ones. */
  readonly pods: number
  /** Starts of the container that does the work, restarts within a pod included. */
  readonly executions?: number
  readonly endedAt?: Instant
  readonly outcome: Outcome
  readonly deletedAt?: Instant
  /** Why it was deleted: trigger first, the deletion last. */
  readonly deleted?: readonly Step[]
}

/** `gone`: deleted before it ended. `waiting`: it has no pod. */
export type Outcome = 'complete' | 'failed' | 'running' | 'gone' | 'waiting'

/**
 * first: nothing of that name was there before; changed: the declared content is another one;
 * restored: it was declared, unchanged and absent; replaced: an unchanged object was deleted to be
 * created again; retried: the one before had failed; hook: the engine runs it on every such
 * occasion; schedule: a tick of its CronJob; manual: a person created it.
 */
export type RunCause =
  | 'first'
  | 'changed'
  | 'restored'
  | 'replaced'
  | 'retried'
  | 'hook'
  | 'schedule'
  | 'manual'

/** One link of a cause chain: trigger -> state of the object -> rule -> effect. */
export interface Step {
  readonly at: Instant
  readonly role: 'trigger' | 'state' | 'effect'
  /** Who: `kustomize-controller`, `ttl-after-finished-controller`, `person`. */
  readonly actor: string
  /** A sentence without its full stop: `created Job shop/migrate`. */
  readonly words: string
  /** The rule of docs/engines that decided, and the page and heading that holds it. */
  readonly rule?: string
  readonly page?: string
  /** The rule was read from source or documents, and no recording has shown it. */
  readonly unconfirmed?: true
  readonly trigger?: TriggerKind
}

export interface Happening {
  readonly at: Instant
  /** Set for what lasts: an outage. */
  readonly until?: Instant
  /** Which row of the timeline: `Git`, `Kustomization flux-system/shop`, `cluster`. */
  readonly row: string
  readonly kind: HappeningKind
  readonly words: string
  readonly rule?: string
  readonly page?: string
  /** `Job shop/migrate`. */
  readonly object?: string
}

export type HappeningKind =
  | 'commit'
  | 'round'
  | 'sync'
  | 'refused'
  | 'failed'
  | 'created'
  | 'deleted'
  | 'pruned'
  | 'outage'
  | 'drift'
  | 'request'
  | 'note'

export interface Warning {
  /** `runs-without-bound`, `unconfirmed-rule`, `race`, `not-followed`, `assumed-work`. */
  readonly id: string
  /** Names of lanes. */
  readonly lanes: readonly string[]
  readonly what: string
  readonly why: string
  readonly remedy?: string
}

/** A run: a life that started a pod before the end. */
export function runsOf({ lives }: Lane, { end }: Pick<History, 'end'>): readonly Run[] {
  return lives
    .filter((life): life is Run => life.startedAt !== undefined && life.startedAt < end)
    .sort((one, other) => one.startedAt - other.startedAt)
}

export type Run = JobLife & { readonly startedAt: Instant }
