import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { apiVersionOf } from '../../../cluster/api/registry.ts'
import { defaultKinds } from '../../../cluster/kinds/index.ts'
import { APPLICATIONS, readApp, type App } from './application.ts'
import { MEASURED_DELAYS, type ArgoOptions, type Delays, type Rendered } from './options.ts'
import { newApp, type AppState, type State, type Wake } from './state.ts'
import { TargetFinder, type Targets } from './targets.ts'
import type { Place } from './tracking.ts'

/** What all steps of the engine work with: the cluster, the settings, the memory. */
export interface Engine {
  readonly io: Io<Wake>
  readonly state: State
  readonly options: ArgoOptions
  readonly delays: Delays
  readonly waveMs: number
  /** `306` for 3.6. */
  readonly version: number
  app(name: string): AppState
  /** The Application as it is stored now. */
  stored(name: string): App | undefined
  live(place: Place): KubeObject | undefined
  kindOf(object: JsonObject): Kind | undefined
  targetsOf(objects: readonly JsonObject[], app: App): Targets
  render(app: App, revision: string, isHard: boolean): Rendered
  /** The commit of a branch; `isFresh` asks Git, else the repo-server's memory may answer. */
  headOf(app: App, isFresh: boolean): string | undefined
  /** Whether it remembers the present one. */
  isHeadCurrent(app: App): boolean
  /** Under which the head is remembered. */
  headKey(app: App): string
  /** Until when the remembered manifests of a revision are what would be rendered. */
  renderedUntil(app: App, revision: string): Instant
}

function renderKey({ source }: App, revision: string): string {
  return `${JSON.stringify(source)} ${revision}`
}

function headKey({ repoURL, targetRevision }: App): string {
  return `${repoURL} ${targetRevision}`
}

export const NAMESPACE = 'argocd'
/** As the recordings. */
const NEWEST = 306

/** Manifests of so many revisions are remembered. */
const MOST_RENDERED = 200

/** The engine of a cluster's state: made once, for observers come with every write. */
export function engineFinder(options: ArgoOptions): (state: State, io: Io<Wake>) => Engine {
  const kinds = new Map<string, Kind>()
  for (const kind of [...(options.kinds ?? []), ...defaultKinds]) {
    const name = `${apiVersionOf(kind)} ${kind.kind}`
    if (!kinds.has(name)) kinds.set(name, kind)
  }
  const kindOf = (object: JsonObject): Kind | undefined =>
    kinds.get(`${stringAt(object, ['apiVersion']) ?? ''} ${stringAt(object, ['kind']) ?? ''}`)
  const targets = new TargetFinder(kindOf)
  const known = new WeakMap<State, Engine>()
  return (state, io) => {
    let engine = known.get(state)
    if (engine === undefined) {
      engine = engineOf(options, { state, io, kindOf, targets })
      known.set(state, engine)
    }
    return engine
  }
}

interface Parts {
  readonly state: State
  readonly io: Io<Wake>
  readonly kindOf: Engine['kindOf']
  readonly targets: TargetFinder
}

function engineOf(options: ArgoOptions, { state, io, kindOf, targets }: Parts): Engine {
  const { sources } = options
  const apps = new WeakMap<KubeObject, App>()
  const keptMs = (options.manifestCacheSeconds ?? 86_400) * 1000
  return {
    io,
    state,
    options,
    delays: options.delays ?? MEASURED_DELAYS,
    waveMs: (options.waveDelaySeconds ?? 2) * 1000,
    get version() {
      return options.version?.() ?? NEWEST
    },
    kindOf,
    targetsOf: (objects, app) => targets.find(objects, app),
    stored(name) {
      const object = io.read.get(APPLICATIONS, NAMESPACE, name)
      if (object === undefined) return undefined
      let app = apps.get(object)
      if (app === undefined) {
        app = readApp(object)
        apps.set(object, app)
      }
      return app
    },
    app(name) {
      let app = state.apps.get(name)
      if (app === undefined) {
        app = newApp()
        state.apps.set(name, app)
      }
      return app
    },
    live: ({ resource, namespace, name }) => io.read.get(resource, namespace, name),
    render(app, revision, isHard) {
      const key = renderKey(app, revision)
      const known = isHard ? undefined : state.rendered.get(key)
      if (known !== undefined && io.now - known.at < keptMs) return known.rendered
      const fault = sources.fault?.(app.repoURL)
      // What cannot be fetched is asked for again by the next comparison.
      if (fault !== undefined) return { fault }
      const rendered = sources.render(app.source, revision, io.now)
      const [oldest] = state.rendered.keys()
      if (state.rendered.size >= MOST_RENDERED && oldest !== undefined)
        state.rendered.delete(oldest)
      state.rendered.set(key, { rendered, at: io.now })
      return rendered
    },
    renderedUntil(app, revision) {
      const known = state.rendered.get(renderKey(app, revision))
      if (known === undefined) return io.now
      const isTimeless = 'objects' in known.rendered && known.rendered.isTimeless === true
      return isTimeless ? Infinity : known.at + keptMs
    },
    headKey,
    isHeadCurrent(app) {
      const known = state.heads.get(headKey(app))
      return known?.revision === sources.resolve(app.repoURL, app.targetRevision, io.now)
    },
    headOf(app, isFresh) {
      const key = headKey(app)
      const known = state.heads.get(key)
      const believedMs = (options.headCacheSeconds ?? 180) * 1000
      if (!isFresh && known !== undefined && io.now - known.at < believedMs) return known.revision
      const revision = sources.resolve(app.repoURL, app.targetRevision, io.now)
      if (revision !== undefined) state.heads.set(key, { revision, at: io.now })
      return revision
    },
  }
}
