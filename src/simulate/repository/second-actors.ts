import type { JsonObject } from '../../core/json.ts'
import { bytesOf, findBytes } from '../../core/yaml/bytes.ts'
import type { Repository } from '../../ownership/subject.ts'
import { secondActors } from '../actors/index.ts'
import { objectsOf } from '../trace/manifests.ts'
import { readText } from './others.ts'
import type { Around } from './part.ts'

/** Groups of objects that decide about Jobs, and that a repository is not read for. */
const GROUPS = ['image.toolkit.fluxcd.io/', 'kueue.x-k8s.io/'].map(bytesOf)

/** Settings of whoever acts on Jobs beside their engines, as the repository shows them. */
export function actorsIn(
  { subjects, manifests }: Repository,
  around: Pick<Around, 'world' | 'kept' | 'fullParser'>,
): readonly JsonObject[] {
  if (subjects.length === 0) return []
  const objects = [
    ...subjects.map(({ object }) => object),
    ...manifests.map(({ object }) => object),
    ...elsewhere(around),
  ]
  return secondActors.flatMap((actor) => actor.foundIn(objects))
}

function elsewhere(around: Pick<Around, 'world' | 'kept' | 'fullParser'>): readonly JsonObject[] {
  const { world, fullParser } = around
  return world.tree.under('').flatMap((path) => {
    if (!/\.ya?ml$/.test(path)) return []
    return around.kept(`of groups ${path}`, [path], () => {
      const source = world.sourceOf(path)
      if (source === undefined || !GROUPS.some((one) => findBytes(source.bytes, one, 0) >= 0)) {
        return []
      }
      const text = readText(path, around)
      return text === undefined ? [] : objectsOf(path, text, fullParser)
    })
  })
}
