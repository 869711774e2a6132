import { stringAt } from '../../core/json.ts'
import type { Io } from '../actor.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject, OwnerReference, ResourceId } from '../object.ts'

export interface Row {
  readonly resource: ResourceId
  readonly object: KubeObject
}

export const FOREGROUND = 'foregroundDeletion'
export const ORPHAN = 'orphan'

/** What is known of a kind of owner: whether its objects live in namespaces. */
export type KnownKinds = Map<string, { readonly isNamespaced: boolean }>

export function knownKinds(kinds: readonly Kind[]): KnownKinds {
  const known: KnownKinds = new Map()
  for (const { group, kind, namespaced } of kinds) {
    known.set(`${group}/${kind}`, { isNamespaced: namespaced })
  }
  return known
}

/** A kind of which an object was seen is served, and a CustomResourceDefinition says of more. */
export function learn(known: KnownKinds, { resource, object }: Row): void {
  const key = `${resource.group}/${object.kind}`
  if (!known.has(key)) known.set(key, { isNamespaced: object.metadata.namespace !== undefined })
  if (object.kind !== 'CustomResourceDefinition') return
  const group = stringAt(object, ['spec', 'group'])
  const kind = stringAt(object, ['spec', 'names', 'kind'])
  const isNamespaced = stringAt(object, ['spec', 'scope']) === 'Namespaced'
  known.set(`${group}/${kind}`, { isNamespaced })
}

/**
 * Where an owner reference leads (K-50):
 * - `there`: the owner exists, with the kind, name and uid that the reference says, in the
 *   namespace of the dependent or in none
 * - `waits`: it exists and is in foreground deletion
 * - `absent`: nothing of that kind and name has that uid
 * - `unclear`: the kind is not served, or a cluster-wide object names an owner in a namespace; then
 *   nothing is done about the dependent, ever
 */
export type Leads = 'there' | 'waits' | 'absent' | 'unclear'

export function leadsTo(
  io: Pick<Io<never>, 'read'>,
  known: KnownKinds,
  { reference, dependent }: { readonly reference: OwnerReference; readonly dependent: KubeObject },
): Leads {
  const group = groupOf(reference.apiVersion)
  const kind = known.get(`${group}/${reference.kind}`)
  if (kind === undefined) return 'unclear'
  const { namespace } = dependent.metadata
  if (kind.isNamespaced && namespace === undefined) return 'unclear'
  const owner = io.read.byUid(reference.uid)
  if (owner === undefined) return 'absent'
  const { object, resource } = owner
  const isMeant =
    object.metadata.name === reference.name &&
    object.kind === reference.kind &&
    resource.group === group &&
    (object.metadata.namespace === undefined || object.metadata.namespace === namespace)
  if (!isMeant) return 'absent'
  return isDeletingDependents(object) ? 'waits' : 'there'
}

export function isBeingDeleted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

export function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true
}

/** In foreground deletion: it goes when its dependents are gone. */
export function isDeletingDependents(object: KubeObject): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, FOREGROUND)
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}
