import { inventoryField } from '../kustomize-controller/status.ts'
import { listAt, stringAt } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { collect, inventoryOf } from './apply.ts'
import {
  carrierOf,
  DEPENDENCY,
  intervalOver,
  retryAfter,
  STARTED,
  tell,
  type Round,
} from './causes.ts'
import { shortWords } from '../words.ts'
import { blockedBy } from './dependencies.ts'
import { SETS } from './kinds.ts'
import { prepare, watchKeysOf } from './prepare.ts'
import { after, forget, goAt, leave, put, rest, type Operator } from './schedule.ts'
import { settingsOf, type Settings } from './settings.ts'
import type { Record, Run, State, Wake } from './state.ts'
import {
  hasFinalizer,
  historyField,
  progressing,
  retrying,
  stalled,
  succeededIn,
  writeFinalizer,
  writeStatus,
} from './status.ts'
import { firstStep, inventoryOfRun, walk, type Outcome } from './steps.ts'

const DEPENDENCY_MS = 5000

/** The reconcile of a set begins; what takes no time ends here. */
export function start(operator: Operator, state: State, given: Record, io: Io<Wake>): void {
  const { idle: _ticked, due, asked, ...record } = given
  const because = asked ?? due ?? STARTED
  const set = io.read.get(SETS, record.namespace, record.name)
  if (set === undefined) return forget(state, record, io)
  if (set.metadata.deletionTimestamp !== undefined) {
    uninstall(operator, set, roundOf(record, { trigger: because, isTold: false }), io)
    return put(state, record)
  }
  if (!hasFinalizer(set)) {
    // O-2: a requeue that the rate limiter counts as a failure, as recorded.
    writeFinalizer(SETS, set, true, io)
    writeStatus(SETS, set, { conditions: progressing() }, io)
    return after(operator, state, record, { kind: 'retry', because }, io)
  }
  const settings = settingsOf(set)
  if (settings.isDisabled) return after(operator, state, record, { kind: 'nothing' }, io)
  if (isBlocked(operator, state, record, { set, settings }, io)) return undefined
  writeStatus(SETS, set, { conditions: progressing() }, io)
  state.running += 1
  put(state, { ...record, run: beginning(because, io) })
  return goAt(record.key, io.now + operator.timing.build, io)
}

/** O-12: looked at each 5 s, which can differ only when a dependency has changed. */
function isBlocked(
  operator: Operator,
  state: State,
  record: Record,
  { set, settings }: { set: KubeObject; settings: Settings },
  io: Io<Wake>,
): boolean {
  const { find, options } = operator
  const world = { read: io.read, find, cel: options.cel, now: io.now }
  const blocked = blockedBy(settings.dependsOn, world)
  if (blocked === undefined) return false
  const message = `Retrying dependency check: ${blocked}`
  writeStatus(SETS, set, { conditions: retrying('DependencyNotReady', message) }, io)
  const watched = watchKeysOf(settings.dependsOn, find, io)
  const then = { everyMs: DEPENDENCY_MS, costMs: 0, isJittered: false }
  rest(state, { ...record, watched }, { from: io.now, ...then, because: DEPENDENCY })
  return true
}

/** Deletes what it applied; a paused set leaves everything (O-3). */
function uninstall({ find }: Operator, set: KubeObject, round: Round, io: Io<Wake>): void {
  const entries = settingsOf(set).isDisabled ? [] : inventoryOf(set)
  collect(entries, { set, find, round, rule: 'O-3' }, io)
  writeFinalizer(SETS, set, false, io)
}

/** What was planned for a reconcile under way. */
export function goOn(operator: Operator, state: State, record: Record, io: Io<Wake>): void {
  const { run } = record
  if (run === undefined) return undefined
  const set = io.read.get(SETS, record.namespace, record.name)
  if (set === undefined) return forget(state, leave(state, record), io)
  const round = roundOf(record, run)
  const settling = { operator, set, settings: settingsOf(set), round, io }
  const walking = { ...settling, ...operator }
  if (run.phase !== 'begin') return settle(state, record, walk(run, walking), settling)
  const prepared = prepare(operator, set, run, io)
  if ('fault' in prepared) {
    writeStatus(SETS, set, { conditions: stalled('BuildFailed', prepared.fault) }, io)
    tell(round, { rule: 'O-2', effect: `stalled: ${shortWords(prepared.fault)}` }, io)
    return after(operator, state, leave(state, record), { kind: 'terminal' }, io)
  }
  const { run: begun, external, watched, refused } = prepared
  const outcome: Outcome =
    refused === undefined
      ? firstStep(begun, walking)
      : { kind: 'failed', run: begun, message: refused }
  return settle(state, { ...record, external, watched }, outcome, settling)
}

interface Settling {
  readonly operator: Operator
  readonly set: KubeObject
  readonly settings: Settings
  readonly round: Round
  readonly io: Io<Wake>
}

function settle(state: State, record: Record, outcome: Outcome, settling: Settling): void {
  const { operator, set, settings, round, io } = settling
  if (outcome.kind === 'wait') {
    put(state, { ...record, run: { ...outcome.run, isTold: round.isTold } })
    return goAt(record.key, outcome.at, io)
  }
  const { run } = outcome
  const live = io.read.get(SETS, record.namespace, record.name) ?? set
  const left = leave(state, record)
  if (outcome.kind === 'failed') {
    writeFailure(live, run, outcome.message, io)
    tell(round, { rule: 'O-2', effect: `failed: ${shortWords(outcome.message)}` }, io)
    const because = retryAfter(outcome.message)
    return after(operator, state, left, { kind: 'retry', because }, io)
  }
  writeSuccess(live, run, io)
  const isQuiet = !run.hasChanged && operator.options.skipsIdle !== false && !left.again
  if (!isQuiet) {
    return after(operator, state, left, { kind: 'interval', ms: settings.intervalMs }, io)
  }
  const costMs = io.now - run.startedAt
  const everyMs = settings.intervalMs
  const because = intervalOver(everyMs)
  return rest(state, left, { from: io.now, everyMs, costMs, isJittered: true, because })
}

function writeFailure(set: KubeObject, run: Run, text: string, io: Io<Wake>): void {
  const { digest, startedAt } = run
  const status = 'ReconciliationFailed'
  const history = historyField(set, { digest, startedAt, status }, io.now)
  const fields = { ...history, ...inventoryField(inventoryOfRun(run)) }
  const conditions = retrying(status, `reconciliation failed: ${text}`, progressOf(set))
  writeStatus(SETS, set, { conditions, fields }, io)
}

function writeSuccess(set: KubeObject, run: Run, io: Io<Wake>): void {
  const { digest, startedAt, applied } = run
  const history = historyField(
    set,
    { digest, startedAt, status: 'ReconciliationSucceeded' },
    io.now,
  )
  const fields = { ...history, ...inventoryField(applied), lastAppliedRevision: digest }
  writeStatus(SETS, set, { conditions: succeededIn(io.now - startedAt), fields }, io)
}

/** What the Reconciling condition says: which step was being applied. */
function progressOf(set: KubeObject): string | undefined {
  const conditions = listAt(set, ['status', 'conditions'])
  const reconciling = conditions.find((one) => stringAt(one, ['type']) === 'Reconciling')
  return stringAt(reconciling, ['message'])
}

/** A new event ends a wait for health; while anything else is under way it comes after it (O-14). */
export function interrupt(
  operator: Operator,
  state: State,
  record: Record,
  by: string,
  io: Io<Wake>,
): void {
  const set = io.read.get(SETS, record.namespace, record.name)
  const phase = record.run?.phase
  if (set === undefined || (phase !== 'health' && phase !== 'final')) {
    return put(state, { ...record, again: true })
  }
  const message = `New reconciliation triggered by ${by}`
  const conditions = retrying('HealthCheckCanceled', message, progressOf(set))
  writeStatus(SETS, set, { conditions }, io)
  io.cancel(`go ${record.key}`)
  return after(operator, state, leave(state, record), { kind: 'now' }, io)
}

function roundOf(record: Record, { trigger, isTold }: Pick<Run, 'trigger' | 'isTold'>): Round {
  return { carrier: carrierOf(record), trigger, isTold }
}

function beginning(trigger: Trigger, io: Io<Wake>): Run {
  return {
    startedAt: io.now,
    trigger,
    isTold: false,
    phase: 'begin',
    steps: [],
    step: 0,
    stage: 0,
    digest: '',
    old: [],
    applied: [],
    hasChanged: false,
  }
}
