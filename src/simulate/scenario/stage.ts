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
  /**
   * `idealised`: no jitter, no delay. `realistic`: the recorded ones, drawn from the cluster's
   * chance; a race comes out with the recorded frequency.
   */
  readonly timing: 'idealised' | 'realistic'
}

export type Files = { readonly [path: string]: string }

export interface Stage {
  readonly actors: readonly AnyActor[]
  readonly kinds: readonly Kind[]
  prepare(cluster: Cluster): void
  /**
   * These files are what stands in Git from now on. `carriers` are the engine's own objects as they
   * are from now on (new ones are created, changed ones are applied, missing ones deleted); left
   * out, they stay as they are.
   */
  commit(cluster: Cluster, revision: string, files: Files, carriers?: readonly JsonObject[]): void
  /** Git, the OCI registry or the chart repository cannot be reached, or can again. */
  sources?(cluster: Cluster, available: boolean): void
  /** Another version of the engine is installed; its processes are restarted by the caller. */
  upgrade?(cluster: Cluster, version: string): void
  /**
   * The cluster is new and empty, or went back in time: what a person or a bootstrap does to have
   * the engine work again (the engine itself, its own objects, the same revision).
   */
  bootstrap?(cluster: Cluster): void
  /** A person asks for a sync (with `resources`, of those alone), a reconcile, an upgrade. */
  sync?(cluster: Cluster, event: JsonObject): void
  /** Values of a chart change, a release is installed. */
  change?(cluster: Cluster, event: JsonObject): void
}
