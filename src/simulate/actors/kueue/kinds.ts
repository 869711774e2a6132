import type { Kind } from '../../../cluster/api/kind.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'

export const GROUP = 'kueue.x-k8s.io'
export const NAME = 'kueue-controller-manager'

const place = (resource: string): ResourceId => ({ group: GROUP, version: 'v1beta2', resource })

export const CLUSTER_QUEUES: ResourceId = place('clusterqueues')
export const LOCAL_QUEUES: ResourceId = place('localqueues')
export const PRIORITIES: ResourceId = place('workloadpriorityclasses')
const FLAVORS: ResourceId = place('resourceflavors')

/** Both versions that Kueue serves; to the store they are one. */
export const kueueKinds: readonly Kind[] = ['v1beta1', 'v1beta2'].flatMap((version) => [
  custom({ ...CLUSTER_QUEUES, version }, 'ClusterQueue', false),
  custom({ ...LOCAL_QUEUES, version }, 'LocalQueue', true),
  custom({ ...PRIORITIES, version }, 'WorkloadPriorityClass', false),
  custom({ ...FLAVORS, version }, 'ResourceFlavor', false),
])

function custom(resource: ResourceId, kind: string, namespaced: boolean): Kind {
  return plainKind({ ...resource, kind, namespaced, hasStatus: true, hasGeneration: true })
}
