import type { Effect } from './effect.ts'

/** A tag of the registry points to another image from now on. Nothing runs because of it alone. */
export const tag: Effect<'tag'> = {
  apply(play, { at, image, digest, words }) {
    play.tell({ at, row: 'registry', kind: 'note', words })
    play.registry.tags.set(image, digest)
  },
}
