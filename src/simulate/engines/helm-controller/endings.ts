import { goDuration } from '../kustomize-controller/settings.ts'
import type { Release } from '../helm/contract.ts'
import { retryOf, tellCause } from './causes.ts'
import type { Context } from './context.ts'
import { activeAction, isExhausted } from './decide.ts'
import { finish } from './finish.ts'
import { markingOf, summed } from './outcome.ts'
import { tell } from './release.ts'
import type { Record, Result, Run } from './state.ts'
import {
  conditionIn,
  marked,
  statusOf,
  unmarked,
  type NewCondition,
  type Status,
} from './status.ts'
import { watchAll } from './watch.ts'

/** In sync, or drifted and only told: until the next interval. */
export function settle(
  context: Context,
  record: Record,
  run: Run,
  release: Release | undefined,
): void {
  const { settings, object } = run
  const status = summed(unmarked(run.status, 'Reconciling'), run, context.io.now)
  const watching = watchAll(context, record, { settings, release, object })
  // R-5, `warn`: each interval tells it again.
  const isDrifted = status.conditions.some((one) => one.type === 'Drifted' && one.status === 'True')
  const result: Result =
    settings.intervalMs === undefined
      ? { kind: 'nothing' }
      : {
          kind: 'after',
          ms: settings.intervalMs,
          isJittered: true,
          isTick: true,
          isWatching: !isDrifted,
        }
  finish(context, watching, { ...run, status }, result)
}

/** a terminal error; neither interval nor drift detection go on. */
export function stall(
  context: Context,
  record: Record,
  run: Run,
  { reason, message }: { readonly reason: string; readonly message: string },
): void {
  const condition: NewCondition = { type: 'Stalled', status: 'True', reason, message }
  const status = marked(run.status, condition, markingOf(run, context.io.now))
  const stalled: Run = { ...run, status }
  // Once: a controller that starts finds it so again.
  if (conditionIn(statusOf(run.object), 'Stalled')?.message !== message) {
    tellCause(context, record, { rule: 'R-7', effect: `stalled HelmRelease: ${message}` })
  }
  if (run.isCanceled) return canceled(context, record, stalled)
  finish(context, record, stalled, { kind: 'terminal' })
}

/** The action has been done in this reconcile already. */
export function pause(context: Context, record: Record, run: Run): void {
  const retry = activeAction(run)?.retryMs
  if (retry !== undefined) return retryLater(context, record, run, retry)
  const last = run.status.lastAttemptedReleaseAction
  if (last === '' || !isExhausted(last, run)) return retrySoon(context, record, run)
  const status = unmarked(run.status, 'Reconciling')
  const ms = run.settings.intervalMs
  const result: Result =
    ms === undefined ? { kind: 'nothing' } : { kind: 'after', ms, isJittered: true }
  finish(context, record, { ...run, status }, result)
}

/** counted from the end of the attempt. */
export function retryLater(context: Context, record: Record, run: Run, ms: number): void {
  const message = `retrying after ${goDuration(ms)}`
  const status = withRetry(run, message, context.io.now)
  if (run.isCanceled) return canceled(context, record, { ...run, status })
  const last = run.status.lastAttemptedReleaseAction
  const words = `its ${last} had failed and its retry interval of ${goDuration(ms)} was over`
  const because = { kind: 'retry', words } as const
  finish(context, record, { ...run, status }, { kind: 'after', ms, isJittered: true, because })
}

export function retrySoon(context: Context, record: Record, run: Run): void {
  const message = run.status.conditions.find(({ type }) => type === 'Ready')?.message ?? ''
  const status = withRetry(run, message, context.io.now)
  if (run.isCanceled) return canceled(context, record, { ...run, status })
  const because = retryOf(`its ${run.status.lastAttemptedReleaseAction} failed`, run.lastError)
  finish(context, record, { ...run, status }, { kind: 'requeue', because })
}

function withRetry(run: Run, message: string, now: number): Status {
  const condition: NewCondition = {
    type: 'Reconciling',
    status: 'True',
    reason: 'ProgressingWithRetry',
    message,
  }
  return marked(run.status, condition, markingOf(run, now))
}

function canceled(context: Context, record: Record, run: Run): void {
  const { io } = context
  const place = `HelmRelease/${record.namespace}/${record.name}`
  const reason = 'HealthCheckCanceled'
  const message = `New reconciliation triggered by ${place}`
  const condition: NewCondition = { type: 'Ready', status: 'False', reason, message }
  const status = marked(run.status, condition, markingOf(run, io.now))
  const words = `Health checks canceled due to new reconciliation triggered by ${place}`
  tell(context, run, { type: 'Normal', reason, message: words })
  const because = retryOf('its wait was ended by something new', undefined)
  finish(context, record, { ...run, status, isStale: true }, { kind: 'requeue', because })
}
