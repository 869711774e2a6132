import type { JsonObject } from '../../core/json.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Lane } from '../history/history.ts'

/**
 * What a history does not keep and only the cluster of that instant can tell: whoever answers plays
 * the world again until then. Everything may be left out; an answer then says less.
 */
export interface Facts {
  factsAt(at: Instant, lane: Lane): FactsAt | undefined
}

export interface FactsAt {
  /** The Job or CronJob as it is stored at that instant; left out when there is none. */
  readonly object?: JsonObject
  /** The engine's own object: the Kustomization, the Application. */
  readonly carrier?: JsonObject
  /** When the engine has planned its next look. */
  readonly nextWake?: Instant
  /** Controllers whose process is down. */
  readonly down?: readonly string[]
}
