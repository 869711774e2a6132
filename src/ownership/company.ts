import type { JsonObject } from '../core/json.ts'
import { manifestsOf, type Manifest } from '../core/manifest.ts'
import type { Source } from '../core/source.ts'
import { bytesOf, findBytes } from '../core/yaml/bytes.ts'
import type { FileReading, FullParser } from '../core/yaml/document.ts'
import { mentions, type Wanted } from '../core/yaml/needles.ts'
import { FileReader, readFile } from '../core/yaml/read-file.ts'
import type { Applied } from './expand.ts'
import type { Carrier, CarrierKind, Load, Surroundings } from './carriers/carrier.ts'
import { fleetBundles } from './carriers/fleet.ts'
import { createCharts, type Charts } from './carriers/helm-chart.ts'
import { createKustomize, KUSTOMIZATION_NAMES, type Kustomize } from './kustomize/build.ts'
import { entryOf, type Entry } from './kustomize/built.ts'
import { openTest } from './open.ts'
import { placeAt } from './place.ts'
import {
  renderedCharts,
  renderedKustomize,
  type RenderedFolder,
  type RenderedFolders,
} from './rendered.ts'
import type { Companion, Company } from './subject.ts'
import { originOf } from './traced.ts'
import { baseName, parent } from './tree.ts'
import { kept, type World } from './world.ts'

/** Whose company is asked for: a Job with the load that it came in. */
export interface Member {
  readonly entry: Entry
  readonly load: Load
  readonly by: Applied | undefined
}

interface Options {
  readonly repo: Surroundings
  /** What a tool has made of folders stands there for what is written. */
  readonly rendered: RenderedFolders
  readonly kinds: readonly CarrierKind[]
  readonly fullParser: FullParser | undefined
}

/**
 * The objects that a carrier applies beside its Jobs. A repository is read for Jobs only, so when
 * a rule asks, the carrier is followed once more through a world that also holds other kinds, and
 * of its files only those are read that hold one of the texts in question. A Job that nobody
 * carries stands beside the files of its kustomization, chart or folder.
 */
export function createCompanies(options: Options): (member: Member) => Company {
  const known = new Map<Applied | Load, Company>()
  const like = new FileReader({ wanted: { needles: [] }, fullParser: undefined })
  return (member) =>
    kept(known, member.by ?? member.load, () => ({
      mentioning: (texts, kinds) => {
        const wanted = {
          needles: kinds.map((kind) => ({ kind })),
          texts: texts.map(needleOf),
        }
        const loads = loadsAgain(
          member,
          wideSurroundings({ ...options, like }, wanted),
          options.kinds,
        )
        const entries = new Set(loads.flatMap((load) => load.entries))
        return [...entries].filter(({ manifest }) => kinds.includes(manifest.kind)).map(companion)
      },
    }))
}

/** The longest part of a text that stands in a file as it is, however its template is spelled. */
function needleOf(text: string): Uint8Array {
  const [longest = ''] = text
    .split(/["'\\\s{}$()|]/)
    .sort((one, other) => other.length - one.length)
  return bytesOf(longest)
}

function loadsAgain(
  { by, entry }: Member,
  wide: Surroundings,
  kinds: readonly CarrierKind[],
): readonly Pick<Load, 'entries'>[] {
  if (by !== undefined) return carrierAgain(by.carrier, wide, kinds)?.loads(() => {}) ?? []
  const { world } = wide
  const [link] = entry.links
  if (link === undefined) {
    const folder = parent(world.tree.pathOf(entry.manifest.file))
    const own = world.tree.pathOf(entry.manifest.file)
    // Whoever applies the folder by its kustomization file leaves out what it does not list.
    const files = wide.kustomize.hasFile(folder) ? [own] : world.heldBelow(folder)
    const direct = files.filter((path) => parent(path) === folder)
    return [{ entries: direct.flatMap((path) => entriesIn(path, world)) }]
  }
  const folder = parent(world.tree.below(link.path))
  if (baseName(link.path) === 'Chart.yaml') return [wide.charts.load(folder)]
  return KUSTOMIZATION_NAMES.includes(baseName(link.path)) ? [wide.kustomize.build(folder)] : []
}

function entriesIn(path: string, world: World): readonly Entry[] {
  return world.heldIn(path).map((manifest) => entryOf(manifest, 'kubernetes'))
}

/** Of an ApplicationSet the object is already filled in, so it makes one carrier. */
function carrierAgain(
  { manifest, object, path }: Carrier,
  wide: Surroundings,
  kinds: readonly CarrierKind[],
): Carrier | undefined {
  if (manifest === undefined || object === undefined) return undefined
  const kind = kinds.find((one) => one.kind === manifest.kind)
  if (kind !== undefined) return kind.carriersOf({ manifest, object }, wide)[0]
  return fleetBundles(wide).find((carrier) => carrier.path === path)
}

function wideSurroundings(options: WideOptions, wanted: Wanted): Surroundings {
  const { repo } = options
  const world = wideWorld(options, wanted)
  const rendered = renderedWide(options, wanted)
  let kustomize: Kustomize | undefined
  let charts: Charts | undefined
  return {
    world,
    get kustomize(): Kustomize {
      kustomize ??= createKustomize(world, repo.kustomize.layout)
      return renderedKustomize(kustomize, rendered, world, ({ kind }) => isWanted(wanted, kind))
    },
    get charts(): Charts {
      charts ??= createCharts(world)
      return renderedCharts(charts, rendered, ({ kind }) => isWanted(wanted, kind))
    },
    sources: repo.sources,
    configMaps: repo.configMaps,
    isSourceIgnored: (path) => repo.isSourceIgnored(path),
  }
}

interface WideOptions extends Options {
  /** Its parsers serve the reader of each question. */
  readonly like: FileReader
}

/** Rendered folders with the objects in question, read when a carrier leads there. */
function renderedWide({ rendered, fullParser }: Options, wanted: Wanted): RenderedFolders {
  const folders = [...rendered].map(([folder, { file, texts = [] }]) => {
    let manifests: readonly Manifest[] | undefined
    const one: RenderedFolder = {
      file,
      get manifests() {
        return (manifests ??= texts.flatMap((source) => {
          if (!mentions(wanted, source.bytes, { start: 0, end: source.bytes.length })) return []
          const reading = readFile(source, { wanted, fullParser })
          return manifestsOf(reading).filter(({ kind }) => isWanted(wanted, kind))
        }))
      },
    }
    return [folder, one] as const
  })
  return new Map(folders)
}

function isWanted({ needles }: Wanted, kind: string): boolean {
  return needles.some((needle) => needle.kind === kind)
}

/** Notes are those of the first walk, which came the same way. */
function wideWorld({ repo: { world }, fullParser, like }: WideOptions, wanted: Wanted): World {
  const { tree } = world
  const read = new Map<string, readonly Manifest[]>()
  const readers = new Map<boolean, FileReader>()
  const readerFor = (isTemplate: boolean): FileReader =>
    kept(readers, isTemplate, () => {
      const template = isTemplate ? { template: 'helm' as const } : {}
      return new FileReader({ wanted, fullParser, ...template }, like)
    })
  return {
    ...world,
    removed: new Set(),
    heldFiles: tree.under(''),
    heldBelow: (folder) => tree.under(folder),
    isHeld: (manifest) => world.isHeld(manifest) || isWanted(wanted, manifest.kind),
    heldIn: (path) =>
      kept(read, path, () => {
        const source = MANIFESTS.test(path) ? world.sourceOf(path) : undefined
        if (source === undefined || !mayHold(wanted, source, tree.reading(path))) return []
        const isTemplate = tree.reading(path)?.template === 'helm' || isInChart(path, tree)
        return manifestsOf(readerFor(isTemplate).read(source)).filter(({ kind }) =>
          isWanted(wanted, kind),
        )
      }),
    note: () => {},
  }
}

/** False when the texts stand nowhere but in documents of kinds that nobody asks for. */
function mayHold(wanted: Wanted, { bytes }: Source, reading: FileReading | undefined): boolean {
  if (!mentions(wanted, bytes, { start: 0, end: bytes.length })) return false
  if (JOB_KINDS.some((kind) => isWanted(wanted, kind)) || reading?.template !== undefined)
    return true
  const known = (reading?.documents ?? []).map(({ span }) => span)
  return (wanted.texts ?? []).some((text) => {
    let at = text.length === 0 ? -1 : findBytes(bytes, text, 0)
    while (at >= 0) {
      const inside = known.find(({ start, end }) => start <= at && at < end)
      if (inside === undefined) return true
      at = findBytes(bytes, text, inside.end)
    }
    return false
  })
}

/** What the files were read for in the first place. */
const JOB_KINDS = ['CronJob', 'Job', 'Namespace']

const MANIFESTS = /\.(?:ya?ml|json)$/

/** Below the `templates/` of a chart. */
function isInChart(path: string, tree: World['tree']): boolean {
  for (let folder = parent(path); folder !== ''; folder = parent(folder)) {
    const chart = parent(folder)
    if (baseName(folder) !== 'templates') continue
    if (tree.isFile(chart === '' ? 'Chart.yaml' : `${chart}/Chart.yaml`)) return true
  }
  return false
}

function companion({ manifest, object, identities, links }: Entry): Companion {
  const isOpen = openTest(manifest)
  const names = [manifest.name, ...identities.map(({ name }) => name)]
  return {
    kind: manifest.kind,
    manifest,
    object: withoutData(object.value),
    names: [...new Set(names.filter((name) => name !== undefined))],
    links,
    placeOf: (path, which = 'value') => placeAt(originOf(object, path), which),
    isOpen: (path) => isOpen(originOf(object, path)),
  }
}

/** No rule needs what is in a Secret, and so none can show it. */
function withoutData(object: JsonObject): JsonObject {
  if (object['kind'] !== 'ConfigMap' && object['kind'] !== 'Secret') return object
  const { data: _data, stringData: _stringData, binaryData: _binaryData, ...rest } = object
  return rest
}
