import { processesOf } from './outage.ts'
import type { Effect } from './effect.ts'

/** Another version of the engine is installed, so its processes start anew. */
export const upgrade: Effect<'upgrade'> = {
  apply(play, { at, engine, version, words }) {
    play.tell({ at, row: 'cluster', kind: 'note', words })
    play.stage(engine)?.upgrade?.(play.cluster, version)
    for (const name of processesOf(play, 'engine')) {
      play.cluster.stop(name)
      play.cluster.start(name)
    }
  },
}
