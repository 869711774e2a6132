import { textOf } from '../core/source.ts'
import { findActions, HELM } from '../core/yaml/actions.ts'
import type { Link } from './subject.ts'
import { baseName, parent } from './tree.ts'
import { kept, type World } from './world.ts'

/** Gives the text of a named template (`define`), or undefined when there is none. */
export type Definitions = (name: string) => string | undefined

/**
 * The named templates of the outermost chart that a Job came through, and of the charts in it, as
 * Helm puts them together. Files are read when the first name is asked for.
 */
export function createDefinitions(world: World): (links: readonly Link[]) => Definitions {
  const byFolder = new Map<string, ReadonlyMap<string, string>>()
  return (links) => {
    const chart = links.find(({ path }) => baseName(path) === 'Chart.yaml')
    if (chart === undefined) return () => undefined
    const folder = parent(world.tree.below(chart.path))
    return (name) => kept(byFolder, folder, () => readAll(folder, world)).get(name)
  }
}

function readAll(folder: string, world: World): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of world.tree.under(folder)) {
    if (!path.endsWith('.tpl')) continue
    const source = world.sourceOf(path)
    if (source === undefined) continue
    for (const { word, start, end, closedBy } of findActions(source.bytes, HELM)) {
      if (word !== 'define' || closedBy === undefined) continue
      const name = /define\s+["`]([^"`]+)["`]/.exec(textOf(source, { start, end }))?.[1]
      if (name !== undefined) found.set(name, textOf(source, { start: end, end: closedBy.start }))
    }
  }
  return found
}
