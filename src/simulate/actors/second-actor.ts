import type { JsonObject } from '../../core/json.ts'
import type { Admission } from '../../cluster/api/admission.ts'
import type { Kind } from '../../cluster/api/kind.ts'
import type { AnyActor, Cluster } from '../../cluster/cluster.ts'
import type { Files } from '../scenario/stage.ts'
import type { Registry } from './registry.ts'

/**
 * Somebody besides the engine who starts, stops or changes Jobs: Reloader, an image updater, Kueue,
 * a service mesh. One folder per actor, one line in index.ts.
 */
export interface SecondActor {
  /** Values of `kind` in a scenario's `actors`: `reloader`. */
  readonly kinds: readonly string[]
  /** Keys that it knows besides `kind`. */
  readonly settings: readonly string[]
  /** `settings` is one entry of `actors`; what is left out is as the real one is installed. */
  actor(settings: JsonObject, tools: ActorTools): ActorParts
  /** Settings for what these objects show to be at work; an empty list where nothing does. */
  foundIn(objects: readonly JsonObject[]): readonly JsonObject[]
}

export interface ActorParts {
  readonly actors: readonly AnyActor[]
  readonly kinds: readonly Kind[]
  /** Called by the API server: they belong into `createCluster({ admission })`. */
  readonly webhooks?: readonly Admission[]
  /** Objects that the settings bring along; before the first event. */
  prepare?(cluster: Cluster): void
}

/** What second actors know of the world outside the cluster. */
export interface ActorTools {
  /** Of Kubernetes 1.x. */
  readonly minor: number
  readonly registry: Registry
  readonly git: Git
  /**
   * Whether the process of that name is up: a webhook of one that is down refuses what it would
   * have judged. Handed in, as webhooks live in the API server.
   */
  readonly isRunning: (actor: string) => boolean
}

/** The repository that the scenario's engine applies. */
export interface Git {
  /** What stands in it now. */
  files(): Files
  /** These files are what stands in it from now on; the engine hears of it as of any commit. */
  commit(change: GitCommit): void
}

export interface GitCommit {
  /** `argocd-image-updater`. */
  readonly author: string
  readonly message: string
  readonly files: Files
}
