import type { Play } from '../play.ts'
import type { WorldEvent } from '../world.ts'

/** What an event of the world does. One file per kind in this folder, one line in its index. */
export interface Effect<Kind extends WorldEvent['kind']> {
  apply(play: Play, event: Extract<WorldEvent, { kind: Kind }>): void
}
