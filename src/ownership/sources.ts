import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import { isUnknown } from './unknown-text.ts'
import { resolvePath } from './tree.ts'
import type { World } from './world.ts'

/**
 * Which source is this repository. Nothing in a checkout says so, but carriers name an address and
 * a path: the address whose paths exist here most often is taken for our own. With no such
 * address, or an unknown one, a source is taken for this repository.
 */
export interface Sources {
  isForeign(url: string | undefined): boolean
  /** The address of a Flux source object, if it is in the repository. */
  urlOf(kind: string, name: string, namespace: string | undefined): string | undefined
  object(kind: string, name: string, namespace: string | undefined): Manifest | undefined
}

export function createSources(world: World): Sources {
  const byName = new Map<string, Manifest[]>()
  for (const manifest of world.manifests) {
    if (!manifest.apiVersion.startsWith('source.toolkit.fluxcd.io/')) continue
    const key = `${manifest.kind}/${manifest.name ?? ''}`
    byName.set(key, [...(byName.get(key) ?? []), manifest])
  }
  const object = (
    kind: string,
    name: string,
    namespace: string | undefined,
  ): Manifest | undefined => {
    const named = byName.get(`${kind}/${name}`) ?? []
    const exact = named.filter((manifest) => manifest.namespace === namespace)
    // The namespace is often written by a kustomization only.
    return exact[0] ?? (named.length === 1 ? named[0] : undefined)
  }
  const urlOf: Sources['urlOf'] = (kind, name, namespace) => {
    const found = object(kind, name, namespace)
    return found === undefined ? undefined : addressOf(stringAt(found.object, ['spec', 'url']))
  }
  let own: ReadonlySet<string> | undefined
  return {
    urlOf,
    object,
    isForeign: (url) => {
      const address = addressOf(url)
      own ??= ownAddresses(world, urlOf)
      return address !== undefined && own.size > 0 && !own.has(address)
    },
  }
}

/** One spelling for `git@host:a/b.git`, `ssh://git@host/a/b` and `https://host/a/b/`. */
export function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || url === '' || isUnknown(url)) return undefined
  return url
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]+@/, '')
    .replace(/:(\d+\/)?/, '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
}

/** The addresses that most existing paths are claimed for; several when they tie. */
function ownAddresses(world: World, urlOf: Sources['urlOf']): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const manifest of world.manifests) {
    for (const { url, path } of claimsOf(manifest, urlOf)) {
      const address = addressOf(url)
      const folder = isUnknown(path) ? undefined : resolvePath('', path)
      if (address === undefined || folder === undefined || folder === '') continue
      if (world.tree.isFolder(folder)) counts.set(address, (counts.get(address) ?? 0) + 1)
    }
  }
  const most = Math.max(0, ...counts.values())
  return new Set([...counts].filter(([, count]) => count === most).map(([address]) => address))
}

interface Claim {
  readonly url: string | undefined
  readonly path: string
}

function claimsOf(manifest: Manifest, urlOf: Sources['urlOf']): readonly Claim[] {
  const { kind, object } = manifest
  switch (kind) {
    case 'Kustomization':
      return fluxClaim(object, ['spec'], 'path', manifest, urlOf)
    case 'HelmRelease':
      return fluxClaim(object, ['spec', 'chart', 'spec'], 'chart', manifest, urlOf)
    case 'Application':
      return argoClaims(objectAt(object, ['spec']))
    case 'ApplicationSet':
      return argoClaims(objectAt(object, ['spec', 'template', 'spec']))
    default:
      return []
  }
}

function fluxClaim(
  object: JsonObject,
  base: readonly string[],
  field: string,
  manifest: Manifest,
  urlOf: Sources['urlOf'],
): readonly Claim[] {
  const reference = objectAt(object, [...base, 'sourceRef'])
  const path = stringAt(object, [...base, field])
  const kind = stringAt(reference, ['kind'])
  const name = stringAt(reference, ['name'])
  if (path === undefined || kind === undefined || name === undefined) return []
  const namespace = stringAt(reference, ['namespace']) ?? manifest.namespace
  return [{ url: urlOf(kind, name, namespace), path }]
}

function argoClaims(spec: JsonObject | undefined): readonly Claim[] {
  const sources: readonly (Json | undefined)[] = [spec?.['source'], ...listAt(spec, ['sources'])]
  return sources.filter(isObject).flatMap((source) => {
    const path = stringAt(source, ['path'])
    return path === undefined ? [] : [{ url: stringAt(source, ['repoURL']), path }]
  })
}
