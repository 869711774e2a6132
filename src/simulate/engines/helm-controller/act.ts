import { goDuration } from '../kustomize-controller/settings.ts'
import type { Release } from '../helm/contract.ts'
import { lastOf, store } from '../helm/storage.ts'
import { shortWords } from '../words.ts'
import { carrierOf, foundWords, opened, retryOf, tellAct, tellCause } from './causes.ts'
import { choose, type Act, type Choice, type Event } from './choose.ts'
import { plan, put, type Context } from './context.ts'
import { determine, type ReleaseState } from './decide.ts'
import { snapshotOfRelease } from './digest.ts'
import { correct, driftOf } from './drift.ts'
import { pause, settle, stall } from './endings.ts'
import { finish } from './finish.ts'
import { begin } from './helm-run.ts'
import { recorded } from './history.ts'
import { markingOf, nameOf, summed } from './outcome.ts'
import { storedOf, tell } from './release.ts'
import { timeoutMsOf, type ActionName } from './settings.ts'
import type { Record, Run } from './state.ts'
import {
  conditionIn,
  marked,
  statusOf,
  writeStatus,
  type NewCondition,
  type Status,
} from './status.ts'

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
      return settle(context, record, toldDrift(context, record, next, state), lastOf(stored))
    case 'error':
      return unknown(context, record, next, state)
    case 'stalled': {
      const { reason, message } = choice
      return stall(context, record, next, { reason, message })
    }
    case 'act':
      return run.done.includes(choice.act.type)
        ? pause(context, record, next)
        : perform(context, record, next, choice.act, state)
  }
}

/** R-5, `warn`: told when it is new, although each interval finds it again. */
function toldDrift(context: Context, record: Record, run: Run, state: ReleaseState): Run {
  const isKnown = conditionIn(statusOf(run.object), 'Drifted')?.status === 'True'
  if (state.is !== 'Drifted' || isKnown) return run
  const told = opened(context, record, run)
  const effect = `${foundWords(state.differences)}, and left it so`
  tellCause(context, record, { rule: 'R-5', effect, data: { state: state.is } })
  return told
}

/** A dry run that is refused: nothing is known, so nothing is done (trace 007). */
function unknown(context: Context, record: Record, run: Run, state: ReleaseState): void {
  const told = opened(context, record, run)
  const message = state.is === 'Unknown' ? state.message : ''
  if (state.is === 'Unknown' && state.object !== undefined) {
    const effect = `refused ${state.object.split(' ')[0] ?? ''}: ${shortWords(message)}`
    tellCause(context, record, { rule: 'R-5', effect, object: state.object })
  }
  const because = retryOf('the state of the release could not be determined', message)
  finish(context, record, told, { kind: 'error', because })
}

function eventOf(choice: Choice): Event | undefined {
  return 'event' in choice ? choice.event : undefined
}

function perform(context: Context, record: Record, run: Run, act: Act, state: ReleaseState): void {
  const { io } = context
  const status = announced(run, act, io.now)
  writeStatus(record, status, io)
  const next = { ...opened(context, record, run), status }
  tellAct(context, record, next, act, state)
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
    const effect = `marked release ${last.name} as failed, which was ${last.status}`
    tellCause(context, record, { rule: 'R-10', effect })
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
  const { done, errors } = correct(differences, kindOf, carrierOf(record), io)
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
  writeStatus(record, status, io)
  const next: Run = { ...run, status, hasCorrected: true, done: [...run.done, 'drift'] }
  put(context, record, { run: next })
  plan(context, 'decide', record.key, timing.begin)
}
