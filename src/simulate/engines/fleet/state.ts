import type { Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Watched } from '../../../cluster/clients/kubectl/run.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { KindFinder } from '../kinds.ts'
import type { ActionState, Release } from '../helm/contract.ts'
import type { Target } from '../helm/objects.ts'

export interface FleetOptions {
  readonly timing?: Timing
  readonly kinds?: readonly Kind[]
}

/** Milliseconds. Nothing of Fleet was recorded: both modes are read from its source. */
export interface Timing {
  /** A bundle changed -> its deployment begins. */
  readonly trigger: number
  /** A deployed object changed or went -> Helm rolls back (E-4). */
  readonly drift: number
  /** First distance of retries of a failed deployment, doubled each time; unconfirmed (E-5). */
  readonly retry: number
  readonly mostRetry: number
}

export const TIMING: Timing = { trigger: 0, drift: 5000, retry: 2000, mostRetry: 600_000 }

export interface Tools {
  readonly timing: Timing
  readonly find: KindFinder
  /** The deployed objects of a release that was read already. */
  readonly targets: WeakMap<Release, readonly Target[]>
}

export interface Wake {
  readonly kind: 'deploy' | 'resume' | 'drift' | 'remove' | 'report'
  readonly key: string
  /** Why; of deploy, drift and remove. */
  readonly trigger?: Trigger
}

/** What stands in the maps is replaced, never changed in place. */
export interface State {
  readonly records: Map<string, Record>
  /** Keys of the bundles that deployed an object, by the object's key. */
  readonly owners: Map<string, ReadonlySet<string>>
  /** Keys of bundles that Helm is at work on. */
  readonly running: Set<string>
  /** Keys of bundles that wait for others. */
  readonly waiting: Set<string>
}

/** A bundle. Records are replaced, never changed in place. */
export interface Record {
  readonly key: string
  readonly namespace: string
  readonly name: string
  /** The release as it was deployed last. */
  readonly release?: Release
  readonly running?: Running
  /** Something came while Helm was at work. */
  readonly again: boolean
  readonly retries: number
  readonly error?: string
  /** Keys of deployed objects that are gone or not as deployed. */
  readonly modified: ReadonlySet<string>
}

export interface Running {
  readonly action: ActionState
  readonly does: 'deploy' | 'drift' | 'remove'
  readonly id: string
  readonly watches: readonly Watched[]
}

export function keyOfBundle({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}
