import type { KubeObject, ResourceId } from '../object.ts'
import type { Kind } from './kind.ts'

/**
 * The kinds that a server serves. Never changed in place: a CustomResourceDefinition that comes or
 * goes makes a new one, so that copies of a server share it.
 */
export interface Registry {
  readonly kinds: readonly Kind[]
  /** By name of the resource: the groups and versions that have one of that name. */
  readonly byResource: ReadonlyMap<string, readonly Kind[]>
}

/** Of two kinds of one resource and version, the later one counts. */
export function registryOf(kinds: readonly Kind[]): Registry {
  const distinct = kinds.filter((kind, at) => {
    return !kinds.some((other, later) => later > at && isServedAs(other, kind))
  })
  const byResource = new Map<string, readonly Kind[]>()
  for (const kind of distinct) {
    byResource.set(kind.resource, [...(byResource.get(kind.resource) ?? []), kind])
  }
  return { kinds: distinct, byResource }
}

export function withKinds(
  registry: Registry,
  added: readonly Kind[],
  removed: readonly ResourceId[],
): Registry {
  const kept = registry.kinds.filter((kind) => !removed.some((gone) => isServedAs(kind, gone)))
  return registryOf([...kept, ...added])
}

export function findKind({ byResource }: Registry, id: ResourceId): Kind | undefined {
  return byResource.get(id.resource)?.find((kind) => isServedAs(kind, id))
}

function isServedAs(one: ResourceId, other: ResourceId): boolean {
  return (
    one.resource === other.resource && one.version === other.version && one.group === other.group
  )
}

export function kindNamed({ kinds }: Registry, apiVersion: string, name: string): Kind | undefined {
  return kinds.find((kind) => kind.kind === name && apiVersionOf(kind) === apiVersion)
}

/** An object as `kind` shows it: versions of a custom resource differ in nothing but their name. */
export function inVersion(kind: Kind, object: KubeObject): KubeObject {
  if (kind.schema === undefined) return object
  const apiVersion = apiVersionOf(kind)
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}

export function apiVersionOf({ group, version }: ResourceId): string {
  return group === '' ? version : `${group}/${version}`
}
