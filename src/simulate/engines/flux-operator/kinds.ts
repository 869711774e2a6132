import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const MANAGER = 'flux-operator'
export const GROUP = 'fluxcd.controlplane.io'
/** Under which the owner labels of applied objects stand. */
export const OWNER: string = `resourceset.${GROUP}`
export const FINALIZER: string = `${GROUP}/finalizer`

export const SETS: ResourceId = { group: GROUP, version: 'v1', resource: 'resourcesets' }
export const PROVIDERS: ResourceId = {
  group: GROUP,
  version: 'v1',
  resource: 'resourcesetinputproviders',
}

/** The engine's own kinds, as its CustomResourceDefinitions serve them. */
export const resourceSetKinds: readonly Kind[] = [
  custom(SETS, 'ResourceSet', 'rset'),
  custom(PROVIDERS, 'ResourceSetInputProvider', 'rsip'),
]

function custom(resource: ResourceId, kind: string, short: string): Kind {
  const own = { hasStatus: true, hasGeneration: true, shortNames: [short] }
  return plainKind({ ...resource, kind, ...own })
}
