import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { KindFinder } from '../kinds.ts'
import type { Artifacts } from './artifacts.ts'
import { intervalOf, retryOf } from './causes.ts'
import { shown } from './objects.ts'
import { goDuration, settingsOf, type Settings } from './settings.ts'
import type { Change, Entry, Record, Run, State, Timing, Wake } from './state.ts'
import { inventoryField, kustomizationOf, writeStatus, type Condition } from './status.ts'

export interface Controller {
  readonly artifacts: Artifacts
  readonly find: KindFinder
  readonly timing: Timing
  readonly minor: number
  readonly isEager: boolean
  /** The reconcile is over; `retryMs` undefined: nothing brings the next one but a trigger. */
  readonly ended: (state: State, record: Record, end: End, io: Io<Wake>) => void
}

export interface End {
  readonly retryMs: number | undefined
  /** Why the next one will have come. */
  readonly next: Trigger
  readonly isJittered: boolean
  readonly hasFailed: boolean
}

export function succeed(
  controller: Controller,
  state: State,
  record: Record,
  found: { readonly inventory?: readonly Entry[]; readonly passedMs?: number },
  io: Io<Wake>,
): void {
  const run = record.run as Run
  const object = kustomizationOf(record, io)
  if (object === undefined) return abandon(controller, state, record, io)
  const settings = settingsOf(object)
  const { inventory, passedMs } = found
  const passed = `Health check passed in ${goDuration(passedMs ?? 0)}`
  const healthy: Condition =
    passedMs === undefined
      ? { type: 'Healthy', status: undefined }
      : { type: 'Healthy', status: 'True', reason: 'Succeeded', message: passed }
  const message = `Applied revision: ${run.revision}`
  const conditions: readonly Condition[] = [
    { type: 'Ready', status: 'True', reason: 'ReconciliationSucceeded', message },
    { type: 'Reconciling', status: undefined },
    healthy,
  ]
  const fields = {
    ...(inventory === undefined ? {} : inventoryField(inventory)),
    lastAppliedRevision: run.revision,
    lastAttemptedRevision: run.revision,
    ...observed(object),
    observedGeneration: object.metadata.generation ?? 1,
  }
  writeStatus(object, { conditions, fields }, io)
  const next = intervalOf(settings)
  state.refused.delete(record.key)
  const end = { retryMs: settings.intervalMs, next, isJittered: true, hasFailed: false }
  controller.ended(state, record, end, io)
}

interface Failure {
  readonly reason?: string
  readonly message: string
  readonly conditions?: readonly Condition[]
  readonly inventory?: readonly Entry[]
}

/** A refused apply tells what earlier stages have changed already. */
export function refuse(
  controller: Controller,
  state: State,
  record: Record,
  { message }: { readonly message: string },
  io: Io<Wake>,
): void {
  const log = changeLog(record.run?.done ?? [])
  const failure = { reason: 'ReconciliationFailed', message: `${message}\n${log}` }
  fail(controller, state, record, failure, io)
}

export function fail(
  controller: Controller,
  state: State,
  record: Record,
  { reason = 'ReconciliationFailed', message, conditions = [], inventory }: Failure,
  io: Io<Wake>,
): void {
  const run = record.run as Run
  const object = kustomizationOf(record, io)
  if (object === undefined) return abandon(controller, state, record, io)
  const settings = settingsOf(object)
  const doing = reason === 'HealthCheckFailed' ? 'Running health checks' : 'Detecting drift'
  const retrying: Condition = {
    ...progress(doing, run.revision, settings),
    reason: 'ProgressingWithRetry',
  }
  const fields = {
    lastAttemptedRevision: run.revision,
    ...observed(object),
    ...(inventory === undefined ? {} : inventoryField(inventory)),
  }
  const all = [notReady(reason, message), retrying, ...conditions]
  writeStatus(object, { conditions: all, fields }, io)
  io.event(object, 'Warning', reason, message)
  const next = retryOf(settings.retryMs ?? 0, message)
  const end = { retryMs: settings.retryMs, next, isJittered: false, hasFailed: true }
  controller.ended(state, record, end, io)
}

/** Nothing brings the next reconcile but a trigger. */
export const OVER: End = {
  retryMs: undefined,
  next: { kind: 'interval', words: 'its interval was over' },
  isJittered: false,
  hasFailed: false,
}

/** The Kustomization has gone meanwhile. */
export function abandon(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  controller.ended(state, record, OVER, io)
}

function observed(object: KubeObject): JsonObject {
  const asked = stringAt(object, ['metadata', 'annotations', 'reconcile.fluxcd.io/requestedAt'])
  return asked === undefined ? {} : { lastHandledReconcileAt: asked }
}

export function notReady(reason: string, message: string): Condition {
  return { type: 'Ready', status: 'False', reason, message }
}

export function progress(what: string, revision: string, { timeoutMs }: Settings): Condition {
  const message = `${what} for revision ${revision} with a timeout of ${goDuration(timeoutMs)}`
  return { type: 'Reconciling', status: 'True', reason: 'Progressing', message }
}

export function changeLog(changes: readonly Change[]): string {
  return changes
    .filter(({ action }) => action === 'created' || action === 'configured')
    .map(({ of, action }) => `${shown(of)} ${action}\n`)
    .join('')
}
