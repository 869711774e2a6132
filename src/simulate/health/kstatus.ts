import { integerAt, listAt, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { Instant } from '../../cluster/time.ts'
import {
  conditionOf,
  conditionsOf,
  current,
  failed,
  inProgress,
  isTrue,
  messageOf,
  type Health,
} from './health.ts'
import {
  deploymentStatus,
  daemonSetStatus,
  replicaSetStatus,
  statefulSetStatus,
} from './workloads.ts'

/** How long a pod that cannot be scheduled is given before it counts as failed. */
const SCHEDULE_WINDOW_MS = 15_000

/**
 * The status of an object by the rules of kstatus (sigs.k8s.io/cli-utils), which Flux, flux-operator
 * and Helm 4 wait by: deletion, observed generation, Reconciling and Stalled first, then the rules
 * of its kind, then a Ready condition; an object that says nothing is Current. A Job that has
 * started is Current whatever becomes of it: waiters that care use `jobStatus`.
 */
export function kstatus(object: JsonObject, now?: Instant): Health {
  return generic(object) ?? ofKind(object, now) ?? ready(object) ?? current('Resource is current')
}

function generic(object: JsonObject): Health | undefined {
  if (stringAt(object, ['metadata', 'deletionTimestamp']) !== undefined) {
    return { status: 'Terminating', message: 'Resource scheduled for deletion' }
  }
  const observed = integerAt(object, ['status', 'observedGeneration'])
  const generation = integerAt(object, ['metadata', 'generation'])
  if (observed !== undefined && generation !== undefined && observed !== generation) {
    const kind = stringAt(object, ['kind']) ?? ''
    return inProgress(
      `${kind} generation is ${generation}, but latest observed generation is ${observed}`,
    )
  }
  for (const condition of conditionsOf(object)) {
    if (!isTrue(condition)) continue
    if (condition['type'] === 'Reconciling') return inProgress(messageOf(condition))
    if (condition['type'] === 'Stalled') return failed(messageOf(condition))
  }
  return undefined
}

function ofKind(object: JsonObject, now: Instant | undefined): Health | undefined {
  const group = /^([^/]+)\//.exec(stringAt(object, ['apiVersion']) ?? '')?.[1] ?? ''
  switch (`${group} ${stringAt(object, ['kind']) ?? ''}`) {
    case 'apps Deployment':
      return deploymentStatus(object)
    case 'apps StatefulSet':
      return statefulSetStatus(object)
    case 'apps ReplicaSet':
      return replicaSetStatus(object)
    case 'apps DaemonSet':
      return daemonSetStatus(object)
    case 'batch Job':
      return plainJob(object)
    case ' Pod':
      return pod(object, now)
    case ' Service':
      return service(object)
    case ' PersistentVolumeClaim':
      return claim(object)
    case 'apiextensions.k8s.io CustomResourceDefinition':
      return definition(object)
    case 'batch CronJob':
    case ' ConfigMap':
    case ' Secret':
    case 'policy PodDisruptionBudget':
      return current('Resource is always ready')
    default:
      return undefined
  }
}

function ready(object: JsonObject): Health | undefined {
  const condition = conditionOf(object, 'Ready')
  if (condition === undefined) return undefined
  return isTrue(condition) ? current('Resource is Ready') : inProgress(messageOf(condition))
}

function plainJob(object: JsonObject): Health {
  if (isTrue(conditionOf(object, 'Complete'))) return current('Job Completed')
  if (isTrue(conditionOf(object, 'Failed'))) return failed('Job Failed')
  if (isTrue(conditionOf(object, 'Suspended'))) return current('Job Suspended')
  if (stringAt(object, ['status', 'startTime']) === undefined) return inProgress('Job not started')
  return current('Job in progress')
}

function pod(object: JsonObject, now: Instant | undefined): Health {
  const phase = stringAt(object, ['status', 'phase']) ?? ''
  switch (phase) {
    case 'Succeeded':
      return current('Pod has completed successfully')
    case 'Failed':
      return failed('Pod has completed, but not successfully')
    case 'Running':
      return runningPod(object)
    case 'Pending':
      return pendingPod(object, now)
    default:
      return inProgress('Pod phase not available')
  }
}

function runningPod(object: JsonObject): Health {
  if (isTrue(conditionOf(object, 'Ready'))) return current('Pod is Ready')
  const looping = listAt(object, ['status', 'containerStatuses']).flatMap((status: Json) =>
    stringAt(status, ['state', 'waiting', 'reason']) === 'CrashLoopBackOff'
      ? [stringAt(status, ['name']) ?? '']
      : [],
  )
  if (looping.length > 0) return failed(`Containers in CrashLoop state: ${looping.join(',')}`)
  return inProgress('Pod is running but is not Ready')
}

function pendingPod(object: JsonObject, now: Instant | undefined): Health {
  const scheduled = conditionOf(object, 'PodScheduled')
  const isUnschedulable =
    scheduled?.['status'] === 'False' && scheduled['reason'] === 'Unschedulable'
  if (!isUnschedulable) return inProgress('Pod is in the Pending phase')
  const created = Date.parse(stringAt(object, ['metadata', 'creationTimestamp']) ?? '')
  return now !== undefined && now - created >= SCHEDULE_WINDOW_MS
    ? failed('Pod could not be scheduled')
    : inProgress('Pod has not been scheduled')
}

function service(object: JsonObject): Health {
  if (stringAt(object, ['spec', 'type']) !== 'LoadBalancer') return current('Service is ready')
  return listAt(object, ['status', 'loadBalancer', 'ingress']).length > 0
    ? current('Service is ready')
    : inProgress('ExternalIP not set. Service type: LoadBalancer')
}

function claim(object: JsonObject): Health {
  const phase = stringAt(object, ['status', 'phase']) ?? 'unknown'
  return phase === 'Bound'
    ? current('PVC is Bound')
    : inProgress(`PVC is not Bound. phase: ${phase}`)
}

function definition(object: JsonObject): Health {
  const names = conditionOf(object, 'NamesAccepted')
  if (names?.['status'] === 'False') return failed(messageOf(names))
  const established = conditionOf(object, 'Established')
  if (isTrue(established)) return current('CRD is established')
  const isRefused = established?.['status'] === 'False' && established['reason'] !== 'Installing'
  return isRefused ? failed(messageOf(established)) : inProgress('Install in progress')
}
