import { isTemplated } from '../../core/templates.ts'
import type { Origin } from '../traced.ts'
import { byCode, parent, pathsBelow, resolvePath } from '../tree.ts'
import { kept, type World } from '../world.ts'
import { dropLocal, entryOf, joined, NOTHING, withLinks, type Built, type Entry } from './built.ts'
import type { Sourced } from './fields.ts'
import { emptyLayer, readLayer, withAdditions, type Additions, type Layer } from './layer.ts'
import { transformEntries } from './steps.ts'

export interface Kustomize {
  /** What `kustomize build` makes of a folder with a kustomization file, as far as Jobs go. */
  build(folder: string, additions?: Additions): Built
  /** The same for a folder without one, where Flux generates it. */
  buildGenerated(folder: string, isIgnored: (path: string) => boolean, additions?: Additions): Built
  hasFile(folder: string): boolean
  /** The files that a build of the folder lists as resources, at any depth. */
  filesOf(folder: string): readonly string[]
  /** Folders with a kustomization file, sorted. */
  readonly folders: readonly string[]
  readonly layout: Layout
  /** Those that are not built for themselves: included by another one, or components. */
  included(): ReadonlySet<string>
  /** Files that kustomizations use as patches. */
  patchFiles(): ReadonlySet<string>
}

export const KUSTOMIZATION_NAMES: readonly string[] = [
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]

/** Where kustomization files stand and what they say, whatever else of the repository is read. */
export interface Layout {
  readonly files: ReadonlyMap<string, string>
  readonly folders: readonly string[]
  readonly foldersBelow: (folder: string) => readonly string[]
  readonly layers: Map<string, Layer | undefined>
}

export function createKustomize(world: World, layout: Layout = layoutOf(world)): Kustomize {
  return new Builder(world, layout)
}

function layoutOf(world: World): Layout {
  const files = kustomizationFiles(world)
  const folders = [...files.keys()].sort(byCode)
  return { files, folders, foldersBelow: pathsBelow(folders), layers: new Map() }
}

class Builder implements Kustomize {
  private readonly world: World
  readonly layout: Layout
  /** Before and after the layer's own transformations. */
  private readonly gathered = new Map<string, Built>()
  private readonly finished = new Map<string, Built>()
  /** What files hold, as kustomize reads them. */
  private readonly read = new Map<string, readonly Entry[]>()
  /** Of folders without a kustomization file. */
  private readonly generated = new Map<string, Built>()
  /** Folders that are being built, to break circles. */
  private readonly open = new Set<string>()
  private usedAsPatch: ReadonlySet<string> | undefined
  readonly folders: readonly string[]

  constructor(world: World, layout: Layout) {
    this.world = world
    this.layout = layout
    this.folders = layout.folders
  }

  hasFile(folder: string): boolean {
    return this.layout.files.has(folder)
  }

  build(folder: string, additions?: Additions): Built {
    const layer = this.layer(folder)
    if (layer === undefined) return NOTHING
    if (additions === undefined) return dropLocal(this.finish(folder, layer))
    return this.buildWith(this.gather(folder, layer), layer, additions)
  }

  buildGenerated(
    folder: string,
    isIgnored: (path: string) => boolean,
    additions?: Additions,
  ): Built {
    const layer = emptyLayer(folder)
    const gathered = kept(this.generated, folder, () => this.gatherUnder(folder, isIgnored))
    return additions === undefined
      ? dropLocal(gathered)
      : this.buildWith(gathered, layer, additions)
  }

  filesOf(folder: string): readonly string[] {
    const found = new Set<string>()
    const seen = new Set<string>()
    const visit = (from: string): void => {
      if (seen.has(from)) return
      seen.add(from)
      const layer = this.layer(from)
      for (const { value } of [...(layer?.resources ?? []), ...(layer?.components ?? [])]) {
        const path = resolvePath(from, value)
        if (path === undefined) continue
        if (this.world.tree.isFile(path)) found.add(path)
        else visit(path)
      }
    }
    visit(folder)
    return [...found]
  }

  included(): ReadonlySet<string> {
    const found = new Set<string>()
    for (const folder of this.folders) {
      const layer = this.layer(folder)
      if (layer?.isComponent === true) found.add(folder)
      for (const { value } of [...(layer?.resources ?? []), ...(layer?.components ?? [])]) {
        const path = resolvePath(folder, value)
        if (path !== undefined && path !== folder) found.add(path)
      }
    }
    return found
  }

  patchFiles(): ReadonlySet<string> {
    if (this.usedAsPatch !== undefined) return this.usedAsPatch
    const found = new Set<string>()
    for (const folder of this.folders) {
      const layer = this.layer(folder)
      for (const { file } of [...(layer?.patches ?? []), ...(layer?.jsonPatches ?? [])]) {
        const path = file === undefined ? undefined : resolvePath(folder, file.value)
        if (path !== undefined) found.add(path)
      }
    }
    this.usedAsPatch = found
    return found
  }

  private buildWith(gathered: Built, layer: Layer, additions: Additions): Built {
    const extended = this.addComponents(gathered, additions.components, layer.folder)
    return dropLocal(this.transform(extended, withAdditions(layer, additions)))
  }

  private layer(folder: string): Layer | undefined {
    if (this.layout.layers.has(folder)) return this.layout.layers.get(folder)
    const file = this.layout.files.get(folder)
    const document = file === undefined ? undefined : this.world.documentsIn(file)[0]
    const layer = document === undefined ? undefined : readLayer(document, folder)
    this.layout.layers.set(folder, layer)
    for (const { value, origin } of layer?.mistyped ?? []) {
      this.world.note(
        origin,
        `\`${value}\` in this kustomization holds something of the wrong type`,
        'kustomize refuses the file; it was read without this part',
      )
    }
    return layer
  }

  private finish(folder: string, layer: Layer): Built {
    const known = this.finished.get(folder)
    if (known !== undefined) return known
    const built = this.transform(this.gather(folder, layer), layer)
    this.finished.set(folder, built)
    return built
  }

  private gather(folder: string, layer: Layer): Built {
    const known = this.gathered.get(folder)
    if (known !== undefined) return known
    this.open.add(folder)
    for (const { value, origin } of layer.charts) {
      this.note(
        origin,
        `the chart ${value} is rendered by kustomize`,
        'its Jobs cannot be seen from here',
      )
    }
    const parts = layer.resources.map((resource) => this.resource(folder, resource))
    const own: Built = { entries: [], generated: layer.generated, complete: true }
    const built = this.addComponents(joined([...parts, own]), layer.components, folder)
    this.open.delete(folder)
    this.gathered.set(folder, built)
    return built
  }

  /** What Flux's generator lists: kustomizations below the folder, and files outside of these. */
  private gatherUnder(folder: string, isIgnored: (path: string) => boolean): Built {
    const inner = outermostOf(this.layout.foldersBelow(folder).filter((path) => !isIgnored(path)))
    const parts = [...inner].map((path) => this.folder(path))
    for (const path of this.world.heldBelow(folder)) {
      if (!/\.ya?ml$/.test(path) || isIgnored(path) || isWithin(inner, path)) continue
      // Flux would refuse to read these; whoever has them there keeps them out of the source.
      if (this.world.tree.reading(path)?.template !== undefined) continue
      parts.push(this.file(path))
    }
    return joined(parts)
  }

  private resource(folder: string, { value, origin }: Sourced<string>): Built {
    const path = resolvePath(folder, value)
    if (path !== undefined && this.world.tree.isFile(path)) return this.file(path)
    if (path !== undefined && this.layout.files.has(path)) return this.folder(path, origin)
    if (isRemote(value)) {
      this.note(origin, `${value} is in another repository`, 'its Jobs cannot be seen from here')
    } else if (path === undefined) {
      this.note(
        origin,
        `${value} leads out of this repository`,
        'its Jobs cannot be seen from here',
      )
    } else if (this.world.tree.isFolder(path)) {
      this.note(origin, `${value} holds no kustomization file`, 'kustomize refuses to build this')
    } else if (!isTemplated(value)) {
      this.note(origin, `${value} does not exist`, 'kustomize refuses to build this')
    }
    return { ...NOTHING, complete: false }
  }

  private folder(folder: string, origin?: Origin): Built {
    const layer = this.layer(folder)
    if (layer === undefined || layer.isComponent) return { ...NOTHING, complete: false }
    if (!this.open.has(folder)) return this.finish(folder, layer)
    if (origin !== undefined) {
      const why = 'kustomize refuses to build a kustomization that includes itself'
      this.note(origin, 'this leads back to a kustomization that includes it', why)
    }
    return { ...NOTHING, complete: false }
  }

  private file(path: string): Built {
    const entries = kept(this.read, path, () =>
      this.world.heldIn(path).map((manifest) => entryOf(manifest, 'kustomize')),
    )
    return entries.length === 0 ? NOTHING : { ...NOTHING, entries }
  }

  /** A component sees everything gathered so far and transforms it. */
  private addComponents(
    built: Built,
    components: readonly Sourced<string>[],
    folder: string,
  ): Built {
    let now = built
    for (const { value, origin } of components) {
      const path = resolvePath(folder, value)
      const layer = path === undefined ? undefined : this.layer(path)
      if (path === undefined || layer === undefined) {
        const why = isRemote(value)
          ? 'what it changes is not known'
          : 'kustomize refuses to build this'
        this.note(origin, `the component ${value} is not in this repository`, why)
        now = { ...now, complete: false }
      } else if (!this.open.has(path)) {
        this.open.add(path)
        const parts = layer.resources.map((resource) => this.resource(path, resource))
        const own: Built = { entries: [], generated: layer.generated, complete: true }
        const all = joined([now, withLinks(joined(parts), layer), own])
        now = this.transform(this.addComponents(all, layer.components, path), layer, true)
        this.open.delete(path)
      }
    }
    return now
  }

  private transform(built: Built, layer: Layer, isComponent = false): Built {
    if (built.entries.length === 0) return built
    for (const { value, origin } of layer.notFollowed) {
      const why = 'a field that it sets is judged as it stands in the manifest'
      this.note(origin, `\`${value}\` is not followed`, why)
    }
    const entries = transformEntries(built, layer, this.world)
    const all = { ...built, entries }
    return isComponent ? all : withLinks(all, layer)
  }

  private note(origin: Origin, what: string, why: string): void {
    this.world.note(origin, what, why)
  }
}

function kustomizationFiles(world: World): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of world.tree.named(...KUSTOMIZATION_NAMES)) found.set(parent(path), path)
  return found
}

/** Those of the folders that lie in none of the others. */
function outermostOf(folders: readonly string[]): ReadonlySet<string> {
  const all = new Set(folders)
  return new Set(folders.filter((folder) => !isWithin(all, parent(folder)) || folder === ''))
}

/** Whether the path or a folder above it is one of `folders`. */
function isWithin(folders: ReadonlySet<string>, path: string): boolean {
  for (let folder = path; ; folder = parent(folder)) {
    if (folders.has(folder)) return true
    if (folder === '') return false
  }
}

function isRemote(reference: string): boolean {
  return /:\/\/|^git@|^git::|^[\w.-]+\.(com|org|io|dev|net)[/:]|[?&]ref=/.test(reference)
}
