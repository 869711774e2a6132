import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const GROUP = 'image.toolkit.fluxcd.io'

const place = (resource: string): ResourceId => ({ group: GROUP, version: 'v1', resource })

export const REPOSITORIES: ResourceId = place('imagerepositories')
export const POLICIES: ResourceId = place('imagepolicies')
export const AUTOMATIONS: ResourceId = place('imageupdateautomations')

/** v1, and v1beta2 for manifests that were not changed yet: to the store they are one. */
export const imageKinds: readonly Kind[] = ['v1', 'v1beta2'].flatMap((version) => [
  custom({ ...REPOSITORIES, version }, 'ImageRepository'),
  custom({ ...POLICIES, version }, 'ImagePolicy'),
  custom({ ...AUTOMATIONS, version }, 'ImageUpdateAutomation'),
])

function custom(resource: ResourceId, kind: string): Kind {
  return plainKind({ ...resource, kind, hasStatus: true, hasGeneration: true })
}
