import type { JsonObject } from '../../core/json.ts'
import type { Kind } from '../../cluster/api/kind.ts'
import type { AnyActor, Cluster } from '../../cluster/cluster.ts'
import type { PlayTools } from '../trace/player.ts'

/** An engine as scenarios set it up. One file per engine in stages/, one line in its index. */
export interface ScenarioEngine {
  /** Values of `engine.kind`: `flux-kustomization`. */
  readonly kinds: readonly string[]
  stage(input: StageInput): Stage
}

export interface StageInput {
  /** `engine` of the scenario, one value for each setting. */
  readonly settings: JsonObject
  /** The objects of all YAML files of the scenario's folder that are no manifests of the work. */
  readonly carriers: readonly JsonObject[]
  /** Changes that a variant makes: `spec.force` of the carrier, `job.spec.x` of every Job. */
  readonly changes: JsonObject
  readonly files: Files
  readonly start: number
  readonly tools: PlayTools
}

export type Files = { readonly [path: string]: string }

export interface Stage {
  readonly actors: readonly AnyActor[]
  readonly kinds: readonly Kind[]
  prepare(cluster: Cluster): void
  /** These files are what stands in Git from now on. */
  commit(cluster: Cluster, revision: string, files: Files): void
  /** A person asks for a sync. */
  sync?(cluster: Cluster, event: JsonObject): void
  /** Values of a chart change, a release is installed. */
  change?(cluster: Cluster, event: JsonObject): void
}
