import type { JsonObject } from '../../../core/json.ts'
import type { FullParser } from '../../../core/yaml/document.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { ActionWaiting, HelmVersion } from '../helm/contract.ts'
import type { ActionName, Settings, SourceName } from './settings.ts'
import type { Status } from './status.ts'

export interface ControllerOptions {
  /** The files of a chart, as source-controller stored them. */
  readonly artifact: (
    source: SourceName,
    artifact: { readonly revision: string; readonly digest: string },
  ) => { readonly [path: string]: string } | undefined
  /** HelmReleases at a time; `--concurrent`, default 4. A wait holds its place (trace 077). */
  readonly concurrency?: number
  /** Feature gate DefaultToRetryOnFailure. */
  readonly retriesByDefault?: boolean
  /** Feature gate CancelHealthCheckOnNewRevision (trace 060). */
  readonly cancelsHealthChecks?: boolean
  /** When the process gets a SIGTERM: actions under way are cancelled (trace 041). */
  readonly terminations?: readonly Instant[]
  readonly timing?: Timing
  /** The Helm in it, which an upgrade of the controller may change; default: 4.2. */
  readonly helm?: () => Embedded
  /**
   * Who gets a free worker first when several wait: lower first, then first come first served. The
   * real queue has no order that could be foretold (trace 077).
   */
  readonly rank?: (key: string) => number
  /** Every interval is gone through, also where nothing can differ: to hold the shortcut against. */
  readonly everyTick?: boolean
  /** Kinds that the cluster serves besides those of the model. */
  readonly kinds?: readonly Kind[]
  readonly fullParser?: FullParser
}

export interface Embedded {
  readonly version: HelmVersion
  /** Feature gate UseHelm3Defaults, and all before 1.5: client-side apply, Helm's own waits. */
  readonly hasHelm3Defaults: boolean
}

/** Delays of the real controller; milliseconds. */
export interface Timing {
  /** A trigger -> its reconcile begins. */
  readonly trigger: number
  /** Of the rate limiter: 750 ms, doubling to 15 min (`--min-retry-delay`, `--max-retry-delay`). */
  readonly firstRetry: number
  readonly longestRetry: number
  /** Prerequisites and the state of the release. */
  readonly prepare: number
  /** An install or upgrade begins -> its first request: rendering and storing the release. */
  readonly render: number
  /** A rollback, uninstall or test begins -> its first request. */
  readonly begin: number
  /** The end of an action -> the next look at the state. */
  readonly settle: number
  /** A wait begins -> its first look. A Job may have started by then, or not (trace 027, 100). */
  readonly firstLook: number
  /** How often that look comes before a new Job has started (trace 100: one of eight). */
  readonly earlyLooks: number
  /** In place of chance: whether it does in the wait that begins now. */
  readonly looksEarly?: (key: string, now: Instant) => boolean
  /** The controller's wait for its own cache after a remediation that is followed by a retry. */
  readonly staleCacheWait: number
  /** Of intervals, both ways. */
  readonly jitter: number
  /** How much later than due a loaded machine began: a reconcile, or the requests of an action. */
  readonly late?: (key: string, due: Instant, what: 'start' | ActionName) => number
}

export const IDEALISED_TIMING: Timing = {
  trigger: 0,
  firstRetry: 750,
  longestRetry: 900_000,
  prepare: 0,
  render: 0,
  begin: 0,
  settle: 0,
  firstLook: 1,
  earlyLooks: 0,
  staleCacheWait: 10_000,
  jitter: 0,
}

/** Measured: ../shared/traces/helm-controller.md, section 4. */
export const REALISTIC_TIMING: Timing = {
  trigger: 15,
  firstRetry: 750,
  longestRetry: 900_000,
  prepare: 40,
  render: 200,
  begin: 90,
  settle: 50,
  firstLook: 60,
  earlyLooks: 0.125,
  staleCacheWait: 10_000,
  jitter: 0.05,
}

export type Wake =
  | { readonly kind: 'start'; readonly key: string; readonly because?: Trigger }
  | { readonly kind: 'decide'; readonly key: string }
  | { readonly kind: 'begin'; readonly key: string }
  | { readonly kind: 'action'; readonly key: string }
  | { readonly kind: 'release'; readonly key: string }
  | { readonly kind: 'dispatch' }
  | { readonly kind: 'terminate' }

/** All that the process remembers. Records are replaced, never changed in place. */
export interface State {
  readonly records: Map<string, Record>
  /** Which HelmReleases look at an object, by its watch key. */
  readonly watchers: Map<string, ReadonlySet<string>>
  /** HelmReleases that wait for a free worker, first come first served. */
  readonly waiting: string[]
  running: number
}

export interface Record {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly run?: Run
  /** Something came while it was running or waiting: it starts anew right after. */
  readonly again: boolean
  readonly isQueued: boolean
  /** Why it waits for a worker. */
  readonly due?: Trigger
  /** What came from outside since its last start: it says more than the timer that was planned. */
  readonly asked?: Trigger
  /** Since the last result that forgets them: the exponent of the rate limiter. */
  readonly retries: number
  readonly tick?: Tick
  /** Objects whose changes make the next tick matter, by watch key. */
  readonly watched: ReadonlySet<string>
  /** One of them changed while it was running. */
  readonly isTouched: boolean
}

/** The interval after a reconcile. Nothing is planned for it while nothing has changed. */
export interface Tick {
  readonly anchor: Instant
  readonly everyMs: number
  readonly isPlanned: boolean
}

/** A reconcile under way. */
export interface Run {
  /** As it was read at the beginning. */
  readonly object: KubeObject
  readonly settings: Settings
  readonly status: Status
  readonly trigger: Trigger
  /** The trigger was told. */
  readonly isTold: boolean
  /** How the last action of it failed. */
  readonly lastError?: string
  readonly chart?: Chart
  /** Types of the actions that were done: none is done twice. */
  readonly done: readonly ActionType[]
  readonly acting?: Acting
  /** A correction of drift was written (surprise 6). */
  readonly hasCorrected: boolean
  /** Its history will not be in the controller's cache (surprise 12). */
  readonly isStale: boolean
  readonly isCanceled: boolean
  readonly next?: Result
}

export type ActionType = 'release' | 'remediate' | 'test' | 'unlock' | 'drift'

export interface Chart {
  readonly name: string
  readonly version: string
  readonly files: { readonly [path: string]: string }
  readonly values: JsonObject
  readonly valuesDigest: string
  /** Of an OCI artifact; empty for others. */
  readonly digest: string
}

/** A Helm action under way, and what it is for. */
export interface Acting {
  readonly action: ActionName
  readonly type: ActionType
  /** An uninstall because the HelmRelease is deleted, or because it names another release now. */
  readonly goal?: 'deletion' | 'new-target'
  /** Digests of the stored revisions before. */
  readonly before: { readonly [version: string]: string }
  readonly waiting?: ActionWaiting
}

/** What a reconcile ends with. */
export type Result =
  | {
      readonly kind: 'after'
      readonly ms: number
      readonly isJittered: boolean
      /** False: the generation does not count as observed. */
      readonly isObserved?: boolean
      /** The interval: it need not come while nothing has changed. */
      readonly isTick?: boolean
      /** False: it has to come all the same. */
      readonly isWatching?: boolean
      /** Why it then comes; default: its interval. */
      readonly because?: Trigger
    }
  | { readonly kind: 'requeue' | 'error'; readonly because?: Trigger }
  /** No requeue at all: until something changes. */
  | { readonly kind: 'terminal' }
  | { readonly kind: 'nothing' }

export function emptyState(): State {
  return { records: new Map(), watchers: new Map(), waiting: [], running: 0 }
}

export function copyState(state: State): State {
  return {
    records: new Map(state.records),
    watchers: new Map(state.watchers),
    waiting: [...state.waiting],
    running: state.running,
  }
}

export function recordOf(namespace: string, name: string): Record {
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    again: false,
    isQueued: false,
    retries: 0,
    watched: new Set(),
    isTouched: false,
  }
}
