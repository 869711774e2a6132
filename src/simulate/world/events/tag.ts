import type { Effect } from './effect.ts'

/**
 * A tag of the registry points to another image from now on. The kubelet and the updaters know it
 * from the beginning; nothing runs because of it alone.
 */
export const tag: Effect<'tag'> = {
  apply(play, { at, words }) {
    play.tell({ at, row: 'registry', kind: 'note', words })
  },
}
