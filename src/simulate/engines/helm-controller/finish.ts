import type { KubeObject } from '../../../cluster/object.ts'
import { plan, put, type Context } from './context.ts'
import { HELM_RELEASES } from './kinds.ts'
import type { Record, Result, Run } from './state.ts'
import {
  conditionIn,
  FINALIZER,
  statusOf,
  writeFinalizers,
  writeStatus,
  type Status,
} from './status.ts'

const REQUESTED = 'reconcile.fluxcd.io/requestedAt'

/**
 * The end of a reconcile: the status is written a last time, and the worker is held until the
 * controller's cache shows it, which it never does after a remediation that is followed by a retry
 * (surprise 12).
 */
export function finish(context: Context, record: Record, run: Run, result: Result): void {
  const { io, timing } = context
  const stored = io.read.get(HELM_RELEASES, record.namespace, record.name)
  if (stored === undefined || stored.metadata.uid !== run.object.metadata.uid) {
    hold(context, record, { ...run, next: { kind: 'nothing' } }, 0)
    return
  }
  const before = statusOf(stored)
  const wanted = handled(run, result)
  const isConflict =
    run.hasCorrected &&
    conditionIn(before, 'Drifted')?.status !== conditionIn(wanted, 'Drifted')?.status
  // Surprise 6: the controller stumbles over its own earlier write of Drifted.
  const status = isConflict ? { ...wanted, conditions: before.conditions } : wanted
  writeStatus(record, status, io)
  const because = { kind: 'retry', words: 'its status could not be written' } as const
  const next: Result = isConflict ? { kind: 'error', because } : result
  hold(context, record, { ...run, status, next }, run.isStale ? timing.staleCacheWait : 0)
}

function handled(run: Run, result: Result): Status {
  const requested = run.object.metadata.annotations?.[REQUESTED]
  const status =
    requested === undefined ? run.status : { ...run.status, lastHandledReconcileAt: requested }
  const isObserved = result.kind === 'terminal' || result.kind === 'nothing' || isWaiting(result)
  const { generation } = run.object.metadata
  return isObserved && generation !== undefined
    ? { ...status, observedGeneration: generation }
    : status
}

/** A dependency or source that is not ready leaves the generation unobserved. */
function isWaiting(result: Result): boolean {
  return result.kind === 'after' && result.isObserved !== false
}

function hold(context: Context, record: Record, run: Run, ms: number): void {
  put(context, record, { run })
  plan(context, 'release', record.key, ms)
}

/** The HelmRelease may go: nothing of it is left to be done. */
export function letGo({ io }: Context, object: KubeObject): void {
  const left = (object.metadata.finalizers ?? []).filter((one) => one !== FINALIZER)
  writeFinalizers(object, left, io)
}
