import { stringAt, type Path } from '../core/json.ts'
import { manifestsOf, type Manifest } from '../core/manifest.ts'
import type { Place, Source } from '../core/source.ts'
import { embeddedSource } from '../core/yaml/embedded.ts'
import type { FileReading, FullParser, YamlDocument } from '../core/yaml/document.ts'
import { readFile, type ReadOptions } from '../core/yaml/read-file.ts'
import { placeAt } from './place.ts'
import type { Origin } from './traced.ts'
import { below, buildTree, byCode, type Tree } from './tree.ts'

/** What the parts of ownership ask of the repository. Everything is read once and kept. */
export interface World {
  readonly tree: Tree
  /** Every Kubernetes object that was read, in the order of the files. */
  readonly manifests: readonly Manifest[]
  /** Paths of the files that hold a Job, a CronJob or an object that carries some, sorted. */
  readonly heldFiles: readonly string[]
  /** Those of them below a folder. */
  heldBelow(folder: string): readonly string[]
  /** The Jobs, CronJobs and carriers of a file. */
  heldIn(path: string): readonly Manifest[]
  /** Jobs that a kustomization takes away again, so that they are not what their files say. */
  readonly removed: Set<Manifest>
  /** The bytes of a file, also of one that nobody wanted, if it can be had. */
  sourceOf(path: string): Source | undefined
  /** Every document of a file, also those that hold no Kubernetes object. */
  documentsIn(path: string): readonly YamlDocument[]
  /** Text that stands as a scalar in another document, read as a file of its own. */
  embedded(document: YamlDocument, path: Path, template?: 'resourceset'): FileReading | undefined
  /** Says what could not be followed; the same sentence at the same place only once. */
  note(origin: Origin, what: string, why: string): void
  readonly notes: readonly Note[]
  /** True when some text needs the full parser, and there was none. */
  needsFullParser(): boolean
}

export interface Note {
  readonly place: Place
  readonly what: string
  readonly why: string
}

export interface WorldInput {
  readonly files: readonly FileReading[]
  readonly listing: readonly string[]
  readonly root: string
  readonly fullParser?: FullParser
  readonly read?: (path: string) => Source | undefined
}

export function isJob(manifest: Manifest): boolean {
  const { kind, apiVersion } = manifest
  return (kind === 'Job' || kind === 'CronJob') && apiVersion.startsWith('batch/')
}

/** Objects that make an engine apply files, whatever their version. */
export function isCarrier({ kind, apiVersion }: Manifest): boolean {
  const group = CARRIER_GROUPS.get(kind)
  return group !== undefined && apiVersion.startsWith(`${group}/`)
}

const CARRIER_GROUPS: ReadonlyMap<string, string> = new Map([
  ['Application', 'argoproj.io'],
  ['ApplicationSet', 'argoproj.io'],
  ['GitRepo', 'fleet.cattle.io'],
  ['HelmRelease', 'helm.toolkit.fluxcd.io'],
  ['Kustomization', 'kustomize.toolkit.fluxcd.io'],
  ['ResourceGraphDefinition', 'kro.run'],
  ['ResourceSet', 'fluxcd.controlplane.io'],
])

export function createWorld(input: WorldInput): World {
  const { files, listing, root, fullParser, read } = input
  const tree = buildTree(files, listing, root)
  const manifests = files.flatMap(manifestsOf)
  const held = new Map<string, Manifest[]>()
  for (const manifest of manifests) {
    if (isJob(manifest) || isCarrier(manifest)) {
      kept(held, tree.pathOf(manifest.file), () => []).push(manifest)
    }
  }
  const documents = new Map<string, readonly YamlDocument[]>()
  const embedded = new Map<YamlDocument, Map<string, FileReading | undefined>>()
  const notes: Note[] = []
  const noted = new Map<YamlDocument, Set<string>>()
  let lacksParser = false
  const readAll = (source: Source, template?: ReadOptions['template']): FileReading => {
    const reading = readFile(source, {
      wanted: { all: true, needles: [] },
      fullParser,
      ...(template !== undefined && { template }),
    })
    lacksParser ||= reading.needsFullParser === true
    return reading
  }
  const sourceOf = (path: string): Source | undefined => tree.reading(path)?.source ?? read?.(path)
  const heldFiles = [...held.keys()].sort(byCode)
  return {
    tree,
    manifests,
    heldFiles,
    heldBelow: (folder) => below(heldFiles, folder),
    heldIn: (path) => held.get(path) ?? [],
    removed: new Set(),
    sourceOf,
    documentsIn: (path) =>
      kept(documents, path, () => {
        const reading = tree.reading(path)
        if (reading !== undefined && reading.documents.length === reading.documentsSeen) {
          return reading.documents
        }
        const source = sourceOf(path)
        return source === undefined ? [] : readAll(source, reading?.template).documents
      }),
    embedded: (document, path, template) => {
      const byPath = kept(embedded, document, () => new Map())
      return kept(byPath, JSON.stringify(path), () => {
        const source = embeddedSource(document, path)
        return source === undefined ? undefined : readAll(source, template)
      })
    },
    note: (origin, what, why) => {
      const seen = kept(noted, origin.document, () => new Set())
      const key = `${JSON.stringify(origin.path)} ${what}`
      if (seen.has(key)) return
      seen.add(key)
      notes.push(noteAt(origin, what, why))
    },
    notes,
    needsFullParser: () => lacksParser,
  }
}

/** The value for a key, made when it is first asked for. */
export function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined || map.has(key)) return known as Value
  const value = make()
  map.set(key, value)
  return value
}

/** The name with its namespace, as people say it. */
export function fullName(manifest: Manifest): string {
  const { name = stringAt(manifest.object, ['metadata', 'generateName']) ?? '', namespace } =
    manifest
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** Finding the place costs a walk through the document, and most notes are never shown. */
function noteAt(origin: Origin, what: string, why: string): Note {
  return {
    get place(): Place {
      return placeAt(origin)
    },
    what,
    why,
  }
}
