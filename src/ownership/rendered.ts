import type { Manifest } from '../core/manifest.ts'
import type { Source } from '../core/source.ts'
import type { Charts } from './carriers/helm-chart.ts'
import type { Kustomize } from './kustomize/build.ts'
import { entryOf, type Built, type Entry } from './kustomize/built.ts'
import { emptyLayer, withAdditions, type Additions } from './kustomize/layer.ts'
import { transformEntries } from './kustomize/steps.ts'
import type { Link } from './subject.ts'
import { baseName } from './tree.ts'
import { roleOf, type World } from './world.ts'

/** What a tool has made of a folder: its Jobs and CronJobs. */
export interface RenderedFolder {
  /** The kustomization file or Chart.yaml, as shown to the user. */
  readonly file: string
  readonly manifests: readonly Manifest[]
  /** All documents as text, also those of other kinds; read when somebody asks for their objects. */
  readonly texts?: readonly Source[]
}

/** By folder, relative to the root. */
export type RenderedFolders = ReadonlyMap<string, RenderedFolder>

/**
 * Kustomizations whose Jobs are those that were rendered, where there are some. What a carrier adds
 * (namespace, patches, images) still comes on top, and other objects stay as they are written.
 * Components that a carrier adds are left out for rendered folders.
 */
export function renderedKustomize(
  inner: Kustomize,
  rendered: RenderedFolders,
  world: World,
  isReplaced: (manifest: Manifest) => boolean = isJob,
): Kustomize {
  if (rendered.size === 0) return inner
  const byFile = new Map([...rendered].map(([folder, one]) => [one.file, { folder, one }]))
  const replace = (built: Built, files: ReadonlySet<string>, additions?: Additions): Built => {
    const entries = built.entries.filter(
      ({ manifest, links }) => !isReplaced(manifest) || !files.has(links[0]?.path ?? ''),
    )
    for (const file of files) {
      const found = byFile.get(file)
      if (found === undefined) continue
      const own = entriesOf(found.one, 'kustomize', linkOf(built, file))
      const layer =
        additions === undefined ? undefined : withAdditions(emptyLayer(found.folder), additions)
      const whole = { ...built, entries: own }
      entries.push(...(layer === undefined ? own : transformEntries(whole, layer, world)))
    }
    return { ...built, entries }
  }
  return {
    build: (folder, additions) => {
      const built = inner.build(folder, additions)
      const one = rendered.get(folder)
      return one === undefined ? built : replace(built, new Set([one.file]), additions)
    },
    buildGenerated: (folder, isIgnored, additions) => {
      const built = inner.buildGenerated(folder, isIgnored, additions)
      const files = built.entries.flatMap(({ links }) => links[0]?.path ?? [])
      return replace(built, new Set(files.filter((file) => byFile.has(file))), additions)
    },
    hasFile: (folder) => inner.hasFile(folder),
    filesOf: (folder) => inner.filesOf(folder),
    folders: inner.folders,
    layout: inner.layout,
    included: () => inner.included(),
    patchFiles: () => inner.patchFiles(),
  }
}

/** Charts whose Jobs are those that were rendered, where there are some. */
export function renderedCharts(
  inner: Charts,
  rendered: RenderedFolders,
  isReplaced: (manifest: Manifest) => boolean = isJob,
): Charts {
  if (rendered.size === 0) return inner
  return {
    folders: inner.folders,
    has: (folder) => inner.has(folder),
    load: (folder) => {
      const built = inner.load(folder)
      const one = rendered.get(folder)
      if (one === undefined) return built
      const others = built.entries.filter(({ manifest }) => !isReplaced(manifest))
      const own = entriesOf(one, 'kubernetes', linkOf(built, one.file))
      return { ...built, entries: [...others, ...own] }
    },
  }
}

function isJob(manifest: Manifest): boolean {
  return roleOf(manifest) === 'job'
}

function entriesOf(
  { manifests }: RenderedFolder,
  reading: 'kubernetes' | 'kustomize',
  link: Link,
): readonly Entry[] {
  return manifests.map((manifest) => ({ ...entryOf(manifest, reading), links: [link] }))
}

/** As ownership has made it for what is written, if anything came through that file. */
function linkOf({ entries }: Built, file: string): Link {
  const links = entries.flatMap((entry) => entry.links)
  return (
    links.find(({ path }) => path === file) ?? { label: baseName(file), path: file, settings: [] }
  )
}
