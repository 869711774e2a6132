import type { Effect } from './effect.ts'

/** A new, empty cluster; the engine and its objects are installed again from Git. */
export const rebuild: Effect<'rebuild'> = {
  apply(play, { at, words }) {
    play.tell({ at, row: 'cluster', kind: 'outage', words })
    play.rebuild()
  },
}

/** etcd goes back to an earlier instant; Git and the nodes do not. */
export const restore: Effect<'restore'> = {
  apply(play, { at, to, words }) {
    play.tell({ at, row: 'cluster', kind: 'outage', words })
    const backup = play.backupOf(to)
    if (backup === undefined) return
    play.cluster.restore(backup)
    // Git has not gone back: its present revision is fetched again.
    for (const stage of play.stages) stage.sources?.(play.cluster, true)
  },
}
