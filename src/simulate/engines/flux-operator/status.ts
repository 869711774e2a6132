import { isObject, listAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { timestamp, type Instant } from '../../../cluster/time.ts'
import { goDuration } from '../kustomize-controller/settings.ts'
import { withCondition } from '../kustomize-controller/status.ts'
import { FINALIZER, MANAGER } from './kinds.ts'

export interface Condition {
  readonly type: 'Ready' | 'Reconciling' | 'Stalled'
  /** Undefined takes the condition away. */
  readonly status: 'True' | 'False' | 'Unknown' | undefined
  readonly reason?: string
  readonly message?: string
}

const IN_PROGRESS = 'Reconciliation in progress'
const NOT_STALLED: Condition = { type: 'Stalled', status: undefined }

export function progressing(message: string = IN_PROGRESS): readonly Condition[] {
  const reason = 'Progressing'
  return [
    { type: 'Reconciling', status: 'True', reason, message },
    { type: 'Ready', status: 'Unknown', reason, message: IN_PROGRESS },
    NOT_STALLED,
  ]
}

/** It will be tried again by itself. */
export function retrying(
  reason: string,
  message: string,
  step: string = IN_PROGRESS,
): readonly Condition[] {
  return [
    { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message: step },
    { type: 'Ready', status: 'False', reason, message },
    NOT_STALLED,
  ]
}

/** O-2: nothing happens until the spec or the inputs change. */
export function stalled(reason: string, message: string): readonly Condition[] {
  return [
    { type: 'Stalled', status: 'True', reason, message },
    { type: 'Reconciling', status: undefined },
    { type: 'Ready', status: 'False', reason, message },
  ]
}

export function succeededIn(milliseconds: number): readonly Condition[] {
  const whole =
    milliseconds >= 1000 ? Math.round(milliseconds / 1000) * 1000 : Math.round(milliseconds)
  const message = `Reconciliation finished in ${goDuration(whole)}`
  return [
    { type: 'Reconciling', status: undefined },
    NOT_STALLED,
    { type: 'Ready', status: 'True', reason: 'ReconciliationSucceeded', message },
  ]
}

/** Writes conditions and fields of the status; what stays equal is no write for the server. */
export function writeStatus(
  resource: ResourceId,
  object: KubeObject,
  { conditions, fields = {} }: { conditions: readonly Condition[]; fields?: JsonObject },
  io: Io<never>,
): void {
  let now: readonly JsonObject[] = listAt(object, ['status', 'conditions']).filter(isObject)
  for (const condition of conditions) now = withCondition(now, condition, object, io.now)
  const generation = object.metadata.generation ?? 1
  const isDone = now.some(({ type, status }) => type === 'Ready' && status !== 'Unknown')
  const observed = isDone ? { observedGeneration: generation } : {}
  io.request({
    verb: 'patch',
    resource,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    subresource: 'status',
    patch: { type: 'merge', body: { status: { ...observed, ...fields, conditions: now } } },
    options: { fieldManager: MANAGER },
  })
}

/** O-14: five entries, the newest first; the same digest and status again is counted. */
export function historyField(
  object: KubeObject,
  entry: { digest: string; status: string; startedAt: Instant },
  now: Instant,
): JsonObject {
  const before = listAt(object, ['status', 'history']).filter(isObject)
  const at = timestamp(now)
  const last = {
    lastReconciled: at,
    lastReconciledDuration: goDuration(now - entry.startedAt),
    lastReconciledStatus: entry.status,
  }
  const [newest] = before
  if (newest?.['digest'] === entry.digest && newest['lastReconciledStatus'] === entry.status) {
    const total = Number(newest['totalReconciliations'] ?? 0) + 1
    return { history: [{ ...newest, ...last, totalReconciliations: total }, ...before.slice(1)] }
  }
  const added = { digest: entry.digest, firstReconciled: at, ...last, totalReconciliations: 1 }
  return { history: [added, ...before].slice(0, 5) }
}

/** Adds the finalizer, or takes it away. */
export function writeFinalizer(
  resource: ResourceId,
  object: KubeObject,
  isThere: boolean,
  io: Io<never>,
): void {
  const others = (object.metadata.finalizers ?? []).filter((one) => one !== FINALIZER)
  const finalizers = isThere ? [...others, FINALIZER] : others
  io.request({
    verb: 'patch',
    resource,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    patch: { type: 'merge', body: { metadata: { finalizers } } },
    options: { fieldManager: MANAGER },
  })
}

export function hasFinalizer({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(FINALIZER) === true
}
