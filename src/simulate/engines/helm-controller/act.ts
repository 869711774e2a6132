import { goDuration } from '../kustomize-controller/settings.ts'
import {
  noticeAction,
  resumeAction,
  startAction,
  type ActionPorts,
  type ActionState,
  type Progress,
  type Release,
} from '../helm/action.ts'
import { historyOf, lastOf, store } from '../helm/storage.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { choose, type Act, type Choice, type Event } from './choose.ts'
import { plan, put, type Context } from './context.ts'
import { activeAction, determine, isExhausted } from './decide.ts'
import { releaseDigest, snapshotOfRelease } from './digest.ts'
import { correct, driftOf } from './drift.ts'
import { finish, letGo } from './finish.ts'
import { actionInput } from './helm-input.ts'
import { recorded } from './history.ts'
import { markingOf, nameOf, outcomeOf, summed } from './outcome.ts'
import { renderFor } from './render.ts'
import { timeoutMsOf, type ActionName } from './settings.ts'
import type { Acting, Record, Result, Run } from './state.ts'
import { marked, unmarked, writeStatus, type NewCondition, type Status } from './status.ts'
import { watchAll } from './watch.ts'

const CANCELED = 'context canceled'

/** Looks at the release and does the next thing, or ends. */
export function decide(context: Context, record: Record): void {
  const { run } = record
  if (run?.chart === undefined) return
  const { io, kindOf } = context
  const { object, settings, status, chart } = run
  const stored = storedOf(context, run)
  const state = determine({
    object,
    settings,
    status,
    chart,
    last: lastOf(stored),
    drift: (release) =>
      driftOf({ release, objects: release.manifest, ignore: settings.drift.ignore, kindOf }, io),
  })
  const choice = choose({
    object,
    settings,
    status,
    state,
    stored,
    last: lastOf(stored),
    now: io.now,
  })
  tell(context, run, eventOf(choice))
  const next: Run = { ...run, status: choice.status }
  switch (choice.kind) {
    case 'nothing':
      return settle(context, record, next, lastOf(stored))
    case 'error':
      return finish(context, record, next, { kind: 'error' })
    case 'stalled': {
      const { reason, message } = choice
      return stall(context, record, next, { reason, message })
    }
    case 'act':
      return run.done.includes(choice.act.type)
        ? pause(context, record, next)
        : perform(context, record, next, choice.act)
  }
}

function eventOf(choice: Choice): Event | undefined {
  return 'event' in choice ? choice.event : undefined
}

function storedOf({ io }: Context, { status, settings }: Run): readonly Release[] {
  const [current] = status.history
  const { name, namespace } = current ?? {
    name: settings.releaseName,
    namespace: settings.releaseNamespace,
  }
  return historyOf(io, namespace, name)
}

function tell({ io }: Context, { object }: Run, event: Event | undefined): void {
  if (event === undefined) return
  io.event(object, event.type, event.reason, event.message)
}

/** In sync, or drifted and only told: until the next interval. */
function settle(context: Context, record: Record, run: Run, release: Release | undefined): void {
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
function stall(
  context: Context,
  record: Record,
  run: Run,
  { reason, message }: { readonly reason: string; readonly message: string },
): void {
  const condition: NewCondition = { type: 'Stalled', status: 'True', reason, message }
  const status = marked(run.status, condition, markingOf(run, context.io.now))
  const stalled: Run = { ...run, status }
  context.io.cause({
    at: context.io.now,
    actor: 'helm-controller',
    rule: 'R-7',
    effect: `stalled HelmRelease: ${message}`,
    object: record.key,
  })
  if (run.isCanceled) return canceled(context, record, stalled)
  finish(context, record, stalled, { kind: 'terminal' })
}

/** The action has been done in this reconcile already. */
function pause(context: Context, record: Record, run: Run): void {
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
function retryLater(context: Context, record: Record, run: Run, ms: number): void {
  const message = `retrying after ${goDuration(ms)}`
  const status = withRetry(run, message, context.io.now)
  if (run.isCanceled) return canceled(context, record, { ...run, status })
  finish(context, record, { ...run, status }, { kind: 'after', ms, isJittered: true })
}

function retrySoon(context: Context, record: Record, run: Run): void {
  const message = run.status.conditions.find(({ type }) => type === 'Ready')?.message ?? ''
  const status = withRetry(run, message, context.io.now)
  if (run.isCanceled) return canceled(context, record, { ...run, status })
  finish(context, record, { ...run, status }, { kind: 'requeue' })
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

function perform(context: Context, record: Record, run: Run, act: Act): void {
  const { io } = context
  const status = announced(run, act, io.now)
  writeStatus(record, status, io)
  const next: Run = { ...run, status }
  if (act.type === 'unlock') return unlock(context, record, next)
  if (act.type === 'drift') return correctDrift(context, record, next, act)
  begin(context, record, next, act)
}

function announced(run: Run, act: Act, now: number): Status {
  const timeout = timeoutMsOf(run.object, timeoutOwner(act))
  const message = `Running '${act.name}' action with timeout of ${goDuration(timeout)}`
  const marking = markingOf(run, now)
  const reason = 'Progressing'
  const reconciling: NewCondition = { type: 'Reconciling', status: 'True', reason, message }
  const status = marked(run.status, reconciling, marking)
  if (act.type !== 'release') return status
  return marked(status, { type: 'Ready', status: 'Unknown', reason, message }, marking)
}

function timeoutOwner(act: Act): ActionName | undefined {
  return act.type === 'unlock' || act.type === 'drift' ? undefined : act.name
}

/** a release whose client died is marked as failed; what comes then is decided anew. */
function unlock(context: Context, record: Record, run: Run): void {
  const { io, timing } = context
  const last = lastOf(storedOf(context, run))
  let { status } = run
  if (last?.status.startsWith('pending-') === true) {
    const description = `Release unlocked from stale '${last.status}' state`
    const failed: Release = { ...last, status: 'failed', description }
    store(io, failed)
    const known = status.history.some(({ version }) => version === last.version)
    const snapshot = snapshotOfRelease(failed, status.history[0]?.ociDigest ?? '')
    if (known) status = { ...status, history: recorded(status.history, [snapshot]) }
    const seen = nameOf(snapshotOfRelease(last, ''))
    const message = `Unlocked Helm release ${seen} in ${last.status} state`
    const reason = 'PendingRelease'
    const marking = markingOf(run, io.now)
    status = marked(status, { type: 'Released', status: 'False', reason, message }, marking)
    tell(context, run, { type: 'Normal', reason, message })
    const cause = { rule: 'R-10', effect: `unlocked release ${last.name}`, object: record.key }
    io.cause({ at: io.now, actor: 'helm-controller', ...cause })
  }
  status = summed(status, run, io.now)
  writeStatus(record, status, io)
  put(context, record, { run: { ...run, status, done: [...run.done, 'unlock'] } })
  plan(context, 'decide', record.key, timing.begin)
}

function correctDrift(
  context: Context,
  record: Record,
  run: Run,
  { differences }: Extract<Act, { type: 'drift' }>,
): void {
  const { io, kindOf, timing } = context
  const reason = 'Progressing'
  const message = 'correcting cluster drift'
  const condition: NewCondition = { type: 'Ready', status: 'Unknown', reason, message }
  const status = marked(run.status, condition, markingOf(run, io.now))
  const { done, errors } = correct(differences, kindOf, io)
  const [current] = run.status.history
  const name =
    current === undefined ? '' : `${current.namespace}/${current.name}.v${current.version}`
  if (errors.length > 0) {
    const part = done.length > 0 ? 'partially ' : ''
    const good = done.length > 0 ? `\n\nSuccessful corrections:\n${done.join('\n')}` : ''
    const words = `Failed to ${part}correct cluster state of release ${name}:\n${errors.join('\n')}${good}`
    tell(context, run, { type: 'Warning', reason: 'DriftCorrectionFailed', message: words })
  } else if (done.length > 0) {
    const words = `Cluster state of release ${name} has been corrected:\n${done.join('\n')}`
    tell(context, run, { type: 'Normal', reason: 'DriftCorrected', message: words })
  }
  for (const effect of done) {
    io.cause({ at: io.now, actor: 'helm-controller', rule: 'R-5', effect, object: record.key })
  }
  writeStatus(record, status, io)
  const next: Run = { ...run, status, hasCorrected: true, done: [...run.done, 'drift'] }
  put(context, record, { run: next })
  plan(context, 'decide', record.key, timing.begin)
}

/** A Helm action is about to begin. */
export function begin(
  context: Context,
  record: Record,
  run: Run,
  act: { readonly type: Acting['type']; readonly name: ActionName },
  goal?: Acting['goal'],
): void {
  const { io, timing } = context
  const isRelease = act.name === 'install' || act.name === 'upgrade'
  const base = isRelease ? attempting(run.status, act.name) : run.status
  const stored = storedOf(context, { ...run, status: base })
  const before = Object.fromEntries(
    stored.map((release) => [String(release.version), releaseDigest(release)]),
  )
  const acting: Acting = {
    action: act.name,
    type: act.type,
    before,
    ...(goal === undefined ? {} : { goal }),
  }
  put(context, record, { run: { ...run, status: base, acting } })
  const usual = isRelease ? timing.render : timing.begin
  const late = timing.late?.(record.key, io.now + usual, act.name) ?? 0
  plan(context, 'begin', record.key, usual + late)
}

/** None of the earlier outcomes applies; an install forgets the history. */
function attempting(status: Status, action: ActionName): Status {
  const fresh = unmarked(status, 'TestSuccess', 'Remediated')
  return action === 'install'
    ? { ...fresh, lastAttemptedReleaseAction: 'install', history: [] }
    : { ...fresh, lastAttemptedReleaseAction: 'upgrade' }
}

/** The first request of the action. */
export function beginAction(context: Context, record: Record): void {
  const { run } = record
  if (run?.acting === undefined) return
  const { object, settings, status, chart, acting } = run
  const stored = storedOf(context, run)
  const { action } = acting
  const input = actionInput({ action, object, settings, status, chart, stored })
  const cause = { rule: 'R-1', effect: `${action} of release ${input.release}`, object: record.key }
  context.io.cause({ at: context.io.now, actor: 'helm-controller', ...cause })
  goOn(context, record, run, startAction(input, context.io, portsOf(context, run)))
}

export function resume(context: Context, record: Record): void {
  const { run } = record
  const waiting = run?.acting?.waiting
  if (run === undefined || waiting === undefined) return
  goOn(context, record, run, resumeAction(waiting.state, context.io, portsOf(context, run)))
}

function portsOf({ kindOf, options }: Context, { object }: Run): ActionPorts {
  const { fullParser } = options
  return { kindOf, render: (chart, release) => renderFor(object, chart, release, fullParser) }
}

function goOn(context: Context, record: Record, run: Run, progress: Progress): void {
  const { acting } = run
  if (acting === undefined) return
  const { io, timing, options } = context
  const isCancelled = options.cancelsHealthChecks === true && record.again
  if (progress.kind === 'ended') {
    const hasWaited = acting.waiting?.state.stages.some((stage) => stage.do === 'wait') === true
    if (progress.error === undefined && isCancelled && hasWaited) {
      return cancel(context, record, progress.release)
    }
    return ended(context, record, run, progress.error)
  }
  const isNew =
    isPlainWait(progress.state) && stepOf(progress.state) !== stepOf(acting.waiting?.state)
  const next: Run = { ...run, acting: { ...acting, waiting: progress } }
  const waitingRecord = put(context, record, { run: next })
  if (isCancelled && isPlainWait(progress.state)) return cancel(context, waitingRecord)
  const delay = isNew ? Math.min(timing.firstLook, progress.at - io.now) : progress.at - io.now
  io.cancel(`action ${record.key}`)
  plan(context, 'action', record.key, Math.max(delay, 0))
}

/** Where an action stands, as far as a new wait begins with it. */
function stepOf(state: ActionState | undefined): string {
  const [stage] = state?.stages ?? []
  if (stage === undefined) return ''
  const hooks = stage.do === 'hooks' ? stage.hooks : undefined
  return `${state?.stages.length ?? 0} ${stage.do} ${hooks?.at ?? ''} ${hooks?.step ?? ''}`
}

function isPlainWait(state: ActionState): boolean {
  return state.stages[0]?.do === 'wait'
}

/** What watches see of an action; a poller sees nothing. */
export function notice(context: Context, event: WatchEvent): void {
  for (const record of context.state.records.values()) {
    const { run } = record
    const waiting = run?.acting?.waiting
    if (run?.acting === undefined || waiting === undefined || waiting.watches.length === 0) continue
    const { state, isSettled } = noticeAction(waiting.state, event, context.io.now)
    if (state === waiting.state) continue
    const acting = { ...run.acting, waiting: { ...waiting, state } }
    put(context, record, { run: { ...run, acting } })
    if (isSettled) plan(context, 'action', record.key, 0)
  }
}

/** Trace 060: a new revision ends the wait for plain objects, never one for a hook. */
export function cancelForNew(context: Context, record: Record): void {
  const state = record.run?.acting?.waiting?.state
  if (context.options.cancelsHealthChecks !== true || state === undefined) return
  if (isPlainWait(state)) cancel(context, record)
}

/** `deployed`: the wait had begun with nothing left to wait for, and fails all the same. */
function cancel(context: Context, record: Record, deployed?: Release): void {
  const { run } = record
  if (run === undefined) return
  context.io.cancel(`action ${record.key}`)
  markFailed(context, run, deployed)
  ended(context, record, { ...run, isCanceled: true }, CANCELED)
}

function markFailed({ io }: Context, run: Run, deployed?: Release): void {
  const release = deployed ?? run.acting?.waiting?.state.release
  if (release === undefined) return
  const stored = historyOf(io, release.namespace, release.name)
  const last = lastOf(stored)
  if (last === undefined) return
  if (deployed === undefined && !last.status.startsWith('pending-')) return
  store(io, { ...last, status: 'failed', description: CANCELED })
  // What the success of the action had superseded stays as it was.
  for (const { version, status } of run.status.history) {
    const before = stored.find((one) => one.version === version)
    if (before?.status === 'superseded' && status === 'deployed') store(io, { ...before, status })
  }
}

/**
 * SIGTERM: actions are cancelled at once, hooks too, and their releases are marked as failed; the
 * HelmRelease does not hear of it any more (trace 041).
 */
export function terminate(context: Context): void {
  for (const record of context.state.records.values()) {
    const { run } = record
    const action = run?.acting?.action
    if (run === undefined || (action !== 'install' && action !== 'upgrade')) continue
    markFailed(context, run)
    const { acting } = run
    if (acting === undefined) continue
    const stored = storedOf(context, run)
    const { event } = outcomeOf({ run, acting, error: CANCELED, stored, now: context.io.now })
    tell(context, run, event)
  }
}

function ended(context: Context, record: Record, run: Run, error: string | undefined): void {
  const { io } = context
  const { acting } = run
  if (acting === undefined) return
  const { acting: _, ...rest } = run
  const stored = storedOf(context, run)
  const { status, event, isError } = outcomeOf({ run, acting, error, stored, now: io.now })
  tell(context, run, event)
  const next: Run = { ...rest, status, done: [...run.done, acting.type] }
  put(context, record, { run: next })
  if (acting.goal !== undefined) return uninstalledFor(context, record, next, acting.goal, error)
  if (isError) return failedWithoutTrace(context, record, next, error ?? '')
  if (acting.type === 'remediate') return afterRemediation(context, record, next)
  writeStatus(record, status, io)
  plan(context, 'decide', record.key, context.timing.settle)
}

/** Trace 062, 073: such a failure does not count as one. */
function failedWithoutTrace(context: Context, record: Record, run: Run, error: string): void {
  const retry = activeAction(run)?.retryMs
  if (retry !== undefined) return retryLater(context, record, run, retry)
  const ready = run.status.conditions.find(({ type }) => type === 'Ready')
  const reason = 'ReconcileError'
  const condition: NewCondition = { type: 'Ready', status: 'False', reason, message: error }
  const status =
    ready?.status === 'True'
      ? marked(run.status, condition, markingOf(run, context.io.now))
      : run.status
  finish(context, record, { ...run, status }, { kind: 'error' })
}

/** the next attempt, or the end of attempts. */
function afterRemediation(context: Context, record: Record, run: Run): void {
  const active = activeAction(run)
  if (active?.retryMs !== undefined) return retryLater(context, record, run, active.retryMs)
  const last = run.status.lastAttemptedReleaseAction
  const isAfterUpgrade = last === 'upgrade' && active?.strategy === 'uninstall'
  if (last === '' || !isExhausted(last, run) || isAfterUpgrade) {
    return retrySoon(context, record, { ...run, isStale: true })
  }
  const count = last === 'install' ? run.status.installFailures : run.status.upgradeFailures
  const message = `Failed to ${last} after ${count} attempt(s)`
  stall(context, record, run, { reason: 'RetriesExceeded', message })
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
  finish(context, record, { ...run, status, isStale: true }, { kind: 'requeue' })
}

function uninstalledFor(
  context: Context,
  record: Record,
  run: Run,
  goal: NonNullable<Acting['goal']>,
  error: string | undefined,
): void {
  if (error !== undefined) return finish(context, record, run, { kind: 'error' })
  const status: Status = { ...run.status, history: [], storageNamespace: '' }
  writeStatus(record, status, context.io)
  if (goal === 'new-target') {
    const cleared = { ...status, failures: 0, installFailures: 0, upgradeFailures: 0 }
    return finish(context, record, { ...run, status: cleared }, { kind: 'requeue' })
  }
  letGo(context, run.object)
  finish(context, record, { ...run, status }, { kind: 'nothing' })
}
