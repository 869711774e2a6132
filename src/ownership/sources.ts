import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import { baseName, resolvePath, type Tree } from './tree.ts'
import { isTemplated } from '../core/templates.ts'
import { kept, type World } from './world.ts'

/** What a carrier takes its files from: an address, or a source object that is not in the tree. */
export interface SourceRef {
  readonly id: string
  readonly hasAddress: boolean
}

export type Located =
  | { readonly folder: string; readonly isForeign: boolean }
  | { readonly missing: 'outside' | 'foreign' | 'unproven-root' | 'nowhere' }

/**
 * Where the paths of carriers lead. Nothing in a checkout says which of the sources is this
 * repository, but their carriers name paths: the address whose paths exist here most often is
 * taken for our own, and other addresses for foreign ones. The files of a source may be those of
 * one folder only (an artifact that is pushed from `kubernetes/`): then most of its paths exist
 * below that folder and not below the root.
 */
export interface Sources {
  /** True for an address that is surely not this repository's. */
  isForeign(source: SourceRef | undefined): boolean
  locate(source: SourceRef | undefined, path: string): Located
  /** The source that a `sourceRef` of Flux names. */
  flux(reference: Json | undefined, namespace: string | undefined): SourceRef | undefined
  git(url: string | undefined): SourceRef | undefined
  object(kind: string, name: string, namespace: string | undefined): Manifest | undefined
}

export function createSources(world: World): Sources {
  const { tree } = world
  const objects = sourceObjects(world)
  const object: Sources['object'] = (kind, name, namespace) => {
    const named = objects.get(`${kind}/${name}`) ?? []
    // The namespace is often written by a kustomization only.
    return (
      named.find((manifest) => manifest.namespace === namespace) ??
      (named.length === 1 ? named[0] : undefined)
    )
  }
  const git: Sources['git'] = (url) => {
    const address = addressOf(url)
    return address === undefined ? undefined : { id: address, hasAddress: true }
  }
  const flux: Sources['flux'] = (reference, own) => {
    const kind = stringAt(reference, ['kind'])
    const name = stringAt(reference, ['name'])
    if (kind === undefined || name === undefined) return undefined
    const namespace = stringAt(reference, ['namespace']) ?? own
    const found = object(kind, name, namespace)
    const url = stringAt(found?.object, urlPath(found))
    return git(url) ?? { id: `${kind} ${namespace ?? ''}/${name}`, hasAddress: false }
  }
  let known: Evidence | undefined
  const evidence = (): Evidence => (known ??= weigh(claimsIn(world, flux, git), tree))
  return {
    isForeign: (source) => isForeign(source, evidence()),
    flux,
    git,
    object,
    locate: (source, path) => locate(source, path, evidence(), tree),
  }
}

/** One spelling for `git@host:a/b.git`, `ssh://git@host/a/b` and `https://host/a/b/`. */
export function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || url === '' || isTemplated(url)) return undefined
  return url
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]+@/, '')
    .replace(/:(\d+\/)?/, '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
}

/** Carriers whose source is written by somebody else, often by a patch that they all share. */
const UNNAMED = ''

interface Claim {
  readonly source: SourceRef | undefined
  readonly path: string
}

interface Evidence {
  readonly ids: ReadonlySet<string>
  /** The folder of the tree at which the paths of a source start; none of its paths exist else. */
  readonly roots: ReadonlyMap<string, string>
  /** The root that most paths of all sources without an address speak for. */
  readonly main: string
  /** Addresses that are taken for this repository. */
  readonly own: ReadonlySet<string>
}

function locate(
  source: SourceRef | undefined,
  path: string,
  evidence: Evidence,
  tree: Tree,
): Located {
  const { ids, roots, main } = evidence
  const inner = resolvePath('', path)
  if (inner === undefined) return { missing: 'outside' }
  const foreign = isForeign(source, evidence)
  const root = roots.get(source?.id ?? UNNAMED) ?? ''
  const folder = folderAt(root, inner, tree) ?? (foreign ? undefined : folderAt(main, inner, tree))
  if (folder === undefined) return { missing: foreign ? 'foreign' : 'nowhere' }
  if (inner === '' && source !== undefined) {
    const isProven = roots.has(source.id) || (ids.size === 1 && ids.has(source.id))
    if (foreign || !isProven) return { missing: foreign ? 'foreign' : 'unproven-root' }
  }
  return { folder, isForeign: foreign }
}

function isForeign(source: SourceRef | undefined, { own }: Evidence): boolean {
  return source?.hasAddress === true && own.size > 0 && !own.has(source.id)
}

/**
 * `root` is a folder of the tree, or, with a leading `-`, a folder above the tree that a run over
 * a part of the repository does not see.
 */
function folderAt(root: string, inner: string, tree: Tree): string | undefined {
  if (!root.startsWith('-')) {
    const folder = root === '' || inner === '' ? `${root}${inner}` : `${root}/${inner}`
    return tree.isFolder(folder) ? folder : undefined
  }
  const above = root.slice(1)
  if (inner === above) return ''
  const rest = inner.startsWith(`${above}/`) ? inner.slice(above.length + 1) : undefined
  return rest !== undefined && tree.isFolder(rest) ? rest : undefined
}

/** Which sources are known to lead into this tree, and which of their addresses are our own. */
function weigh(claims: readonly Claim[], tree: Tree): Evidence {
  const paths = new Map<string, Set<string>>()
  const addressed = new Set<string>()
  for (const { source, path } of claims) {
    const own = kept(paths, source?.id ?? UNNAMED, () => new Set<string>())
    if (source?.hasAddress === true) addressed.add(source.id)
    const folder = isTemplated(path) ? undefined : resolvePath('', path)
    if (folder !== undefined && folder !== '') own.add(folder)
  }
  const byName = new Map<string, string[]>()
  for (const folder of tree.folders) kept(byName, baseName(folder), () => []).push(folder)
  const roots = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const [id, own] of paths) {
    const best = bestRoot([...own], byName, tree)
    if (best === undefined) continue
    roots.set(id, best.root)
    if (addressed.has(id)) counts.set(id, best.votes)
  }
  const most = Math.max(0, ...counts.values())
  const own = [...counts].filter(([, votes]) => votes === most).map(([id]) => id)
  const pooled = new Set([...paths].flatMap(([id, some]) => (addressed.has(id) ? [] : [...some])))
  const main = bestRoot([...pooled], byName, tree)?.root ?? ''
  paths.delete(UNNAMED)
  return { ids: new Set(paths.keys()), roots, main, own: new Set(own) }
}

/** The root below which most paths exist; another one than the tree's own needs two of them. */
function bestRoot(
  paths: readonly string[],
  byName: ReadonlyMap<string, readonly string[]>,
  tree: Tree,
): { readonly root: string; readonly votes: number } | undefined {
  const votes = new Map<string, number>()
  const vote = (root: string): void => {
    votes.set(root, (votes.get(root) ?? 0) + 1)
  }
  for (const path of paths) {
    if (tree.isFolder(path)) {
      vote('')
      continue
    }
    for (const above of tree.foldersAbove)
      if (folderAt(`-${above}`, path, tree) !== undefined) vote(`-${above}`)
    for (const folder of byName.get(baseName(path)) ?? []) {
      if (folder.endsWith(`/${path}`)) vote(folder.slice(0, -path.length - 1))
    }
  }
  const [first, second] = [...votes].sort(([, one], [, other]) => other - one)
  if (first === undefined) return undefined
  const own = votes.get('') ?? 0
  const [root, count] = first
  const isClear = count > own && count > (second?.[1] ?? 0) && count >= 2
  if (root !== '' && isClear && count * 2 >= paths.length) return { root, votes: count }
  return own > 0 ? { root: '', votes: own } : undefined
}

const SYNC_KIND = ['spec', 'sync', 'kind']
const FLUX_NAMESPACE = 'flux-system'

function urlPath(manifest: Manifest | undefined): readonly string[] {
  return manifest?.kind === 'FluxInstance' ? ['spec', 'sync', 'url'] : ['spec', 'url']
}

/** By kind and name. A FluxInstance makes a source that is called like its namespace. */
function sourceObjects(world: World): ReadonlyMap<string, readonly Manifest[]> {
  const found = new Map<string, Manifest[]>()
  for (const manifest of world.manifests) {
    const synced = manifest.kind === 'FluxInstance' && stringAt(manifest.object, SYNC_KIND)
    if (synced !== undefined && synced !== false) {
      kept(found, `${synced}/${manifest.namespace ?? FLUX_NAMESPACE}`, () => []).push(manifest)
    }
    if (!manifest.apiVersion.startsWith('source.toolkit.fluxcd.io/')) continue
    kept(found, `${manifest.kind}/${manifest.name ?? ''}`, () => []).push(manifest)
  }
  return found
}

function claimsIn(
  { manifests }: World,
  flux: Sources['flux'],
  git: Sources['git'],
): readonly Claim[] {
  const fluxClaim = (manifest: Manifest, base: readonly string[], field: string): Claim => ({
    source: flux(objectAt(manifest.object, [...base, 'sourceRef']), manifest.namespace),
    path: stringAt(manifest.object, [...base, field]) ?? '',
  })
  const argoClaims = (spec: JsonObject | undefined): readonly Claim[] => {
    const sources: readonly (Json | undefined)[] = [spec?.['source'], ...listAt(spec, ['sources'])]
    return sources.filter(isObject).flatMap((source) => {
      const path = stringAt(source, ['path'])
      return path === undefined ? [] : [{ source: git(stringAt(source, ['repoURL'])), path }]
    })
  }
  return manifests.flatMap((manifest) => {
    const { kind, object, apiVersion } = manifest
    if (kind === 'Application') return argoClaims(objectAt(object, ['spec']))
    if (kind === 'ApplicationSet') return argoClaims(objectAt(object, ['spec', 'template', 'spec']))
    if (kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.')) {
      return [fluxClaim(manifest, ['spec'], 'path')]
    }
    if (kind === 'FluxInstance') {
      const sync = objectAt(object, ['spec', 'sync'])
      return [{ source: git(stringAt(sync, ['url'])), path: stringAt(sync, ['path']) ?? '' }]
    }
    if (kind !== 'HelmRelease') return []
    const from = stringAt(object, ['spec', 'chart', 'spec', 'sourceRef', 'kind'])
    const isFolder = from === 'GitRepository' || from === 'Bucket'
    return isFolder ? [fluxClaim(manifest, ['spec', 'chart', 'spec'], 'chart')] : []
  })
}
