import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const GROUP = 'kustomize.toolkit.fluxcd.io'
const SOURCES = 'source.toolkit.fluxcd.io'

export const KUSTOMIZATIONS: ResourceId = {
  group: GROUP,
  version: 'v1',
  resource: 'kustomizations',
}

/** What a Kustomization's sourceRef may name. */
export const SOURCE_RESOURCES: ReadonlyMap<string, ResourceId> = new Map([
  ['GitRepository', { group: SOURCES, version: 'v1', resource: 'gitrepositories' }],
  ['OCIRepository', { group: SOURCES, version: 'v1', resource: 'ocirepositories' }],
  ['Bucket', { group: SOURCES, version: 'v1', resource: 'buckets' }],
  ['ExternalArtifact', { group: SOURCES, version: 'v1', resource: 'externalartifacts' }],
])

/** The engine's own kinds, as its CustomResourceDefinitions serve them. */
export const fluxKinds: readonly Kind[] = [
  custom(KUSTOMIZATIONS, 'Kustomization'),
  ...[...SOURCE_RESOURCES].map(([kind, resource]) => custom(resource, kind)),
]

function custom(resource: ResourceId, kind: string): Kind {
  return plainKind({ ...resource, kind, hasStatus: true, hasGeneration: true })
}
