import type { JsonObject } from '../../../core/json.ts'
import type { Watched } from '../../../cluster/clients/kubectl/run.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { ChartFault, ChartRelease, RenderedChart } from '../../go-template/chart.ts'
import type { KindFinder } from '../kinds.ts'

/**
 * Helm's actions as step machines of plain data, for the command line and for controllers that
 * embed Helm. `startAction` goes until something has to be waited for; the caller goes on with
 * `resumeAction` at the instant that is named, and tells what watches say by `noticeAction`.
 * Releases are Secrets in the cluster, so an action that is dropped on the way leaves what a killed
 * client leaves: a release in `pending-*` (H-15).
 */
export interface ActionInput {
  readonly action: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test'
  readonly version: HelmVersion
  readonly release: string
  readonly namespace: string
  /** On whose behalf, for causes; default: `Release NAMESPACE/NAME`. */
  readonly carrier?: string
  /** Of install and upgrade. */
  readonly chart?: ChartInput
  readonly options: ActionOptions
}

export interface HelmVersion {
  readonly major: 3 | 4
  readonly minor: number
}

export interface ChartInput {
  readonly files: { readonly [path: string]: string }
  readonly values: JsonObject
}

/** Flags; what is left out is the default of the version. */
export interface ActionOptions {
  /** Of each single wait; default 5 minutes. */
  readonly timeoutMs?: number
  /** H-13: whether and how plain resources are waited for; hooks are waited for always. */
  readonly wait?: WaitStrategy
  /** How hooks are waited for where that is not as `wait` says: by controllers. */
  readonly hookWait?: WaitStrategy
  readonly waitForJobs?: boolean
  /** H-10. Default of Helm 4: on for an installation, else as the release was applied before. */
  readonly serverSide?: boolean | 'auto'
  readonly forceConflicts?: boolean
  /** H-9: `--force` of Helm 3, `--force-replace` of Helm 4. */
  readonly forceReplace?: boolean
  /** H-11. */
  readonly takeOwnership?: boolean
  /** `--atomic` of Helm 3, `--rollback-on-failure` of Helm 4. */
  readonly rollbackOnFailure?: boolean
  readonly cleanupOnFail?: boolean
  readonly noHooks?: boolean
  readonly skipCrds?: boolean
  readonly cascade?: 'Background' | 'Foreground' | 'Orphan'
  readonly keepHistory?: boolean
  /** An installation may use the name of a failed or uninstalled release. */
  readonly replace?: boolean
  /** Of a rollback; default: the one before. */
  readonly toRevision?: number
  /** Revisions that are kept; default 10; 0: all. */
  readonly historyMax?: number
  /** Of every write; default `helm`. */
  readonly fieldManager?: string
}

/**
 * `none`: plain resources are not waited for (`hookOnly` in Helm 4). `watcher`: kstatus over
 * watches. `legacy`: as Helm 3, a look every 2 s. `poller`: kstatus looked at every 5 s, which fails
 * as soon as anything failed, for controllers.
 */
export type WaitStrategy = 'none' | 'watcher' | 'legacy' | 'poller'

export interface ActionPorts {
  readonly kindOf: KindFinder
  /** Default: renderChart. For post-renderers and values from elsewhere. */
  readonly render?: (chart: ChartInput, release: ChartRelease) => RenderedChart | ChartFault
}

export type Progress = ActionEnded | ActionWaiting

export interface ActionEnded {
  readonly kind: 'ended'
  /** Without a prefix of the command line. */
  readonly error?: string
  /** The release as it was stored last; undefined when none was stored. */
  readonly release?: Release
  /** What the user is told besides: Helm's log and the list of kept resources. */
  readonly notes: readonly Note[]
}

export interface Note {
  readonly kind: 'warning' | 'kept'
  readonly text: string
}

export interface ActionWaiting {
  readonly kind: 'waiting'
  /** When to go on although nothing was seen. */
  readonly at: Instant
  /** Their events belong to `noticeAction`; when it says `isSettled`, go on at once. */
  readonly watches: readonly Watched[]
  readonly state: ActionState
}

/** All that an action remembers. */
export interface ActionState {
  readonly input: ActionInput
  readonly stages: readonly Stage[]
  /** The release that the action makes, or works on. */
  readonly release: Release
  /** Revision whose objects are there now; its status changes when the action succeeds. */
  readonly current?: Release
  /** Objects that are there and are taken over: the base of their patches (H-11). */
  readonly adopted: readonly JsonObject[]
  readonly serverSide: boolean
  /** The previous method was client-side: managed fields move to the new one. */
  readonly migratesManagers: boolean
  readonly notes: readonly Note[]
  readonly created: readonly JsonObject[]
  /** Of an uninstallation that goes on in spite of them. */
  readonly errors: readonly string[]
  /** The failed action whose remedy this one is. */
  readonly remedyOf?: { readonly action: 'install' | 'upgrade'; readonly error: string }
}

export type Stage =
  | { readonly do: 'hooks'; readonly event: string; readonly hooks?: HookProgress }
  | { readonly do: 'apply' }
  | { readonly do: 'wait'; readonly wait?: WaitState }
  | { readonly do: 'remove' }
  | { readonly do: 'wait-gone'; readonly wait?: WaitState }
  | { readonly do: 'finish' }

export interface HookProgress {
  /** Position in the hooks of the event. */
  readonly at: number
  readonly step: 'delete' | 'gone' | 'create' | 'ready' | 'clean'
  readonly wait?: WaitState
  /** Deletions that follow from the outcome, and the outcome. */
  readonly clean?: readonly number[]
  readonly error?: string
}

/** One wait for objects to be ready or gone. */
export interface WaitState {
  readonly goal: 'ready' | 'gone' | 'hook'
  readonly strategy: WaitStrategy
  readonly withJobs: boolean
  readonly targets: readonly WaitTarget[]
  readonly until: Instant
  /** Set once it is over. */
  readonly outcome?: { readonly error?: string }
}

export interface WaitTarget {
  readonly object: JsonObject
  readonly watched: Watched
  /** Version of the object at the first look: what a watch tells of earlier ones is old. */
  readonly since?: number
  /** As kstatus calls it; undefined: not seen yet. */
  readonly status?: string
  readonly message?: string
}

export type ReleaseStatus =
  | 'deployed'
  | 'failed'
  | 'superseded'
  | 'uninstalled'
  | 'uninstalling'
  | 'pending-install'
  | 'pending-upgrade'
  | 'pending-rollback'
  | 'unknown'

/** A revision of a release as Helm stores it. */
export interface Release {
  readonly name: string
  readonly namespace: string
  readonly version: number
  readonly status: ReleaseStatus
  readonly description: string
  /** Chart.yaml. */
  readonly chart: JsonObject
  /** The values that the user gave. */
  readonly config: JsonObject
  /** Without hooks, in the order of installation. */
  readonly manifest: readonly JsonObject[]
  readonly hooks: readonly ReleaseHook[]
  /** H-10; Helm 3 stores none. */
  readonly applyMethod?: 'ssa' | 'csa'
}

export interface ReleaseHook {
  readonly object: JsonObject
  /** `demo/templates/job.yaml` */
  readonly path: string
  readonly events: readonly string[]
  readonly weight: number
  readonly deletePolicies: readonly string[]
  /** Of its last run. */
  readonly phase?: 'Running' | 'Succeeded' | 'Failed'
}
