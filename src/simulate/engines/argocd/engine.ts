import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { apiVersionOf } from '../../../cluster/api/registry.ts'
import { defaultKinds } from '../../../cluster/kinds/index.ts'
import { APPLICATIONS, readApp, type App } from './application.ts'
import { MEASURED_DELAYS, type ArgoOptions, type Delays, type Rendered } from './options.ts'
import { newApp, type AppState, type State, type Wake } from './state.ts'
import type { Place } from './tracking.ts'

/** What all steps of the engine work with: the cluster, the settings, the memory. */
export interface Engine {
  readonly io: Io<Wake>
  readonly state: State
  readonly options: ArgoOptions
  readonly delays: Delays
  readonly waveMs: number
  app(name: string): AppState
  /** The Application as it is stored now. */
  stored(name: string): App | undefined
  live(place: Place): KubeObject | undefined
  kindOf(object: JsonObject): Kind | undefined
  render(app: App, revision: string, isHard: boolean): Rendered
  /** The commit of a branch; `isFresh` asks Git, else the repo-server's memory may answer. */
  headOf(app: App, isFresh: boolean): string | undefined
}

export const NAMESPACE = 'argocd'
/** Manifests of so many revisions are remembered. */
const MOST_RENDERED = 200

export function engineOf(options: ArgoOptions, state: State, io: Io<Wake>): Engine {
  const kinds = [...(options.kinds ?? []), ...defaultKinds]
  const { sources } = options
  return {
    io,
    state,
    options,
    delays: options.delays ?? MEASURED_DELAYS,
    waveMs: (options.waveDelaySeconds ?? 2) * 1000,
    app(name) {
      let app = state.apps.get(name)
      if (app === undefined) {
        app = newApp()
        state.apps.set(name, app)
      }
      return app
    },
    stored(name) {
      const object = io.read.get(APPLICATIONS, NAMESPACE, name)
      return object === undefined ? undefined : readApp(object)
    },
    live: ({ resource, namespace, name }) => io.read.get(resource, namespace, name),
    kindOf: (object) =>
      kinds.find(
        (kind) => kind.kind === object['kind'] && apiVersionOf(kind) === object['apiVersion'],
      ),
    render(app, revision, isHard) {
      const key = `${JSON.stringify(app.source)} ${revision}`
      const known = isHard ? undefined : state.rendered.get(key)
      const keptMs = (options.manifestCacheSeconds ?? 86_400) * 1000
      if (known !== undefined && io.now - known.at < keptMs) return known.rendered
      const rendered = sources.render(app.source, revision, io.now)
      const [oldest] = state.rendered.keys()
      if (state.rendered.size >= MOST_RENDERED && oldest !== undefined)
        state.rendered.delete(oldest)
      state.rendered.set(key, { rendered, at: io.now })
      return rendered
    },
    headOf(app, isFresh) {
      const key = `${app.repoURL} ${app.targetRevision}`
      const known = state.heads.get(key)
      const keptMs = (options.headCacheSeconds ?? 180) * 1000
      if (!isFresh && known !== undefined && io.now - known.at < keptMs) return known.revision
      const revision = sources.resolve(app.repoURL, app.targetRevision, io.now)
      if (revision !== undefined) state.heads.set(key, { revision, at: io.now })
      return revision
    },
  }
}
