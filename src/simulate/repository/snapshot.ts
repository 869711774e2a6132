import type { JsonObject } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import type { Files } from '../scenario/stage.ts'

/**
 * A repository as stages play it. Nothing in it is rendered a second time: patches, namespaces and
 * substitution are in the objects already, and the carriers have lost what would do it again.
 */
export interface Snapshot {
  /** One for each engine that carries something, and each cluster that it does so in. */
  readonly worlds: readonly EngineWorld[]
  /** Every Job and CronJob that is declared, in the order of the files. */
  readonly lanes: readonly DeclaredLane[]
  /** Settings of those who act on Jobs beside their engines: a mesh, Kueue, Reloader. */
  readonly actors: readonly JsonObject[]
  /** What could not be followed, and what was assumed. */
  readonly notes: readonly SnapshotNote[]
}

/** What one engine does in one cluster. Worlds of one `cluster` share an API server, others never. */
export interface EngineWorld {
  /** That of a stage: `flux-kustomization`, `argocd`, `flux-helmrelease` ... */
  readonly kind: string
  /** Empty for the only one. Else the folder or the destination that tells it from the others. */
  readonly cluster: string
  /** As `engine` of a scenario. With `cluster` it says which world of another state is this one. */
  readonly settings: JsonObject
  /**
   * Nothing in the repository says what applies these files: somebody does so when one of them
   * changes, and no commit that leaves them alone is an occasion.
   */
  readonly isAssumed?: true
  /** The engine's own objects: each has its Jobs in a folder of its own in `files`. */
  readonly carriers: readonly JsonObject[]
  /** What stands in Git for them. */
  readonly files: Files
  /** Namespaces that somebody has made before. */
  readonly namespaces: readonly string[]
}

export interface DeclaredLane {
  /** `shop/migrate`; of a Job with `generateName` its prefix and `*`: `shop/migrate-*`. */
  readonly name: string
  readonly kind: 'Job' | 'CronJob'
  /** That of its world. */
  readonly cluster: string
  /** For people: `Flux Kustomization flux-system/shop`. */
  readonly appliedBy: string
  /** The engine as its users call it. */
  readonly engine: string
  /** `once`, `converges` or `never-again`. */
  readonly contract: string
  readonly ttlSeconds?: number
  readonly schedule?: string
  readonly timeZone?: string
  readonly place: { readonly path: string; readonly line: number }
  /** Why nobody can tell when it runs. Such a lane is in no world: unknown never starts anything. */
  readonly unknown?: string
  /** Those of `semel check` that it stands for: several where several carriers apply it. */
  readonly subjects: readonly Subject[]
}

export interface SnapshotNote {
  /** `not-followed`, or `assumed`. */
  readonly id: 'not-followed' | 'assumed'
  readonly what: string
  readonly why: string
  readonly place?: { readonly path: string; readonly line: number }
  /** Names of the lanes that it is about; none: all of them. */
  readonly lanes?: readonly string[]
}
