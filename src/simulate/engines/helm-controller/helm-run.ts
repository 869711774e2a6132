import type { WatchEvent } from '../../../cluster/api/request.ts'
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
import { failureOf } from '../helm/causes.ts'
import { shortWords } from '../words.ts'
import { retryOf, tellCause } from './causes.ts'
import { plan, put, type Context } from './context.ts'
import { activeAction, isExhausted } from './decide.ts'
import { releaseDigest } from './digest.ts'
import { retryLater, retrySoon, stall } from './endings.ts'
import { finish, letGo } from './finish.ts'
import { actionInput } from './helm-input.ts'
import { markingOf, outcomeOf } from './outcome.ts'
import { storedOf, tell } from './release.ts'
import { renderFor } from './render.ts'
import type { ActionName } from './settings.ts'
import type { Acting, Embedded, Record, Run } from './state.ts'
import { marked, unmarked, writeStatus, type NewCondition, type Status } from './status.ts'

const CANCELED = 'context canceled'
const HELM: Embedded = { version: { major: 4, minor: 2 }, hasHelm3Defaults: false }

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
  const helm = context.options.helm?.() ?? HELM
  const input = actionInput({ action, object, settings, status, chart, stored, helm })
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
  if (isNew) tellEarlyLook(context, record, progress.state)
  const isLooking = isNew && !looksEarly(context, record.key)
  const rest = progress.at - io.now
  const delay = isLooking ? Math.min(timing.firstLook, rest) : rest
  io.cancel(`action ${record.key}`)
  plan(context, 'action', record.key, Math.max(delay, 0))
}

/** Whether the first look comes before a new Job has started: a race (trace 100). */
function looksEarly({ timing, io }: Context, key: string): boolean {
  if (timing.looksEarly !== undefined) return timing.looksEarly(key, io.now)
  return timing.earlyLooks > 0 && io.chance.next() < timing.earlyLooks
}

/** Idealised, the Job has started at the first look; what else may happen is told. */
function tellEarlyLook(context: Context, record: Record, { stages: [stage] }: ActionState): void {
  if (context.timing.earlyLooks > 0 || stage?.do !== 'wait' || stage.wait?.withJobs !== false)
    return
  const jobs = stage.wait.targets.filter(({ object }) => object['kind'] === 'Job')
  for (const { watched } of jobs) {
    const object = `Job ${watched.namespace ?? ''}/${watched.name}`
    const data = { race: EARLY_LOOK }
    tellCause(context, record, { rule: 'R-3', effect: 'waited for Job to start', object, data })
  }
}

const EARLY_LOOK =
  'in one of 8 recordings the first look came before the Job had started: then the action goes on ' +
  '5 s later'

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
  if (error !== undefined) {
    const effect = failureOf(acting.action, run.settings.releaseName, error)
    tellCause(context, record, { rule: 'R-7', effect })
  }
  const failure = error === undefined ? {} : { lastError: shortWords(error) }
  const next: Run = { ...rest, status, ...failure, done: [...run.done, acting.type] }
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
  const because = retryOf(`its ${run.status.lastAttemptedReleaseAction} failed`, error)
  finish(context, record, { ...run, status }, { kind: 'error', because })
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

function uninstalledFor(
  context: Context,
  record: Record,
  run: Run,
  goal: NonNullable<Acting['goal']>,
  error: string | undefined,
): void {
  if (error !== undefined) {
    const because = retryOf('its uninstall failed', error)
    return finish(context, record, run, { kind: 'error', because })
  }
  const status: Status = { ...run.status, history: [], storageNamespace: '' }
  writeStatus(record, status, context.io)
  if (goal === 'new-target') {
    const cleared = { ...status, failures: 0, installFailures: 0, upgradeFailures: 0 }
    const because = { kind: 'revision', words: 'it names another release now' } as const
    return finish(context, record, { ...run, status: cleared }, { kind: 'requeue', because })
  }
  letGo(context, run.object)
  finish(context, record, { ...run, status }, { kind: 'nothing' })
}
