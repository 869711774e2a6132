import { listAt, stringAt, type Json } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { entryOf, joined, NOTHING, type Built } from '../kustomize/built.ts'
import { placeAt } from '../place.ts'
import type { Link } from '../subject.ts'
import { baseName, parent, resolvePath } from '../tree.ts'
import { kept, type World } from '../world.ts'

/** Chart folders: where a Chart.yaml stands. */
export interface Charts {
  /** Sorted; charts inside the `charts/` of another one are not among them. */
  readonly folders: readonly string[]
  has(folder: string): boolean
  /** The templates of a chart and of the charts that it brings along in this repository. */
  load(folder: string): Built
}

/**
 * Templates are read with their actions masked, so what they say is literal or unknown; defaults
 * of values.yaml are not put in. Conditions of dependencies are unknown and taken for true.
 */
export function createCharts(world: World): Charts {
  const all = new Map<string, string>()
  for (const path of world.tree.named('Chart.yaml')) all.set(parent(path), path)
  const loaded = new Map<string, Built>()
  const open = new Set<string>()
  const loadChart = (folder: string): Built =>
    kept(loaded, folder, () => {
      const file = all.get(folder)
      const document = file === undefined ? undefined : world.documentsIn(file)[0]
      if (file === undefined || open.has(folder)) return NOTHING
      open.add(folder)
      const own = document === undefined || isLibrary(document) ? NOTHING : templates(folder, world)
      const inner = [...subcharts(folder, all), ...dependencies(folder, document, all, world)]
      const built = joined([own, ...[...new Set(inner)].map(loadChart)])
      open.delete(folder)
      return linked(built, chartLink(file, document, world))
    })
  return {
    folders: [...all.keys()].filter((folder) => !isSubchart(folder, all)).sort(),
    has: (folder) => all.has(folder),
    load: loadChart,
  }
}

function templates(folder: string, world: World): Built {
  const files = world.heldBelow(folder === '' ? 'templates' : `${folder}/templates`)
  const entries = files
    .filter((path) => /\.(ya?ml|json|tpl)$/.test(path) && !baseName(path).startsWith('_'))
    .flatMap((path) => world.heldIn(path).map((manifest) => entryOf(manifest, 'kubernetes')))
  return { ...NOTHING, entries }
}

function linked(built: Built, link: Link): Built {
  if (built.entries.length === 0) return built
  const entries = built.entries.map((entry) => ({ ...entry, links: [link, ...entry.links] }))
  return { ...built, entries }
}

function chartLink(file: string, document: YamlDocument | undefined, world: World): Link {
  const settings = ['name', 'version'].flatMap((name) => {
    const value = document === undefined ? undefined : stringAt(document.value(), [name])
    if (document === undefined || value === undefined) return []
    return [{ name, value, path: [name], place: placeAt({ document, path: [name] }) }]
  })
  return { label: 'Chart.yaml', path: world.tree.shown(file), settings }
}

function subcharts(folder: string, all: ReadonlyMap<string, string>): readonly string[] {
  const prefix = folder === '' ? 'charts/' : `${folder}/charts/`
  return [...all.keys()].filter((other) => {
    return other.startsWith(prefix) && !other.slice(prefix.length).includes('/')
  })
}

/** Dependencies in another folder (`file://../common`) are followed; others leave a note. */
function dependencies(
  folder: string,
  document: YamlDocument | undefined,
  all: ReadonlyMap<string, string>,
  world: World,
): readonly string[] {
  if (document === undefined) return []
  return listAt(document.value(), ['dependencies']).flatMap((dependency: Json, index) => {
    const name = stringAt(dependency, ['name']) ?? 'without a name'
    const repository = stringAt(dependency, ['repository']) ?? ''
    const local = /^file:\/\/(.*)$/.exec(repository)?.[1]
    const path = local === undefined ? undefined : resolvePath(folder, local)
    if (path !== undefined && all.has(path)) return [path]
    const unpacked = folder === '' ? `charts/${name}` : `${folder}/charts/${name}`
    if (all.has(unpacked) || repository === '') return []
    const from = local === undefined ? 'a chart repository' : local
    world.note(
      { document, path: ['dependencies', index] },
      `the dependency ${name} of this chart comes from ${from}`,
      'Jobs in it cannot be seen from here',
    )
    return []
  })
}

function isLibrary(document: YamlDocument): boolean {
  return stringAt(document.value(), ['type']) === 'library'
}

function isSubchart(folder: string, all: ReadonlyMap<string, string>): boolean {
  const charts = parent(folder)
  return baseName(charts) === 'charts' && all.has(parent(charts))
}
