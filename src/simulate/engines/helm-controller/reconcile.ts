import { isTrue } from '../../health/health.ts'
import { at } from '../../../core/json.ts'
import { conditionOf } from '../../health/health.ts'
import { begin } from './helm-run.ts'
import { opened, retryOf, tellCause } from './causes.ts'
import { REQUEUE_MS, chartOf } from './chart.ts'
import { plan, put, type Context } from './context.ts'
import { finish, letGo } from './finish.ts'
import { HELM_RELEASES } from './kinds.ts'
import { markingOf } from './outcome.ts'
import { settingsOf, type Settings } from './settings.ts'
import type { Chart, Record, Result, Run } from './state.ts'
import {
  FINALIZER,
  marked,
  statusOf,
  withoutFailures,
  writeFinalizers,
  type ConditionType,
  type NewCondition,
  type Status,
} from './status.ts'

/** Ready=False reasons that stand for a prerequisite, and go as soon as it is met. */
const STALE = ['DependencyNotReady', 'ArtifactFailed', 'SourceNotReady', 'ValuesError']

/** A worker takes a HelmRelease: everything before the state of the release is looked at. */
export function start(context: Context, record: Record): void {
  const { io, timing, options, state } = context
  const object = io.read.get(HELM_RELEASES, record.namespace, record.name)
  io.cancel(`start ${record.key}`)
  if (object === undefined) {
    state.records.delete(record.key)
    return
  }
  state.running += 1
  const settings = settingsOf(object, options.retriesByDefault === true)
  const trigger = record.asked ?? record.due ?? UNKNOWN
  const run: Run = {
    object,
    settings,
    status: statusOf(object),
    trigger,
    isTold: false,
    done: [],
    hasCorrected: false,
    isStale: false,
    isCanceled: false,
  }
  const { tick: _, due: _due, asked: _asked, ...rest } = record
  const started = { ...rest, isQueued: false, again: false, run }
  state.records.set(record.key, started)
  const end = (status: Status, result: Result): void => {
    finish(context, started, { ...run, status }, result)
  }
  if (object.metadata.deletionTimestamp !== undefined) return deleting(context, started, run)
  const finalizers = object.metadata.finalizers ?? []
  if (!finalizers.includes(FINALIZER)) {
    writeFinalizers(object, [...finalizers, FINALIZER], io)
    return end(run.status, { kind: 'requeue', because: trigger })
  }
  if (settings.isSuspended) return end(run.status, { kind: 'nothing' })
  const fulfilling = progressing(run, 'Fulfilling prerequisites', io.now)
  const blocked = blockedBy(settings, context)
  if (blocked !== undefined) {
    io.event(object, 'Normal', 'DependencyNotReady', blocked)
    const status = notReady({ ...run, status: fulfilling }, 'DependencyNotReady', blocked, io.now)
    const because = { kind: 'dependency', words: 'what it depends on became ready' } as const
    return end(status, {
      kind: 'after',
      ms: REQUEUE_MS,
      isJittered: false,
      isObserved: false,
      because,
    })
  }
  const chart = chartOf(object, settings, options, io.read)
  if ('reason' in chart) {
    const { reason, message, afterMs, isJittered = false } = chart
    if (reason === 'ValuesError') io.event(object, 'Warning', reason, message)
    const status = notReady({ ...run, status: fulfilling }, reason, message, io.now)
    const because = retryOf('the attempt before could not begin', message)
    return end(
      status,
      afterMs === undefined
        ? { kind: 'error', because }
        : { kind: 'after', ms: afterMs, isJittered, isObserved: false, because },
    )
  }
  const status = attempted({ ...run, status: fulfilling }, chart, io.now)
  const next: Run = { ...run, status, chart }
  put(context, started, { run: next })
  if (hasNewTarget(next)) {
    const moved = opened(context, started, next)
    const name = next.status.history[0]?.name ?? ''
    tellCause(context, record, { rule: 'R-1', effect: `began uninstall of release ${name}` })
    begin(context, started, moved, { type: 'release', name: 'uninstall' }, 'new-target')
    return
  }
  plan(context, 'decide', record.key, timing.prepare)
}

/** Every start is planned with a reason. */
const UNKNOWN = { kind: 'start', words: 'it was due' } as const

/** R-10 and traces 036, 094, 095: a suspended HelmRelease is let go, any other is uninstalled. */
function deleting(context: Context, record: Record, run: Run): void {
  const isInstalled = run.status.storageNamespace !== '' && run.status.history.length > 0
  if (!run.settings.isSuspended && isInstalled) {
    const told = opened(context, record, run)
    const name = run.status.history[0]?.name ?? ''
    tellCause(context, record, { rule: 'R-10', effect: `began uninstall of release ${name}` })
    begin(context, record, told, { type: 'release', name: 'uninstall' }, 'deletion')
    return
  }
  letGo(context, run.object)
  finish(context, record, run, { kind: 'nothing' })
}

/** Why a dependency does not count yet: absent, or not Ready on its own generation. */
function blockedBy({ dependsOn }: Settings, { io }: Context): string | undefined {
  for (const dependency of dependsOn) {
    const [namespace = '', name = ''] = dependency.split('/')
    const other = io.read.get(HELM_RELEASES, namespace, name)
    if (other === undefined) {
      const what = `helmreleases.helm.toolkit.fluxcd.io "${name}" not found`
      return `unable to get '${dependency}' dependency: ${what}`
    }
    const observed = at(other, ['status', 'observedGeneration'])
    const isReady = isTrue(conditionOf(other, 'Ready'))
    if (!isReady || observed !== other.metadata.generation) {
      return `dependency '${dependency}' is not ready`
    }
  }
  return undefined
}

/** failures are forgotten on a new generation, chart or values, and when asked by resetAt. */
function attempted(run: Run, chart: Chart, now: number): Status {
  const { object, status, settings } = run
  const { generation = 1, annotations = {} } = object.metadata
  const asked = annotations['reconcile.fluxcd.io/resetAt']
  const isAsked =
    asked !== undefined &&
    asked !== status.lastHandledResetAt &&
    asked === annotations['reconcile.fluxcd.io/requestedAt'] &&
    asked !== status.lastHandledReconcileAt
  const isNew =
    status.lastAttemptedGeneration !== generation ||
    status.lastAttemptedRevision !== chart.version ||
    status.lastAttemptedConfigDigest !== chart.valuesDigest
  const base = isNew || isAsked ? withoutFailures(status) : status
  return {
    ...withoutStale(base, run, now),
    storageNamespace: settings.storageNamespace,
    lastHandledResetAt: asked ?? status.lastHandledResetAt,
    lastAttemptedGeneration: generation,
    lastAttemptedRevision: chart.version,
    lastAttemptedRevisionDigest: chart.digest,
    lastAttemptedConfigDigest: chart.valuesDigest,
  }
}

function withoutStale(status: Status, run: Run, now: number): Status {
  const ready = status.conditions.find(({ type }) => type === 'Ready')
  if (ready === undefined || !STALE.includes(ready.reason)) return status
  const message = 'reconciliation in progress'
  const next: NewCondition = { type: 'Ready', status: 'Unknown', reason: 'Progressing', message }
  return marked(status, next, markingOf(run, now))
}

/** Another release name, namespace or chart: what is there is uninstalled first. */
function hasNewTarget({ status, settings, chart }: Run): boolean {
  const [current] = status.history
  if (current === undefined || chart === undefined) return false
  return (
    current.name !== settings.releaseName ||
    current.namespace !== settings.releaseNamespace ||
    current.chartName !== chart.name
  )
}

function progressing(run: Run, message: string, now: number): Status {
  return condition(run, 'Reconciling', { status: 'True', reason: 'Progressing', message }, now)
}

function notReady(run: Run, reason: string, message: string, now: number): Status {
  return condition(run, 'Ready', { status: 'False', reason, message }, now)
}

function condition(
  run: Run,
  type: ConditionType,
  rest: Omit<NewCondition, 'type'>,
  now: number,
): Status {
  return marked(run.status, { type, ...rest }, markingOf(run, now))
}
