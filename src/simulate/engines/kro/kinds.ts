import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const GROUP = 'kro.run'
export const VERSION = 'v0.9.4'
/** Held by definitions and instances. */
export const FINALIZER = 'kro.run/finalizer'

export const DEFINITIONS_OF_KRO: ResourceId = {
  group: GROUP,
  version: 'v1alpha1',
  resource: 'resourcegraphdefinitions',
}

/** The engine's own kind; the kinds of instances come from definitions in the cluster. */
export const kroKinds: readonly Kind[] = [
  plainKind({
    ...DEFINITIONS_OF_KRO,
    kind: 'ResourceGraphDefinition',
    shortNames: ['rgd'],
    namespaced: false,
    hasStatus: true,
    hasGeneration: true,
  }),
]

export function pluralOf(kind: string): string {
  const lower = kind.toLowerCase()
  if (/[^aeiou]y$/.test(lower)) return `${lower.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/.test(lower) ? `${lower}es` : `${lower}s`
}
