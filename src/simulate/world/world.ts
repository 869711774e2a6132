import type { Json, JsonObject } from '../../core/json.ts'
import type { Workload } from '../../cluster/kubelet/scenario-script.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Timing } from '../history/history.ts'
import type { Files, ScenarioEngine, StageInput } from '../scenario/stage.ts'

/**
 * All that a run in virtual time needs: engines with their settings, how the work behaves, and what
 * people and the world do. Made from a scenario or from a repository; plain data but for engines.
 */
export interface World {
  readonly start: Instant
  /** Half open: what happens exactly here is outside. */
  readonly end: Instant
  readonly engines: readonly EngineSetup[]
  readonly workloads: readonly Workload[]
  readonly namespaces: readonly string[]
  /** In any order; those of one instant happen in this order. */
  readonly events: readonly WorldEvent[]
  /** Who acts on Jobs besides the engines: settings with their `kind`, as in a scenario. */
  readonly actors?: readonly JsonObject[]
  /** Kubernetes 1.x. */
  readonly minor?: number
  /**
   * True where only Jobs are played: ConfigMaps, Secrets and whatever else they need count as there.
   */
  readonly isPartial?: boolean
  /** ServiceAccounts that some file declares (`shop/migrate`): without them no pod of theirs starts. */
  readonly accounts?: readonly string[]
}

export interface EngineSetup {
  readonly engine: ScenarioEngine
  readonly input: Pick<StageInput, 'settings' | 'carriers' | 'changes' | 'files'>
}

/** `engine`: position in `World.engines`. Each kind is one file in events/. */
export type WorldEvent =
  | CommitEvent
  | AskEvent
  | DriftEvent
  | OutageEvent
  | RestartEvent
  | RebuildEvent
  | RestoreEvent
  | TagEvent
  | UpgradeEvent

interface Timed {
  readonly at: Instant
  /** For the row of events in a report. */
  readonly words: string
}

/** Other files stand in Git. */
export interface CommitEvent extends Timed {
  readonly kind: 'commit'
  readonly engine: number
  readonly revision: string
  readonly files: Files
  readonly carriers?: readonly JsonObject[]
}

/** A person asks the engine: for a sync, or with other values, or changes what is declared. */
export interface AskEvent extends Timed {
  readonly kind: 'sync' | 'change'
  readonly engine: number
  readonly event: JsonObject
}

/** Somebody edits the live object beside the engine. */
export interface DriftEvent extends Timed {
  readonly kind: 'drift'
  readonly object: ObjectRef
  readonly action:
    | { readonly do: 'delete' }
    | { readonly do: 'set'; readonly fields: readonly (readonly [readonly string[], Json])[] }
    | { readonly do: 'create'; readonly body: JsonObject }
}

export interface ObjectRef {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

export interface OutageEvent extends Timed {
  readonly kind: 'outage'
  /**
   * `engine`: the GitOps engines' processes; `controllers`: kube-controller-manager's;
   * `api-server`; `registry`: images cannot be pulled; `sources`: Git and charts cannot be read;
   * else the name of one actor.
   */
  readonly of: string
  readonly until: Instant
}

export interface RestartEvent extends Timed {
  readonly kind: 'restart'
  readonly of: string
}

/** A new, empty cluster in the place of the old one; the engine is installed again. */
export interface RebuildEvent extends Timed {
  readonly kind: 'rebuild'
}

/** etcd is put back to what it held at `to`. */
export interface RestoreEvent extends Timed {
  readonly kind: 'restore'
  readonly to: Instant
}

/** A tag points to another image. */
export interface TagEvent extends Timed {
  readonly kind: 'tag'
  readonly image: string
  /** `sha256:...`, or any name of the content that workloads' `exits` know. */
  readonly digest: string
}

export interface UpgradeEvent extends Timed {
  readonly kind: 'upgrade'
  readonly engine: number
  readonly version: string
}

export interface PlayOptions {
  readonly timing: Timing
  /** Runs, steps and steps of one instant after which the play is cut. */
  readonly budget?: Budget
}

export interface Budget {
  /** Job objects of one lane. */
  readonly livesOfLane: number
  /** Wakes of actors, all in all. */
  readonly steps: number
  /** Wakes within one instant: more is a loop that takes no time. */
  readonly stepsOfInstant: number
}

export const DEFAULT_BUDGET: Budget = {
  livesOfLane: 50_000,
  steps: 50_000_000,
  stepsOfInstant: 2_000_000,
}
