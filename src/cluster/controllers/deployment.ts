import { integerAt, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Actor, Io } from '../actor.ts'
import type { Rules } from '../api/kind.ts'
import { succeeded, type WatchEvent } from '../api/request.ts'
import { equal } from '../fields/index.ts'
import { controllerOf, type KubeObject } from '../object.ts'
import {
  copiedAnnotations,
  DESIRED,
  isPaused,
  isRolling,
  isSetOf,
  newSetOf,
  newSetReplicas,
  REVISION,
  revisionOf,
  scaleDowns,
  withRevision,
} from './deployment-rollout.ts'
import {
  active,
  DEPLOYMENT_CONTROLLER,
  listOf,
  resize,
  scaleSets,
  tellScale,
  tidy,
  type At,
  type Found,
} from './deployment-scale.ts'
import {
  countedStatus,
  deadlineAt,
  deadlineSeconds,
  isComplete,
  withProgress,
  type Sets,
} from './deployment-status.ts'
import { keyedController, later, soon, type QueueState, type QueueWake } from './keyed-queue.ts'
import {
  AS_CONTROLLER,
  conditionOf,
  conditionsOf,
  controlledBy,
  DEPLOYMENTS,
  messageOf,
  put,
  replicasOf,
  REPLICASETS,
  statusOf,
  totalOf,
  withCondition,
  written,
} from './workload.ts'

/**
 * The Deployment controller (K-70 to K-73): one ReplicaSet per pod template, moved from the old to
 * the new one within maxSurge and maxUnavailable, or all at once with Recreate. It adopts nothing
 * and rolls back nothing by itself.
 */
export function deploymentController(rules: Rules): Actor<QueueState, QueueWake> {
  return keyedController({
    name: DEPLOYMENT_CONTROLLER,
    resource: DEPLOYMENTS,
    observe,
    sync: (deployment, io, key) => sync({ io, rules, key, deployment }),
  })
}

/** Its sets, and for Recreate the last pod of an old one. */
function observe(
  state: QueueState,
  { type, resource, object }: WatchEvent,
  io: Io<QueueWake>,
): void {
  const isSet = resource.group === 'apps' && resource.resource === 'replicasets'
  const isGonePod = resource.resource === 'pods' && resource.group === '' && type === 'DELETED'
  if (!isSet && !isGonePod) return
  const owner = isSet ? object : setOf(object, io)
  const deployment = owner === undefined ? undefined : deploymentOf(owner, io)
  if (deployment !== undefined && (isSet || !isRolling(deployment))) soon(state, deployment, io)
}

function setOf(pod: KubeObject, io: Io<QueueWake>): KubeObject | undefined {
  const owner = controllerOf(pod)
  return owner?.kind === 'ReplicaSet' ? io.read.byUid(owner.uid)?.object : undefined
}

function deploymentOf(set: KubeObject, io: Io<QueueWake>): KubeObject | undefined {
  const owner = controllerOf(set)
  return owner?.kind === 'Deployment' ? io.read.byUid(owner.uid)?.object : undefined
}

/** False when something was refused. */
function sync(at: At): boolean {
  const { io, deployment } = at
  const found = find(io, deployment)
  if (deployment.metadata.deletionTimestamp !== undefined) return writeCounted(at, found)
  const toldPause = pauseCondition(at)
  if (toldPause !== undefined) return succeeded(put(io, DEPLOYMENTS, toldPause, 'status'))
  if (isPaused(deployment)) return scale(at, found)
  const isScaled = active([...found.old, ...listOf(found.newSet)]).some((set) => {
    const desired = set.metadata.annotations?.[DESIRED]
    return desired !== undefined && desired !== String(replicasOf(deployment))
  })
  if (isScaled) return scale(at, found)
  return isRolling(deployment) ? roll(at, found) : recreate(at, found)
}

function find(io: Io<QueueWake>, deployment: KubeObject): Found {
  const sets = controlledBy(io, deployment, 'ReplicaSet')
  const newSet = sets.find((set) => isSetOf(deployment, set))
  return { newSet, old: sets.filter((set) => set !== newSet) }
}

/** A pause stops the deadline's clock; a rollout that had timed out stays so. */
function pauseCondition({ io, deployment }: At): KubeObject | undefined {
  if (deadlineSeconds(deployment) === undefined) return undefined
  const status = statusOf(deployment)
  const reason = conditionOf(status, 'Progressing')?.['reason']
  const isTold = reason === 'DeploymentPaused'
  if (reason === 'ProgressDeadlineExceeded' || isTold === isPaused(deployment)) return undefined
  const told = isTold
    ? { reason: 'DeploymentResumed', message: 'Deployment is resumed' }
    : { reason: 'DeploymentPaused', message: 'Deployment is paused' }
  const next = { type: 'Progressing', status: 'Unknown', ...told } as const
  const conditions = withCondition(conditionsOf(status), next, { now: io.now, hasUpdateTime: true })
  return { ...deployment, status: { ...status, conditions } }
}

/**
 * K-70. `written`: the Deployment itself was written, so what was read of it is old, and the event of
 * that write brings the controller back.
 */
function ensureNewSet(at: At, found: Found): KubeObject | 'refused' | 'written' {
  const { io, deployment } = at
  const revision = Math.max(0, ...found.old.map(revisionOf)) + 1
  if (found.newSet !== undefined) return adjust(at, found.newSet, revision)
  const replicas = newSetReplicas(deployment, found.old, 0)
  const body = newSetOf(deployment, replicas, revision)
  const answer = io.request({
    verb: 'create',
    resource: REPLICASETS,
    namespace: deployment.metadata.namespace ?? '',
    body,
    options: AS_CONTROLLER,
  })
  const made = written(answer)
  if (made === undefined) {
    const name = stringAt(body, ['metadata', 'name']) ?? ''
    const message = `Failed to create new replica set "${name}": ${messageOf(answer)}`
    io.event(deployment, 'Warning', 'ReplicaSetCreateError', message)
    return 'refused'
  }
  const { name } = made.metadata
  if (replicas > 0) tellScale(at, `Scaled up replica set ${name} from 0 to ${replicas}`)
  const told = { reason: 'NewReplicaSetCreated', message: `Created new replica set "${name}"` }
  return writeRevision(at, String(revision), told)
}

/** Annotations and the waiting time follow the Deployment, and the revision is the newest. */
function adjust(at: At, set: KubeObject, revision: number): ReturnType<typeof ensureNewSet> {
  const { io, deployment } = at
  const copied = { ...set.metadata.annotations, ...copiedAnnotations(deployment) }
  const annotated = withRevision(
    { ...set, metadata: { ...set.metadata, annotations: copied } },
    revision,
  )
  const minReadySeconds = integerAt(deployment, ['spec', 'minReadySeconds']) ?? 0
  const spec = { ...objectAt(set, ['spec']), minReadySeconds }
  const isWaitSame = (integerAt(set, ['spec', 'minReadySeconds']) ?? 0) === minReadySeconds
  const next = isWaitSame ? annotated : { ...annotated, spec }
  if (!equal(next.metadata, set.metadata) || !isWaitSame) {
    return written(put(io, REPLICASETS, next)) ?? 'refused'
  }
  const told = {
    reason: 'FoundNewReplicaSet',
    message: `Found new replica set "${set.metadata.name}"`,
  }
  const isKnown = conditionOf(statusOf(deployment), 'Progressing') !== undefined
  const text = set.metadata.annotations?.[REVISION] ?? ''
  const isOld = deployment.metadata.annotations?.[REVISION] !== text
  const isUntold = !isKnown && deadlineSeconds(deployment) !== undefined
  if (!isOld && !isUntold) return set
  return writeRevision(at, text, isKnown ? undefined : told)
}

type Progress = { readonly reason: string; readonly message: string }

/** The revision is an annotation of the Deployment, and written with its status. */
function writeRevision(
  { io, deployment }: At,
  revision: string,
  told: Progress | undefined,
): 'written' | 'refused' {
  const annotations = { ...deployment.metadata.annotations, [REVISION]: revision }
  const status = statusOf(deployment)
  const isToTell = told !== undefined && deadlineSeconds(deployment) !== undefined
  const conditions = isToTell
    ? withCondition(
        conditionsOf(status),
        { type: 'Progressing', status: 'True', ...told },
        { now: io.now, hasUpdateTime: true },
      )
    : conditionsOf(status)
  const metadata = { ...deployment.metadata, annotations }
  const next = { ...deployment, metadata, status: { ...status, conditions } }
  return succeeded(put(io, DEPLOYMENTS, next, 'status')) ? 'written' : 'refused'
}

function roll(at: At, found: Found): boolean {
  const newSet = ensureNewSet(at, found)
  if (typeof newSet === 'string') return newSet === 'written'
  const { deployment } = at
  const all = [...found.old, newSet]
  const wanted = replicasOf(deployment)
  const size = replicasOf(newSet)
  const next = size > wanted ? wanted : newSetReplicas(deployment, all, size)
  if (size !== wanted && next !== size) {
    return resize(at, newSet, next) && writeProgress(at, { all, newSet })
  }
  const downs = scaleDowns(deployment, newSet, active(found.old))
  for (const { set, to } of downs) if (!resize(at, set, to)) return false
  if (downs.length === 0 && isComplete(deployment, statusOf(deployment))) tidy(at, found.old)
  return writeProgress(at, { all, newSet })
}

function recreate(at: At, found: Found): boolean {
  const { io } = at
  const running = active(found.old)
  for (const set of running) if (!resize(at, set, 0)) return false
  const hasPods = found.old.some((set) => controlledBy(io, set, 'Pod').some(isRunning))
  if (running.length > 0 || hasPods || totalOf(found.old, 'replicas') > 0) {
    return writeProgress(at, { all: [...found.old, ...listOf(found.newSet)], newSet: found.newSet })
  }
  const newSet = ensureNewSet(at, found)
  if (typeof newSet === 'string') return newSet === 'written'
  if (!resize(at, newSet, replicasOf(at.deployment))) return false
  if (isComplete(at.deployment, statusOf(at.deployment))) tidy(at, found.old)
  return writeProgress(at, { all: [...found.old, newSet], newSet })
}

function isRunning(pod: KubeObject): boolean {
  const phase = stringAt(pod, ['status', 'phase'])
  return phase !== 'Succeeded' && phase !== 'Failed'
}

/** Scaling reports what it did by what is there afterwards. */
function scale(at: At, found: Found): boolean {
  return scaleSets(at, found) && writeCounted(at, find(at.io, at.deployment))
}

function writeCounted(at: At, { newSet, old }: Found): boolean {
  const { io, rules, deployment } = at
  const sets: Sets = { all: [...old, ...listOf(newSet)], newSet }
  const status = countedStatus(deployment, sets, { now: io.now, minor: rules.minor })
  return writeStatus(at, status)
}

function writeProgress(at: At, sets: Sets): boolean {
  const { io, rules, deployment, key } = at
  const counted = countedStatus(deployment, sets, { now: io.now, minor: rules.minor })
  const status = withProgress(deployment, counted, { sets, now: io.now })
  if (equal(status, statusOf(deployment))) {
    const at = deadlineAt(deployment, io.now)
    if (at !== undefined) later(key, at, io)
    return true
  }
  return writeStatus(at, status)
}

/** The revision may just have been written: the status goes onto what is there now. */
function writeStatus({ io, deployment }: At, status: JsonObject): boolean {
  if (equal(status, statusOf(deployment))) return true
  return succeeded(put(io, DEPLOYMENTS, { ...deployment, status }, 'status'))
}
