import type { JsonObject } from '../../../core/json.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Instant } from '../../../cluster/time.ts'

/** What the repo-server answers: manifests, or why there are none. */
export type Rendered =
  | {
      readonly objects: readonly JsonObject[]
      /** Rendered at another time, they would be the same. */
      readonly isTimeless?: true
    }
  | { readonly fault: string }

/** Git repositories and the renderers of the repo-server, as an engine sees them. */
export interface Sources {
  /** The commit that a branch, tag or hash stands for now; undefined: there is none. */
  resolve(repoURL: string, targetRevision: string, now: Instant): string | undefined
  /** Why a repository cannot be asked now, in Argo CD's words; undefined: it can. */
  fault?(repoURL: string): string | undefined
  render(source: JsonObject, revision: string, now: Instant): Rendered
  /**
   * When a branch moves next by itself; undefined: not before a wake of kind `sources` says so. With
   * it, ticks that find nothing are skipped.
   */
  nextChange?(now: Instant): Instant | undefined
}

/** What a comparison that followed a sync saw wrongly, because its cache was behind. */
export interface Stale {
  /** Objects whose change it had not seen: `Job/work`. */
  readonly names: readonly string[]
  /** It had seen the old object go and the new one not come. */
  readonly absent: boolean
  /** The sync that follows saw the same: what it creates is there, what it prunes is gone. */
  readonly lasts: boolean
}

export interface ArgoOptions {
  readonly sources: Sources
  /** Besides the kinds of the model. */
  readonly kinds?: readonly Kind[]
  /** `timeout.reconciliation`; 0: never. */
  readonly resyncSeconds?: number
  readonly jitterSeconds?: number
  /** How long the repo-server believes that it knows a branch's head. */
  readonly headCacheSeconds?: number
  /** How long the repo-server keeps the manifests of a revision (`--repo-cache-expiration`): 24 h. */
  readonly manifestCacheSeconds?: number
  readonly waveDelaySeconds?: number
  readonly delays?: Delays
  /** Of Argo CD, as `306` for 3.6; left out: the newest that is modelled. It may change. */
  readonly version?: () => number
  /** Compares at each tick, also when nothing has changed: the same run, at a price. For tests. */
  readonly isEager?: boolean
  /**
   * Recorded draws in place of chance. `stale`: after the operation with that number of an app;
   * `comparisons`: when the periodic comparisons were (A-1a).
   */
  readonly recorded?: {
    readonly stale?: (app: string, operation: number) => Stale | undefined
    /** Whether the creation of the `nth` object of that name gave its operation a pass 5 s later. */
    readonly noticed?: (name: string, nth: number) => boolean
    /** How long the comparison took to come that was asked for now, in milliseconds. */
    readonly compareMs?: (app: string, now: Instant) => number | undefined
    /** Names of objects that a deletion wanted to delete once more, because its cache was behind. */
    readonly lateDeletes?: (app: string) => readonly string[]
    /** An instant of the common tick: its phase is the start of the controller. */
    readonly tick?: Instant
    readonly comparisons?: (app: string) => readonly Instant[] | undefined
  }
}

/** Milliseconds that the real controller needs (../shared/traces/argocd.md, section 4). */
export interface Delays {
  /** Something to compare -> compared. */
  readonly compare: number
  /** A live object changed -> compared. */
  readonly watch: number
  /** Operation asked for -> taken up. */
  readonly operation: number
  /** Taken up -> its first pass. */
  readonly firstPass: number
  /** The operation's state was written -> its next pass. */
  readonly pass: number
  /** Something changed among the objects of a running operation -> its next pass: batched. */
  readonly batch: number
  /** How often, of 1, the comparison after a full sync reads an old cache (A-10, trace 038). */
  readonly staleShare: number
  /** How often, of 1, the creation of a hook is among the changes that lead to a pass. */
  readonly noticedShare: number
}

export const IDEALISED_DELAYS: Delays = {
  compare: 0,
  watch: 0,
  operation: 0,
  firstPass: 0,
  pass: 0,
  batch: 5000,
  staleShare: 0,
  noticedShare: 0,
}

export const MEASURED_DELAYS: Delays = {
  compare: 130,
  watch: 60,
  operation: 50,
  firstPass: 40,
  pass: 5,
  batch: 5080,
  staleShare: 40 / 109,
  noticedShare: 0.4,
}
