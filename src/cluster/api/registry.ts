import type { ResourceId } from '../object.ts'
import type { Kind } from './kind.ts'

/**
 * The kinds that a server serves. Never changed in place: a CustomResourceDefinition that comes or
 * goes makes a new one, so that copies of a server share it.
 */
export interface Registry {
  readonly kinds: ReadonlyMap<string, Kind>
}

export function registryOf(kinds: readonly Kind[]): Registry {
  return { kinds: new Map(kinds.map((kind) => [resourceIdText(kind), kind])) }
}

export function withKinds(
  registry: Registry,
  added: readonly Kind[],
  removed: readonly ResourceId[],
): Registry {
  const kinds = new Map(registry.kinds)
  for (const id of removed) kinds.delete(resourceIdText(id))
  for (const kind of added) kinds.set(resourceIdText(kind), kind)
  return { kinds }
}

export function findKind(registry: Registry, id: ResourceId): Kind | undefined {
  return registry.kinds.get(resourceIdText(id))
}

export function kindNamed(registry: Registry, apiVersion: string, name: string): Kind | undefined {
  for (const kind of registry.kinds.values()) {
    if (kind.kind === name && apiVersionOf(kind) === apiVersion) return kind
  }
  return undefined
}

export function apiVersionOf({ group, version }: ResourceId): string {
  return group === '' ? version : `${group}/${version}`
}

function resourceIdText({ group, version, resource }: ResourceId): string {
  return `${group}/${version}/${resource}`
}
