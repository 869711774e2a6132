import { at, booleanAt, integerAt, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Compared } from './compare.ts'
import { HOOK_FINALIZER } from './tracking.ts'

export interface Health {
  readonly status: 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended' | 'Missing'
  readonly message?: string
}

/** Argo CD's own health; undefined for kinds that have none, which count as done at once. */
export function healthOf(object: KubeObject): Health | undefined {
  const isHeld = object.metadata.finalizers?.includes(HOOK_FINALIZER) === true
  if (object.metadata.deletionTimestamp !== undefined && !isHeld) {
    return { status: 'Progressing', message: 'Pending deletion' }
  }
  return JUDGES[object.kind]?.(object)
}

const JUDGES: Readonly<Record<string, (object: KubeObject) => Health>> = {
  Job: jobHealth,
  CronJob: cronJobHealth,
  Deployment: deploymentHealth,
  ReplicaSet: replicaSetHealth,
  StatefulSet: statefulSetHealth,
  DaemonSet: daemonSetHealth,
  Pod: podHealth,
  PersistentVolumeClaim: (claim) => ({
    status: stringAt(claim, ['status', 'phase']) === 'Bound' ? 'Healthy' : 'Progressing',
  }),
  Service: serviceHealth,
}

/** The status of Failed and Complete is not looked at; a resumed Job counts as complete. */
function jobHealth(job: KubeObject): Health {
  let message = ''
  let isFailed = false
  let isComplete = false
  let isSuspended = false
  for (const condition of listAt(job, ['status', 'conditions'])) {
    const type = stringAt(condition, ['type'])
    if (type !== 'Failed' && type !== 'Complete' && type !== 'Suspended') continue
    isComplete = true
    message = stringAt(condition, ['message']) ?? ''
    if (type === 'Failed') isFailed = true
    if (type === 'Suspended') isSuspended = stringAt(condition, ['status']) === 'True'
  }
  if (!isComplete) return { status: 'Progressing' }
  if (isFailed) return { status: 'Degraded', message }
  return { status: isSuspended ? 'Suspended' : 'Healthy', message }
}

/** */
function cronJobHealth(cronJob: KubeObject): Health {
  if (booleanAt(cronJob, ['spec', 'suspend']) === true) return { status: 'Healthy' }
  const success = stringAt(cronJob, ['status', 'lastSuccessfulTime'])
  const scheduled = stringAt(cronJob, ['status', 'lastScheduleTime'])
  if (success === undefined || scheduled === undefined) return { status: 'Healthy' }
  const isActive = listAt(cronJob, ['status', 'active']).length > 0
  const isBehind = Date.parse(success) < Date.parse(scheduled)
  return { status: isBehind && !isActive ? 'Degraded' : 'Healthy' }
}

function isObserved(object: JsonObject): boolean {
  const generation = integerAt(object, ['metadata', 'generation']) ?? 0
  return generation <= (integerAt(object, ['status', 'observedGeneration']) ?? 0)
}

function count(object: JsonObject, field: string): number {
  return integerAt(object, ['status', field]) ?? 0
}

function deploymentHealth(deployment: KubeObject): Health {
  if (booleanAt(deployment, ['spec', 'paused']) === true) return { status: 'Suspended' }
  if (!isObserved(deployment)) return { status: 'Progressing' }
  const isLate = listAt(deployment, ['status', 'conditions']).some(
    (condition) => stringAt(condition, ['reason']) === 'ProgressDeadlineExceeded',
  )
  if (isLate) return { status: 'Degraded' }
  const wanted = integerAt(deployment, ['spec', 'replicas']) ?? 1
  const updated = count(deployment, 'updatedReplicas')
  const isDone =
    updated >= wanted &&
    count(deployment, 'replicas') <= updated &&
    count(deployment, 'availableReplicas') >= updated
  return { status: isDone ? 'Healthy' : 'Progressing' }
}

function replicaSetHealth(set: KubeObject): Health {
  if (!isObserved(set)) return { status: 'Progressing' }
  const wanted = integerAt(set, ['spec', 'replicas']) ?? 1
  return { status: count(set, 'availableReplicas') >= wanted ? 'Healthy' : 'Progressing' }
}

function statefulSetHealth(set: KubeObject): Health {
  if (!isObserved(set)) return { status: 'Progressing' }
  if (count(set, 'readyReplicas') < (integerAt(set, ['spec', 'replicas']) ?? 1)) {
    return { status: 'Progressing' }
  }
  if (stringAt(set, ['spec', 'updateStrategy', 'type']) === 'OnDelete') return { status: 'Healthy' }
  const isCurrent =
    stringAt(set, ['status', 'updateRevision']) === stringAt(set, ['status', 'currentRevision'])
  return { status: isCurrent ? 'Healthy' : 'Progressing' }
}

function daemonSetHealth(set: KubeObject): Health {
  if (!isObserved(set)) return { status: 'Progressing' }
  const wanted = count(set, 'desiredNumberScheduled')
  const isDone =
    count(set, 'updatedNumberScheduled') >= wanted && count(set, 'numberAvailable') >= wanted
  return { status: isDone ? 'Healthy' : 'Progressing' }
}

function podHealth(pod: KubeObject): Health {
  const phase = stringAt(pod, ['status', 'phase'])
  if (phase === 'Succeeded') return { status: 'Healthy' }
  if (phase === 'Failed') return { status: 'Degraded' }
  const runsOn = stringAt(pod, ['spec', 'restartPolicy']) === 'Always'
  const isReady = listAt(pod, ['status', 'conditions']).some(
    (condition) =>
      stringAt(condition, ['type']) === 'Ready' && stringAt(condition, ['status']) === 'True',
  )
  return { status: phase === 'Running' && runsOn && isReady ? 'Healthy' : 'Progressing' }
}

function serviceHealth(service: KubeObject): Health {
  if (stringAt(service, ['spec', 'type']) !== 'LoadBalancer') return { status: 'Healthy' }
  const isThere = at(service, ['status', 'loadBalancer', 'ingress', 0]) !== undefined
  return { status: isThere ? 'Healthy' : 'Progressing' }
}

/** How an object counts for its app: hooks do not, and what is absent makes nothing worse. */
export function healthIn({ isHook, live }: Compared): string | undefined {
  if (isHook) return undefined
  return live === undefined ? ABSENT : (healthOf(live)?.status ?? 'Healthy')
}

export function worstHealth(resources: readonly Compared[]): string {
  const tally = new Map<string, number>()
  for (const one of resources) {
    const health = healthIn(one)
    if (health !== undefined) tally.set(health, 1)
  }
  return worstOf(tally)
}

/** The health of an app by how many objects it has of each; nothing there at all is Missing. */
export function worstOf(tally: ReadonlyMap<string, number>): string {
  let worst: string | undefined
  for (const [health, count] of tally) {
    if (count > 0 && health !== ABSENT) worst = worseOf(worst ?? 'Healthy', health)
  }
  return worst ?? ((tally.get(ABSENT) ?? 0) > 0 ? 'Missing' : 'Healthy')
}

const ABSENT = ''
const ORDER = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded']

function worseOf(one: string, other: string): string {
  return ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one
}
