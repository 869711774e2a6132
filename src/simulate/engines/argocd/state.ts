import type { JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
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
  /** A pass of the sync that is at work, or sleeps between waves. */
  pass: RunningPass | undefined
  /** Per object: which live version was compared, and whether it differed (server-side diff). */
  readonly diffs: Map<string, { readonly version: string; readonly differs: boolean }>
  /** Operations that ended since the app was made. */
  operations: number
  /** What was there when the last operation began, by key: what an old cache still shows. */
  before: ReadonlyMap<string, KubeObject | undefined>
  /** What an old cache shows to the operation that it has started, until its first pass is over. */
  view: ReadonlyMap<string, KubeObject | undefined> | undefined
}

export interface RunningPass {
  /** The state of the operation once the pass ends; undefined while it is at work. */
  readonly result?: JsonObject
  /** Waits for an object to go: what is left to do. */
  readonly waiting?: WaitingReplace
}

export interface WaitingReplace {
  readonly place: Place
  readonly until: Instant
}

export interface State {
  readonly apps: Map<string, AppState>
  /** Objects by the app that their tracking id names. */
  readonly tracked: Map<string, Map<string, Place>>
  /** What the repo-server remembers: heads of branches, manifests of revisions. */
  readonly heads: Map<string, { readonly revision: string; readonly at: Instant }>
  readonly rendered: Map<string, Rendered>
}

export function newApp(): AppState {
  return {
    refresh: 0,
    pass: undefined,
    diffs: new Map(),
    operations: 0,
    before: new Map(),
    view: undefined,
  }
}

export function copyState(state: State): State {
  return {
    apps: new Map(
      [...state.apps].map(([name, app]) => [name, { ...app, diffs: new Map(app.diffs) }]),
    ),
    tracked: new Map([...state.tracked].map(([name, places]) => [name, new Map(places)])),
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
  | { readonly kind: 'expiry'; readonly app: string }
