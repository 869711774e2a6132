import { integerAt, type JsonObject } from '../../core/json.ts'
import type { Actor } from '../actor.ts'
import { succeeded } from '../api/request.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { keyedController, later, type QueueState, type QueueWake } from './keyed-queue.ts'
import { keyOf, put, replicasOf, statusOf } from './workload.ts'

/**
 * StatefulSets and DaemonSets as far as somebody waits for them: their status tells of pods that
 * are ready as soon as pods can be, and no pod exists (K-75). One node, as the kubelet has it.
 */
export const statefulSetController: Actor<QueueState, QueueWake> = unplayed(
  'statefulset-controller',
  { group: 'apps', version: 'v1', resource: 'statefulsets' },
  (set) => {
    const replicas = replicasOf(set)
    return {
      observedGeneration: set.metadata.generation ?? 0,
      replicas,
      ...counts(replicas),
      availableReplicas: replicas,
      collisionCount: 0,
    }
  },
)

export const daemonSetController: Actor<QueueState, QueueWake> = unplayed(
  'daemon-set-controller',
  { group: 'apps', version: 'v1', resource: 'daemonsets' },
  (set) => ({
    currentNumberScheduled: 1,
    numberMisscheduled: 0,
    desiredNumberScheduled: 1,
    numberReady: 1,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
  }),
)

/** Numbers that are left out when they are 0; a scaled-down set must not keep its old ones. */
function counts(replicas: number): JsonObject {
  if (replicas === 0) return {}
  return { readyReplicas: replicas, currentReplicas: replicas, updatedReplicas: replicas }
}

function unplayed(
  name: string,
  resource: ResourceId,
  readyStatus: (set: KubeObject) => JsonObject,
): Actor<QueueState, QueueWake> {
  return keyedController({
    name,
    resource,
    plan(state, set, io) {
      const isSeen = integerAt(statusOf(set), ['observedGeneration']) === set.metadata.generation
      if (isSeen || set.metadata.deletionTimestamp !== undefined) return
      later(keyOf(set), Math.max(io.now + io.latencies.podStart, state.readyAt), io)
    },
    sync(set, io) {
      const status = readyStatus(set)
      if (set.metadata.deletionTimestamp !== undefined || equal(status, statusOf(set))) return true
      return succeeded(put(io, resource, { ...set, status }, 'status'))
    },
  })
}
