import type { JsonObject, Path } from '../core/json.ts'

export type EngineId =
  | 'argocd'
  | 'flux'
  | 'helm'
  | 'helm-controller'
  | 'resourceset'
  | 'kro'
  | 'fleet'
  | 'kubectl'
  | 'unknown'

/**
 * How an engine treats the Jobs that it carries. Rules, plan and simulate ask for traits, never
 * for names. Facts: reference/engines.md as corrected by the traces; each engine's file names the
 * rule ids.
 */
export interface Engine {
  readonly id: EngineId
  /** As its users call it: `Argo CD`, `Flux`. */
  readonly title: string
  /** The objects that configure it: `kustomize.toolkit.fluxcd.io Kustomization`. Group and kind. */
  readonly carrierKinds: readonly string[]
  /** Settings of the carrier that decide what happens to Jobs, with defaults filled in. */
  settings(carrier: JsonObject | undefined): readonly Setting[]
  /** What happens to `object`, a Job or CronJob, carried by `carrier` (its whole object). */
  traits(carrier: JsonObject | undefined, object: JsonObject, surroundings?: Surroundings): Traits
  /**
   * When it comes to an object of any kind at the first installation or in a full sync. Left out
   * by engines that apply everything at once; undefined when it is not known, or for an object
   * that is not created then.
   */
  turnOf?(object: JsonObject): Turn | undefined
  /**
   * Whether ordinary objects must be ready before hooks of phase `after` run. `if-asked`: an
   * option of the command decides. Left out means: no such hooks.
   */
  readyBeforeAfter?(carrier: JsonObject | undefined): 'always' | 'if-asked' | 'never'
}

/** A place in the order: phase, then wave. Equal turns say nothing about who is first. */
export interface Turn {
  /** `with`: ordinary objects, and hooks among them. */
  readonly phase: 'before' | 'with' | 'after'
  readonly wave: number
  /** For a sentence: `PreSync, wave 0`. */
  readonly words: string
  /** Which annotation says so, if any does. */
  readonly annotation?: string
}

/** What the engine applies besides the object. Left out means: not known, and claims nothing. */
export interface Surroundings {
  /**
   * Something comes after the object in the same Argo CD sync (a later wave, or a later hook), so
   * the sync waits for it. The last wave is not waited for (trace argocd/050): `false` says that
   * the object asks for a wave, and surely nothing comes after it.
   */
  readonly followed?: boolean
}

export interface Setting {
  readonly name: string
  /** In the carrier; undefined for a default that nobody wrote. */
  readonly path?: Path
  readonly value: string
}

export interface Traits {
  /** False when the engine leaves this object alone (`reconcile: disabled`, an unknown hook). */
  readonly applies: boolean
  /** Why not, when `applies` is false. */
  readonly appliesNot?: string
  /** Set when only rendering can tell whether the engine leaves the object alone. */
  readonly mayApply?: true
  readonly restoresAbsent: Restore
  /** The same name with another pod template. `patched`: a CronJob, for its later Jobs only. */
  readonly templateChange: 'refused' | 'recreates' | 'skipped' | 'patched'
  /** What writes an existing object: a PUT is refused for every Job, changed or not (K-10). */
  readonly updatesBy: 'apply' | 'put' | 'delete-and-create'
  /** With `delete-and-create`: also when nothing changed, on which occasion. */
  readonly recreatesUnchanged?: string
  /** Set when the engine takes the object for a hook. */
  readonly hook?: Hook
  /** Who waits for the Job to end, if anybody does. */
  readonly waiter?: Waiter
  /**
   * Set when the object asks for a place in an order and surely has the last one, so that nobody
   * waits for its end. For a sentence: `the last wave`.
   */
  readonly comesLast?: string
  /**
   * Set when a change that the API server refuses soon stands as applied, so that nobody learns of
   * it: the setting that leads to it, with its name.
   */
  readonly refusedReadsApplied?: { readonly setting: string; readonly words: string }
  /** True when the pods of a Job that it removes go on, without an owner. */
  readonly orphansPods?: true
  /** What becomes of a replacement while a finalizer holds the old object; for a sentence. */
  readonly whileHeld?: string
  /** Where the Job's state shows although nobody waits for it. */
  readonly health?: Health
  /** Removes what is no longer declared; undefined when that is not known. */
  readonly removesUndeclared: boolean | undefined
  /** A manifest with generateName and no name. */
  readonly generateName: 'refused' | 'hooks-only' | 'creates-each-time'
  /**
   * Failed Jobs are deleted and created again until one succeeds, on which occasion. Retries that
   * end by themselves are in `waiter.afterFailure` alone.
   */
  readonly recreatesFailed?: string
  /** True when nothing is known of the engine and the strictest common rules are assumed. */
  readonly assumed: boolean
}

/**
 * When a declared object that is absent gets created again.
 * interval: at the first reconcile after it went; watch: at once; change: with the next change of
 * what `on` names, whatever that change is; never.
 */
export type Restore =
  | {
      readonly when: 'interval'
      readonly periodSeconds: number | undefined
      /** The time to the next round after one that failed, doubling; left out: not known. */
      readonly retry?: { readonly firstSeconds: number; readonly mostSeconds: number }
      /**
       * Set when the waiter is of installs and upgrades only. A second round follows a restore
       * after so long, and a waited-for round at once; intervals count from that second round.
       */
      readonly unwaited?: { readonly againSeconds: number }
      /** Set when only the round that creates the object waits for it, and later ones do not. */
      readonly waiterOfNew?: Waiter
      readonly rule: string
    }
  | {
      readonly when: 'watch'
      readonly delaySeconds: number
      /** Set where the delay grows with each repetition: the longest it gets. */
      readonly maxDelaySeconds?: number
      /** The least times from each restore to the next one, in their order; the last one stays. */
      readonly pausesSeconds?: readonly number[]
      readonly rule: string
    }
  | {
      readonly when: 'change'
      readonly on: string
      /** Set when only rendering can tell whether it comes back sooner. */
      readonly orSooner?: true
      /** Set when nothing is applied at all before a person asks for it. */
      readonly byHand?: true
      readonly rule: string
    }
  | { readonly when: 'never'; readonly rule: string }

export interface Hook {
  /** Which annotation makes it one. */
  readonly annotation: 'argocd.argoproj.io/hook' | 'helm.sh/hook'
  /** As the engine sees them, e.g. `['PreSync']` or `['pre-install', 'pre-upgrade']`. */
  readonly phases: readonly string[]
  /** When it runs, for a sentence: `every full sync`, `every install and upgrade`. */
  readonly runsOn: string
  /**
   * Set when no ordinary sync or upgrade runs it, for a sentence: `install`, `test run`, `a failed
   * sync`. Also set when only rendering can tell.
   */
  readonly onlyOn?: string
  /** After defaults: what deletes the hook Job. Empty when an explicit list has no known word. */
  readonly deletePolicies: readonly DeletePolicy[]
  /** Where the policies are written; empty when the default holds. */
  readonly policyAnnotations: readonly string[]
  /** Set when the retry after a failure is something else, which does not run the hook again. */
  readonly retrySkips?: string
  /** What happens when the Job of the last run still exists and no policy removes it first. */
  readonly existing: 'refused' | 'reused' | 'reused-or-refused'
}

export type DeletePolicy = 'before-hook-creation' | 'hook-succeeded' | 'hook-failed'

export interface Waiter {
  /** For a sentence: `the Argo CD sync`, `the Kustomization's health check`. */
  readonly who: string
  /** Undefined: waits for ever. */
  readonly timeoutSeconds: number | undefined
  /** How often it looks; undefined when it watches. */
  readonly pollSeconds: number | undefined
  readonly suspended: 'waits' | 'done' | 'not-ready'
  /** The Job is gone before the waiter has seen its end. */
  readonly absent: 'success' | 'failure' | 'hangs' | 'timeout'
  /** A failed Job: does anything run it again? */
  readonly afterFailure: 'stays-failed' | 'recreates'
  readonly rule: string
}

export interface Health {
  /** For a sentence: `the health of the Application`. */
  readonly where: string
  /** What stands there for a suspended and for a failed Job. */
  readonly suspended: string
  readonly failed: string
  readonly rule: string
}
