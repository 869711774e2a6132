import type { Json, JsonObject } from '../../../core/json.ts'
import type { FullParser } from '../../../core/yaml/document.ts'
import type { Cel } from '../../../cluster/api/contract.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Desired, Identity } from '../kustomize-controller/objects.ts'

export interface OperatorOptions {
  /** What a provider of another type than Static finds outside of the cluster. */
  readonly lookUp?: LookUp
  /** ResourceSets at a time; `--concurrent`, default 10. A wait holds its place. */
  readonly concurrency?: number
  readonly timing?: Timing
  /** Kinds that the cluster serves besides those of the model. */
  readonly kinds?: readonly Kind[]
  readonly cel?: Cel
  readonly fullParser?: FullParser
  /**
   * O-10: whether the first look after the deletion of a failed Job finds it gone already: a race
   * with the garbage collector. Default: by chance as often as recorded; never in idealised mode.
   */
  readonly isGoneAtFirstLook?: (job: KubeObject, at: Instant) => boolean
  /** O-1: the length of an interval, which the real one draws; default: by chance, around `ms`. */
  readonly intervalOf?: (key: string, from: Instant, ms: number) => number
  /** O-11: from an apply to the first look of the wait for these objects; default `timing.look`. */
  readonly firstLookMs?: (objects: readonly Identity[], at: Instant) => number
  /** Ticks of an unchanged set cost nothing; false for tests that hold both ways side by side. */
  readonly skipsIdle?: boolean
}

/** The inputs that a provider exports, or why there is no answer. */
export type LookUp = (provider: KubeObject, at: Instant) => readonly JsonObject[] | Failure

export interface Failure {
  readonly fault: string
}

/** Delays of the real operator; milliseconds. */
export interface Timing {
  /** A trigger -> the reconcile begins. */
  readonly trigger: number
  /** Its beginning -> the first request for an object. */
  readonly build: number
  /** An apply -> the first look of the wait that follows. */
  readonly look: number
  /** Of the interval, both ways; retries have none. */
  readonly jitter: number
}

export const IDEALISED_TIMING: Timing = { trigger: 0, build: 0, look: 0, jitter: 0 }

/** Measured: ../shared/traces/flux-operator.md, measured timings. */
export const REALISTIC_TIMING: Timing = { trigger: 10, build: 18, look: 18, jitter: 0.05 }

export type Wake =
  | {
      readonly kind: 'ready'
      readonly key: string
      readonly by?: string
      readonly because?: Trigger
    }
  | { readonly kind: 'go'; readonly key: string }

/** All that the process remembers. Records are replaced, never changed in place. */
export interface State {
  readonly records: Map<string, Record>
  /** ResourceSets that wait for a free worker, first come first served. */
  readonly line: string[]
  running: number
}

export interface Record {
  readonly key: string
  readonly kind: 'set' | 'provider'
  readonly namespace: string
  readonly name: string
  /** Failures in a row, as the rate limiter counts them (O-2). */
  readonly failures: number
  readonly run?: Run
  /** Something came while it was running: it starts anew right after. */
  readonly again: boolean
  readonly isInLine: boolean
  /** Why it waits for its turn. */
  readonly due?: Trigger
  /** What came from outside since its last reconcile: it says more than the timer that was planned. */
  readonly asked?: Trigger
  /** Ticks that are planned only when something changes. */
  readonly idle?: Idle
  /** Objects whose changes may matter, by watch key. */
  readonly watched: ReadonlySet<string>
  /** Those outside of the set that its checksums and copies read. */
  readonly external: ReadonlySet<string>
}

export interface Idle {
  /** The end of the last reconcile: from there the interval counts. */
  readonly from: Instant
  readonly everyMs: number
  /** How long a reconcile that changes nothing takes. */
  readonly costMs: number
  readonly isJittered: boolean
  readonly isPlanned: boolean
  readonly because: Trigger
}

export interface Step {
  /** Empty for a set without steps. */
  readonly name: string
  readonly timeoutMs: number
  readonly objects: readonly Desired[]
}

/** An entry of the inventory, with what is needed to delete its object. */
export interface Entry extends Identity {
  readonly id: string
}

/** A reconcile under way: what is planned next is at `phase` of `step`. */
export interface Run {
  readonly startedAt: Instant
  readonly trigger: Trigger
  /** The trigger was told. */
  readonly isTold: boolean
  readonly phase: 'begin' | 'recreate' | 'apply' | 'replace' | 'health' | 'final'
  readonly steps: readonly Step[]
  readonly step: number
  readonly stage: number
  readonly digest: string
  readonly old: readonly Entry[]
  readonly applied: readonly Entry[]
  /** Something was written: the next tick is not skipped. */
  readonly hasChanged: boolean
  readonly wait?: Wait
}

export interface Wait {
  readonly until: Instant
  readonly everyMs: number
  readonly objects: readonly Desired[]
  /** Of a deletion: uids that must be gone. */
  readonly uids: readonly string[]
  /** What the last look found missing. */
  readonly seen?: string
}

export function emptyState(): State {
  return { records: new Map(), line: [], running: 0 }
}

export function copyState({ records, line, running }: State): State {
  return { records: new Map(records), line: [...line], running }
}

export function recordOf(kind: Record['kind'], namespace: string, name: string): Record {
  const key = keyOf(kind, namespace, name)
  const empty = { failures: 0, again: false, isInLine: false }
  const none = new Set<string>()
  return { key, kind, namespace, name, ...empty, watched: none, external: none }
}

export function keyOf(kind: Record['kind'], namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`
}

/** Inputs of one instance of the templates. */
export type Input = { readonly [key: string]: Json | undefined }
