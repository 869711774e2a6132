import type { Manifest } from '../../core/manifest.ts'
import type { Link, Repository, Subject } from '../../ownership/subject.ts'

/** A folder that a tool renders, and whom its Jobs belong to. */
export interface Target {
  readonly tool: 'kustomize' | 'helm'
  /** As shown to the user, without a slash at its end; `` is the root. */
  readonly folder: string
  /** The kustomization file or Chart.yaml. */
  readonly file: string
  /** A chart in which no Job can be seen: only rendering can tell whether it has some. */
  readonly isGuess: boolean
  /** What makes an engine apply the folder; a chart has one rendering for each of them. */
  readonly carriers: readonly (Manifest | undefined)[]
}

/**
 * The folders to render: below each carrier the first kustomization or chart on the way to a Job,
 * and the charts that nobody installs from here.
 */
export function targetsOf(repository: Repository, charts: readonly string[]): readonly Target[] {
  const found = new Map<string, Growing>()
  const add = (link: RenderedLink, carrier: Manifest | undefined, isGuess = false): void => {
    const { tool, path: file } = link
    const folder = folderOf(file)
    const carriers = new Map<string, Manifest | undefined>()
    const fresh = { tool, folder, file, isGuess, carriers }
    const known = found.get(folder) ?? fresh
    known.carriers.set(carrierKey(carrier), carrier)
    found.set(folder, known)
  }
  for (const subject of repository.subjects) {
    const link = renderedLink(subject)
    if (link !== undefined) add(link, subject.carrier)
  }
  for (const chart of charts)
    if (!found.has(folderOf(chart))) add({ tool: 'helm', path: chart }, undefined, true)
  return [...found.values()].map(({ carriers, ...target }) => ({
    ...target,
    carriers: [...carriers.values()],
  }))
}

interface RenderedLink {
  readonly tool: Target['tool']
  /** The kustomization file or Chart.yaml. */
  readonly path: string
}

interface Growing extends Omit<Target, 'carriers'> {
  readonly carriers: Map<string, Manifest | undefined>
}

/** The link through which a rendering reaches the subject, if one does. */
export function renderedLink({ chain }: Subject): RenderedLink | undefined {
  const start = chain.findLastIndex(({ manifest }) => manifest !== undefined) + 1
  for (const link of chain.slice(start)) {
    const tool = toolOf(link)
    if (tool !== undefined) return { tool, path: link.path }
  }
  return undefined
}

function toolOf({ label, manifest }: Link): Target['tool'] | undefined {
  if (manifest !== undefined) return undefined
  if (label === 'Chart.yaml') return 'helm'
  return /^kustomization(?:\.ya?ml)?$/i.test(label) ? 'kustomize' : undefined
}

/** One carrier in one repository; objects are made anew whenever ownership is asked. */
export function carrierKey(carrier: Manifest | undefined): string {
  if (carrier === undefined) return ''
  const { document, root, name } = carrier
  return JSON.stringify([document.source.path, document.index, root, name])
}

export function folderOf(file: string): string {
  const slash = file.lastIndexOf('/')
  return slash < 0 ? '' : slash === 0 ? '/' : file.slice(0, slash)
}
