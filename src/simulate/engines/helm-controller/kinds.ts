import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const GROUP = 'helm.toolkit.fluxcd.io'
const SOURCES = 'source.toolkit.fluxcd.io'

export const HELM_RELEASES: ResourceId = { group: GROUP, version: 'v2', resource: 'helmreleases' }

/** What a HelmRelease's chart may come from. */
export const SOURCE_RESOURCES: ReadonlyMap<string, ResourceId> = new Map([
  ['HelmChart', { group: SOURCES, version: 'v1', resource: 'helmcharts' }],
  ['OCIRepository', { group: SOURCES, version: 'v1', resource: 'ocirepositories' }],
])

/** The engine's own kinds, as its CustomResourceDefinitions serve them. */
export const helmControllerKinds: readonly Kind[] = [
  custom(HELM_RELEASES, 'HelmRelease'),
  ...[...SOURCE_RESOURCES].map(([kind, resource]) => custom(resource, kind)),
]

function custom(resource: ResourceId, kind: string): Kind {
  return plainKind({ ...resource, kind, hasStatus: true, hasGeneration: true, anyFinalizer: true })
}
