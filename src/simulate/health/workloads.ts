import { stringAt, type JsonObject } from '../../core/json.ts'
import {
  conditionOf,
  current,
  failed,
  inProgress,
  isTrue,
  numberAt,
  type Health,
} from './health.ts'

/** A Deployment without a deadline gets no Progressing condition from its controller. */
const NO_DEADLINE = 2_147_483_647

export function deploymentStatus(object: JsonObject): Health {
  const progressing = conditionOf(object, 'Progressing')
  if (progressing?.['reason'] === 'ProgressDeadlineExceeded') {
    return failed('Progress deadline exceeded')
  }
  const wanted = numberAt(object, ['spec', 'replicas'], 1)
  const { replicas, ready, available, updated } = countsOf(object)
  const short = firstOf(
    less('Replicas', replicas, wanted),
    less('Updated', updated, wanted),
    extra(replicas, wanted),
    less('Available', available, updated),
    less('Ready', ready, wanted),
  )
  if (short !== undefined) return short
  const deadline = numberAt(object, ['spec', 'progressDeadlineSeconds'], NO_DEADLINE)
  const isRolledOut =
    deadline === NO_DEADLINE ||
    (isTrue(progressing) && progressing?.['reason'] === 'NewReplicaSetAvailable')
  if (!isRolledOut) return inProgress('ReplicaSet not Available')
  if (!isTrue(conditionOf(object, 'Available'))) return inProgress('Deployment not Available')
  return current(`Deployment is available. Replicas: ${replicas}`)
}

export function statefulSetStatus(object: JsonObject): Health {
  if (stringAt(object, ['spec', 'updateStrategy', 'type']) === 'OnDelete') {
    return current('StatefulSet is using the ondelete update strategy')
  }
  const wanted = numberAt(object, ['spec', 'replicas'], 1)
  const { replicas, ready, updated } = countsOf(object)
  const short = firstOf(
    less('Replicas', replicas, wanted),
    less('Ready', ready, wanted),
    extra(replicas, wanted),
  )
  if (short !== undefined) return short
  const partition = numberAt(object, ['spec', 'updateStrategy', 'rollingUpdate', 'partition'], -1)
  if (partition !== -1) {
    return (
      less('Updated', updated, wanted - partition) ??
      current(`Partition rollout complete. updated: ${updated}`)
    )
  }
  const behind = less('Current', numberAt(object, ['status', 'currentReplicas']), wanted)
  if (behind !== undefined) return behind
  const revision = stringAt(object, ['status', 'currentRevision'])
  if (revision !== stringAt(object, ['status', 'updateRevision'])) {
    return inProgress('Waiting for updated revision to match current')
  }
  return current(`All replicas scheduled as expected. Replicas: ${replicas}`)
}

export function replicaSetStatus(object: JsonObject): Health {
  if (isTrue(conditionOf(object, 'ReplicaFailure'))) {
    return inProgress('Replica Failure condition. Check Pods')
  }
  const wanted = numberAt(object, ['spec', 'replicas'], 1)
  const { replicas, ready, available } = countsOf(object)
  const short = firstOf(
    less('Labelled', numberAt(object, ['status', 'fullyLabeledReplicas']), wanted),
    less('Available', available, wanted),
    less('Ready', ready, wanted),
    extra(replicas, wanted),
  )
  return short ?? current(`ReplicaSet is available. Replicas: ${replicas}`)
}

export function daemonSetStatus(object: JsonObject): Health {
  const wanted = numberAt(object, ['status', 'desiredNumberScheduled'], -1)
  if (wanted === -1) return inProgress('Missing .status.desiredNumberScheduled')
  const short = firstOf(
    less('Current', numberAt(object, ['status', 'currentNumberScheduled']), wanted),
    less('Updated', numberAt(object, ['status', 'updatedNumberScheduled']), wanted),
    less('Available', numberAt(object, ['status', 'numberAvailable']), wanted),
    less('Ready', numberAt(object, ['status', 'numberReady']), wanted),
  )
  return short ?? current(`All replicas scheduled as expected. Replicas: ${wanted}`)
}

interface Counts {
  readonly replicas: number
  readonly ready: number
  readonly available: number
  readonly updated: number
}

function countsOf(object: JsonObject): Counts {
  return {
    replicas: numberAt(object, ['status', 'replicas']),
    ready: numberAt(object, ['status', 'readyReplicas']),
    available: numberAt(object, ['status', 'availableReplicas']),
    updated: numberAt(object, ['status', 'updatedReplicas']),
  }
}

function less(what: string, count: number, wanted: number): Health | undefined {
  return wanted > count ? inProgress(`${what}: ${count}/${wanted}`) : undefined
}

function extra(count: number, wanted: number): Health | undefined {
  return count > wanted ? inProgress(`Pending termination: ${count - wanted}`) : undefined
}

function firstOf(...found: readonly (Health | undefined)[]): Health | undefined {
  return found.find((one) => one !== undefined)
}
