import type { Effect } from './effect.ts'

/** A person asks the engine for a sync. */
export const sync: Effect<'sync'> = {
  apply(play, { at, engine, event, words }) {
    play.tell({ at, row: 'people', kind: 'sync', words })
    play.stage(engine)?.sync?.(play.cluster, event)
  },
}

/** A person gives other values, or changes what is declared by hand. */
export const change: Effect<'change'> = {
  apply(play, { at, engine, event, words }) {
    play.tell({ at, row: 'people', kind: 'request', words })
    play.stage(engine)?.change?.(play.cluster, event)
  },
}
