import { stringAt, type JsonObject, type Path } from '../core/json.ts'
import { manifestsOf, type Manifest } from '../core/manifest.ts'
import type { Place, Source } from '../core/source.ts'
import { embeddedSource } from '../core/yaml/embedded.ts'
import type { FileReading, FullParser, YamlDocument } from '../core/yaml/document.ts'
import { readFile, type ReadOptions } from '../core/yaml/read-file.ts'
import { placeAt } from './place.ts'
import type { Origin } from './traced.ts'
import { buildTree, byCode, pathsBelow, type Tree } from './tree.ts'

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
  /** Whether an object is of these. */
  isHeld(manifest: Manifest): boolean
  /** Jobs that a kustomization takes away again, so that they are not what their files say. */
  readonly removed: Set<Manifest>
  /** The bytes of a file, also of one that nobody wanted, if it can be had. */
  sourceOf(path: string): Source | undefined
  /** Every document of a file, also those that hold no Kubernetes object. */
  documentsIn(path: string): readonly YamlDocument[]
  /** Those of them that hold one of the texts; not kept. */
  documentsWith(path: string, texts: readonly Uint8Array[]): readonly YamlDocument[]
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

/** What an object is to ownership: something to carry, or something that carries. */
export type Role = 'job' | 'carrier'

/** Jobs, and objects that make an engine apply files, whatever their version. */
export function roleOf({ kind, apiVersion }: Manifest): Role | undefined {
  const found = ROLES.get(kind)
  if (found === undefined) return undefined
  const { group, role } = found
  return apiVersion.startsWith(group) && apiVersion[group.length] === '/' ? role : undefined
}

const ROLES: ReadonlyMap<string, { readonly group: string; readonly role: Role }> = new Map([
  ['Job', { group: 'batch', role: 'job' }],
  ['CronJob', { group: 'batch', role: 'job' }],
  ['Application', { group: 'argoproj.io', role: 'carrier' }],
  ['ApplicationSet', { group: 'argoproj.io', role: 'carrier' }],
  ['FluxInstance', { group: 'fluxcd.controlplane.io', role: 'carrier' }],
  ['GitRepo', { group: 'fleet.cattle.io', role: 'carrier' }],
  ['HelmRelease', { group: 'helm.toolkit.fluxcd.io', role: 'carrier' }],
  ['Kustomization', { group: 'kustomize.toolkit.fluxcd.io', role: 'carrier' }],
  ['ResourceGraphDefinition', { group: 'kro.run', role: 'carrier' }],
  ['ResourceSet', { group: 'fluxcd.controlplane.io', role: 'carrier' }],
])

export function createWorld(input: WorldInput): World {
  const { files, listing, root, fullParser, read } = input
  const tree = buildTree(files, listing, root)
  const manifests = files.flatMap(manifestsOf)
  const held = new Map<string, Manifest[]>()
  for (const manifest of manifests) {
    if (roleOf(manifest) !== undefined) {
      kept(held, tree.pathOf(manifest.file), () => []).push(manifest)
    }
  }
  const documents = new Map<string, readonly YamlDocument[]>()
  const embedded = new Map<YamlDocument, Map<string, FileReading | undefined>>()
  const notes: Note[] = []
  const noted = new Map<YamlDocument, { origin: Origin; what: string }[]>()
  let lacksParser = false
  const readAll = (
    source: Source,
    template?: ReadOptions['template'],
    texts?: readonly Uint8Array[],
  ): FileReading => {
    const reading = readFile(source, {
      wanted: { all: true, needles: [], ...(texts !== undefined && { texts }) },
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
    heldBelow: pathsBelow(heldFiles),
    heldIn: (path) => held.get(path) ?? [],
    isHeld: (manifest) => roleOf(manifest) !== undefined,
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
    documentsWith: (path, texts) => {
      const source = sourceOf(path)
      const template = tree.reading(path)?.template
      return source === undefined ? [] : readAll(source, template, texts).documents
    },
    embedded: (document, path, template) => {
      const byPath = kept(embedded, document, () => new Map())
      return kept(byPath, JSON.stringify(path), () => {
        const source = embeddedSource(document, path)
        return source === undefined ? undefined : readAll(source, template)
      })
    },
    note: (origin, what, why) => {
      const seen = kept(noted, origin.document, () => [])
      const isOld = seen.some((other) => other.what === what && samePath(other.origin, origin))
      if (isOld) return
      seen.push({ origin, what })
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
export function fullName(object: JsonObject): string {
  const metadata = object['metadata']
  const name = stringAt(metadata, ['name']) ?? stringAt(metadata, ['generateName']) ?? ''
  const namespace = stringAt(metadata, ['namespace'])
  return namespace === undefined ? name : `${namespace}/${name}`
}

function samePath({ path: one }: Origin, { path: other }: Origin): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
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
