import type { Trigger } from '../../../cluster/actor.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Idle } from './idle.ts'
import type { Kept } from './kept.ts'
import type { Rendered } from './options.ts'
import type { Place } from './tracking.ts'

/** How much a refresh looks at, as Argo CD's levels of comparison. */
export const RECENT = 1
export const LATEST = 2
export const FORCED = 3

/** What the controller remembers of one app; what must survive it stands in the Application. */
export interface AppState {
  /** Level of the refresh that is due; 0: none. */
  refresh: number
  /** Why that refresh is due. */
  why: Trigger | undefined
  /** What a self-heal that waits for its time has found. */
  healing: Trigger | undefined
  /** Why the operation that was asked for begins. */
  begins: Trigger | undefined
  /** Set while periodic comparisons are skipped. */
  idle: Idle | undefined
  /** The last comparison that nobody wrote down, because it found nothing else. */
  compared: Instant | undefined
  /** A pass of the sync that is at work, or sleeps between waves. */
  pass: RunningPass | undefined
  /** Per object: what was compared with what, and whether it differed. */
  readonly diffs: Map<string, Diff>
  /** Undefined where all has to be compared anew. */
  kept: Kept | undefined
  /** Operations that ended since the app was made. */
  operations: number
  /** What was there when the last operation began, by key: what an old cache still shows. */
  before: ReadonlyMap<string, KubeObject | undefined>
  /** What the deletion of the app has deleted, and how many it has asked for once more. */
  readonly removed: Map<string, Place>
  late: number
  /** What an old cache shows to the operation that it has started, until its first pass is over. */
  view: ReadonlyMap<string, KubeObject | undefined> | undefined
}

export interface Diff {
  readonly live: KubeObject
  readonly target: JsonObject
  readonly differs: boolean
}

export interface RunningPass {
  /** The state of the operation once the pass ends; undefined while it is at work. */
  readonly result?: JsonObject
  /** Waits for a deletion, so the next pass comes without being woken. */
  readonly polls?: boolean
  /** Waits for an object to go: what is left to do. */
  readonly waiting?: WaitingReplace
}

export interface WaitingReplace {
  readonly place: Place
  readonly until: Instant
}

export interface State {
  /** An instant of the common tick; the others lie whole periods from it. */
  readonly tick: Instant
  /** The last tick that has been. */
  ticked: Instant | undefined
  readonly apps: Map<string, AppState>
  /** Objects by the app that their tracking id names. */
  readonly tracked: Map<string, Map<string, Place>>
  /** The apps that declare an object, by its key, as far as they are kept. */
  readonly declared: Map<string, readonly string[]>
  /** How many objects of a name were made: only recorded draws ask. */
  readonly created: Map<string, number>
  /** What the repo-server remembers: heads of branches, manifests of revisions. */
  readonly heads: Map<string, { readonly revision: string; readonly at: Instant }>
  readonly rendered: Map<string, { readonly rendered: Rendered; readonly at: Instant }>
}

export function newApp(): AppState {
  return {
    refresh: 0,
    why: undefined,
    healing: undefined,
    begins: undefined,
    idle: undefined,
    compared: undefined,
    pass: undefined,
    diffs: new Map(),
    kept: undefined,
    operations: 0,
    before: new Map(),
    removed: new Map(),
    late: 0,
    view: undefined,
  }
}

function copyApp(app: AppState): AppState {
  return { ...app, kept: undefined, diffs: new Map(app.diffs), removed: new Map(app.removed) }
}

export function copyState(state: State): State {
  return {
    tick: state.tick,
    ticked: state.ticked,
    apps: new Map([...state.apps].map(([name, app]) => [name, copyApp(app)])),
    tracked: new Map([...state.tracked].map(([name, places]) => [name, new Map(places)])),
    declared: new Map(),
    created: new Map(state.created),
    heads: new Map(state.heads),
    rendered: new Map(state.rendered),
  }
}

export type Wake =
  | { readonly kind: 'refresh'; readonly app: string }
  | { readonly kind: 'operate'; readonly app: string }
  | { readonly kind: 'end'; readonly app: string }
  | { readonly kind: 'delete'; readonly app: string }
  | { readonly kind: 'tick' }
  /** Git has moved, or can be reached again, or no more. */
  | { readonly kind: 'sources' }
  | { readonly kind: 'expiry'; readonly app: string }
