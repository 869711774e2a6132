import { at, stringAt, type Json } from '../core/json.ts'
import { placeOf, type Manifest } from '../core/manifest.ts'
import type { Place } from '../core/source.ts'
import { isTemplated } from '../core/templates.ts'
import type { Link, Subject } from '../ownership/subject.ts'

/**
 * The link that reads the Job's file with kustomize: a kustomization.yaml, or an object of an API
 * group `kustomize.*` (Flux builds plain folders with kustomize too). Only the innermost link
 * reads the file; a HelmRelease or Application inside a kustomization reads its files in its own
 * way.
 */
export function kustomizeLink(chain: readonly Link[]): Link | undefined {
  const innermost = chain.at(-1)
  return innermost !== undefined && isKustomize(innermost) ? innermost : undefined
}

/** `Kustomization flux-system/apps`, or the path of a kustomization.yaml. */
export function linkName({ manifest, label, path }: Link): string {
  return manifest === undefined ? path : label
}

/** Where a link can be shown, with a note; nothing for a link without an object. */
export function linkPlace(link: Link): readonly { readonly place: Place; readonly note: string }[] {
  if (link.manifest === undefined) return []
  return [{ place: placeOf(link.manifest, ['metadata', 'name']), note: link.label }]
}

/** One object of the repository, however many subjects show it. */
export function manifestKey({ document, root }: Manifest): string {
  return JSON.stringify([document.source.path, document.index, root])
}

function isKustomize({ path, manifest }: Link): boolean {
  if (manifest !== undefined) return manifest.apiVersion.startsWith('kustomize.')
  return /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(path)
}

/**
 * True when both subjects surely end in one cluster: the same remote destination, carriers in one
 * folder, or one object that carries both carriers. Folders per cluster often share their files on
 * purpose, and nothing in them says which cluster reads them.
 */
export function sameCluster(one: Subject, other: Subject): boolean {
  const target = clusterOf(one)
  if (target === undefined || target !== clusterOf(other)) return false
  if (target !== '' && !IN_CLUSTER.test(target)) return true
  if (folderOf(one) === folderOf(other)) return true
  const [first, second] = [one.chain, other.chain]
  return (
    first.length > 1 &&
    second.length > 1 &&
    first[0]?.manifest !== undefined &&
    first[0].manifest === second[0]?.manifest
  )
}

/** The Job's namespace in the cluster, as far as it is written; undefined when it is unknown. */
export function namespaceOf({ object, carrier }: Subject): string | undefined {
  const spec = carrier?.object['spec']
  const namespace =
    stringAt(object, ['metadata', 'namespace']) ??
    stringAt(spec, ['destination', 'namespace']) ??
    stringAt(spec, ['targetNamespace'])
  return isTemplated(namespace) ? undefined : namespace
}

/** Empty: the cluster in which the engine runs. Undefined: not known. */
function clusterOf({ carrier }: Subject): string | undefined {
  const spec = carrier?.object['spec']
  const named = [
    ['destination', 'server'],
    ['destination', 'name'],
    ['kubeConfig', 'secretRef', 'name'],
    ['kubeConfig', 'configMapRef', 'name'],
  ].map((path) => at(spec, path))
  if (named.some((value) => isTemplated(value) || (value !== undefined && !isText(value)))) {
    return undefined
  }
  return named.filter(isText).join(' ')
}

const IN_CLUSTER = /^(?:https:\/\/kubernetes\.default\.svc(?::443)?|in-cluster)$/

const isText = (value: Json | undefined): value is string => typeof value === 'string'

function folderOf({ carrier }: Subject): string | undefined {
  return carrier?.document.source.path.replace(/[^/]*$/, '')
}
