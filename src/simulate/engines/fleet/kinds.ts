import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const BUNDLES: ResourceId = {
  group: 'fleet.cattle.io',
  version: 'v1alpha1',
  resource: 'bundles',
}

export const GIT_REPOS: ResourceId = {
  group: 'fleet.cattle.io',
  version: 'v1alpha1',
  resource: 'gitrepos',
}

export const fleetKinds: readonly Kind[] = [
  plainKind({ ...BUNDLES, kind: 'Bundle', hasStatus: true, hasGeneration: true }),
  plainKind({ ...GIT_REPOS, kind: 'GitRepo', hasStatus: true, hasGeneration: true }),
]
