import {
  integerAt,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { timestamp } from '../../../cluster/time.ts'
import {
  isDone,
  operationOf,
  operationStateOf,
  PROJECTS,
  readRetry,
  type App,
} from './application.ts'
import { remember } from './before.ts'
import { ENDED, operationRule, operationTrigger, retryTrigger, tellRound } from './causes.ts'
import { compare, type Comparison } from './compare.ts'
import { NAMESPACE, type Engine } from './engine.ts'
import { runPass, terminate, type PassEnd } from './pass.ts'
import { requestRefresh } from './refresh.ts'
import { LATEST } from './state.ts'
import { hasNames } from './apply.ts'
import { keyOf } from './tracking.ts'
import { tasksOf } from './tasks.ts'
import { isBlocked } from './windows.ts'
import { change } from './write.ts'

/** Begins, goes on with, or retries the operation that the Application asks for. */
export function operate(engine: Engine, name: string): void {
  const memory = engine.app(name)
  const app = engine.stored(name)
  if (app === undefined || app.isSkipped) return
  const operation = operationOf(app.object)
  if (operation === undefined || memory.pass !== undefined) return
  const state = operationStateOf(app.object)
  const isNew = state === undefined || isDone(state) || !isOf(state, operation)
  if (isNew) return begin(engine, app, operation)
  if (stringAt(state, ['phase']) === 'Terminating') return abort(engine, app, operation, state)
  if (stringAt(state, ['finishedAt']) !== undefined) return retry(engine, app, operation, state)
  pass(engine, app, operation, state)
}

/** A finished state may be followed by another operation that is the same word for word. */
function isOf(state: JsonObject, operation: JsonObject): boolean {
  return JSON.stringify(state['operation']) === JSON.stringify(operation)
}

function begin(engine: Engine, app: App, operation: JsonObject): void {
  const state = { phase: 'Running', operation, startedAt: timestamp(engine.io.now) }
  const memory = engine.app(app.name)
  const trigger = memory.begins ?? operationTrigger(operation)
  memory.begins = undefined
  const revision = stringAt(operation, ['sync', 'revision'])
  const data = revision === undefined ? {} : { revision }
  const rule = operationRule(operation)
  tellRound(engine.io, app.name, { rule, effect: 'synced', trigger, data })
  writeState(engine, app.name, state)
  remember(engine, app)
}

function pass(engine: Engine, app: App, operation: JsonObject, state: JsonObject): void {
  const { io } = engine
  const memory = engine.app(app.name)
  const project = io.read.get(PROJECTS, NAMESPACE, stringAt(app.object, ['spec', 'project']) ?? '')
  const isManual = objectAt(operation, ['initiatedBy'])?.['automated'] !== true
  if (isBlocked(project, app, { isManual, now: io.now })) {
    writeState(engine, app.name, { ...state, message: 'Sync operation blocked by sync window' })
    return
  }
  const revision =
    stringAt(state, ['syncResult', 'revision']) ??
    stringAt(operation, ['sync', 'revision']) ??
    engine.headOf(app, true) ??
    ''
  const { view } = memory
  memory.view = undefined
  const comparison = compare(engine, app, revision, {
    mayReuse: true,
    ...(view === undefined ? {} : { stale: view }),
  })
  // A diff that could not be made does not stop a sync, manifests that cannot be made do.
  if (comparison.fault?.startsWith('Failed to load target state') === true) {
    const message = `ComparisonError: ${comparison.fault}`
    return finish(engine, app, operation, { ...state, phase: 'Error', message })
  }
  const end = runPass({
    engine,
    app,
    operation,
    state,
    tasks: tasksFor(engine, app, operation, state, comparison),
  })
  settle(engine, app, { operation, state, comparison, end })
  if (memory.pass === undefined && end.polls) pollAgain(engine, app.name, 1000)
}

function tasksFor(
  engine: Engine,
  app: App,
  operation: JsonObject,
  state: JsonObject,
  comparison: Comparison,
): ReturnType<typeof tasksOf> {
  const startedAt = stringAt(state, ['startedAt']) ?? ''
  return tasksOf(engine, app, comparison, {
    operation,
    state,
    revision: comparison.revision,
    startedAt,
  })
}

interface Settling {
  readonly operation: JsonObject
  readonly state: JsonObject
  readonly comparison: Comparison
  readonly end: PassEnd
}

function settle(engine: Engine, app: App, { operation, state, comparison, end }: Settling): void {
  const { io } = engine
  const memory = engine.app(app.name)
  const syncResult = {
    revision: comparison.revision,
    source: app.source,
    resources: end.results as unknown as Json,
  }
  const next = { ...state, phase: end.phase, message: end.message, syncResult }
  if (end.waitsFor !== undefined) {
    memory.pass = { waiting: { place: end.waitsFor, until: io.now + 300_000 }, result: next }
    io.wakeAt(io.now + 1000, { kind: 'end', app: app.name }, `end ${app.name}`)
    return
  }
  if (end.sleeps) {
    // Written only afterwards: a controller that dies meanwhile has forgotten the pass.
    memory.pass = { result: next, polls: end.polls }
    io.wakeAt(io.now + engine.waveMs, { kind: 'end', app: app.name }, `end ${app.name}`)
    return
  }
  finish(engine, app, operation, next)
}

/** The sleep between waves is over, or the object that was waited for may be gone. */
export function endPass(engine: Engine, name: string): void {
  const memory = engine.app(name)
  const running = memory.pass
  const app = engine.stored(name)
  memory.pass = undefined
  if (running?.result === undefined || app === undefined) return
  const operation = operationOf(app.object)
  if (operation === undefined) return
  const { waiting, result } = running
  if (waiting === undefined) {
    const live = operationStateOf(app.object)
    const isTerminating = stringAt(live, ['phase']) === 'Terminating'
    finish(engine, app, operation, isTerminating ? { ...result, phase: 'Terminating' } : result)
    if (running.polls === true) pollAgain(engine, name, 100)
    return
  }
  if (engine.live(waiting.place) !== undefined && engine.io.now < waiting.until) {
    memory.pass = running
    engine.io.wakeAt(engine.io.now + 1000, { kind: 'end', app: name }, `end ${name}`)
    return
  }
  const revision = stringAt(result, ['syncResult', 'revision']) ?? ''
  const comparison = compare(engine, app, revision, { mayReuse: true })
  const tasks = tasksFor(engine, app, operation, result, comparison)
  const replacing = keyOf(waiting.place)
  const end = runPass({ engine, app, operation, state: result, tasks, replacing })
  settle(engine, app, { operation, state: result, comparison, end })
}

/** A hook's deletion is looked for again and again (trace 122). */
function pollAgain(engine: Engine, name: string, delayMs: number): void {
  engine.io.wakeAt(engine.io.now + delayMs, { kind: 'operate', app: name }, `poll ${name}`)
}

/** Writes what a pass has come to: goes on, waits for a retry, or is over. */
function finish(engine: Engine, app: App, operation: JsonObject, state: JsonObject): void {
  const { io } = engine
  const phase = stringAt(state, ['phase'])
  if (phase === 'Running' || phase === 'Terminating') return writeState(engine, app.name, state)
  const finishedAt = timestamp(io.now)
  const policy = readRetry(objectAt(operation, ['retry']))
  const retried = integerAt(state, ['retryCount']) ?? 0
  const message = stringAt(state, ['message']) ?? ''
  if (phase !== 'Succeeded' && (retried < policy.limit || policy.limit < 0)) {
    const waitMs = retryWaitMs(policy, retried)
    const at = `${message}. Retrying attempt #${retried + 1} at ${timestamp(io.now + waitMs)}.`
    const next = { ...state, phase: 'Running', message: at, finishedAt, retryCount: retried + 1 }
    return writeState(engine, app.name, next)
  }
  const words =
    phase !== 'Succeeded' && retried > 0 ? `${message} (retried ${retried} times).` : message
  close(engine, app, { ...state, message: words, finishedAt })
}

function close(engine: Engine, app: App, state: JsonObject): void {
  engine.app(app.name).operations += 1
  const isFull =
    stringAt(state, ['phase']) === 'Succeeded' && !hasNames(objectAt(state, ['operation']) ?? {})
  change(engine, app.name, (object) => {
    const { operation: _, ...rest } = object
    const history = listAt(object, ['status', 'history'])
    const entry = {
      id: history.length,
      revision: stringAt(state, ['syncResult', 'revision']) ?? '',
      deployedAt: stringAt(state, ['finishedAt']) ?? '',
    }
    const status = {
      ...objectAt(object, ['status']),
      operationState: state,
      ...(isFull ? { history: [...history, entry].slice(-10) } : {}),
    }
    return { ...rest, status }
  })
  const inMs = engine.delays.pass
  requestRefresh(engine, app.name, { level: LATEST, inMs, why: ENDED })
}

/** The counter is raised before the wait is reckoned, so the first real wait is the second. */
function retryWaitMs(
  { durationSeconds, factor, maxSeconds }: ReturnType<typeof readRetry>,
  count: number,
): number {
  return Math.min(durationSeconds * factor ** count, maxSeconds) * 1000
}

function retry(engine: Engine, app: App, operation: JsonObject, state: JsonObject): void {
  const { io } = engine
  const policy = readRetry(objectAt(operation, ['retry']))
  const count = integerAt(state, ['retryCount']) ?? 0
  const finished = Date.parse(stringAt(state, ['finishedAt']) ?? '')
  const dueAt = finished + retryWaitMs(policy, count)
  if (dueAt > io.now) {
    io.wakeAt(dueAt, { kind: 'operate', app: app.name }, `retry ${app.name}`)
    return
  }
  const { finishedAt: _, syncResult, ...rest } = state
  const revision = stringAt(objectAt({ syncResult: syncResult ?? {} }, ['syncResult']), [
    'revision',
  ])
  const newest = policy.refresh ? engine.headOf(app, true) : revision
  const words = policy.refresh ? 'Retrying operation with latest revisions' : 'Retrying operation'
  const sync = {
    ...objectAt(operation, ['sync']),
    ...(newest === undefined ? {} : { revision: newest }),
  }
  const next = { ...operation, sync }
  const why = retryTrigger(count, policy.limit, stringAt(state, ['message']) ?? '')
  tellRound(io, app.name, { rule: 'A-9', effect: 'synced', trigger: why })
  change(engine, app.name, (object) => ({
    ...object,
    operation: next,
    status: {
      ...objectAt(object, ['status']),
      operationState: {
        ...rest,
        operation: next,
        phase: 'Running',
        message: `${words}. Attempt #${count}`,
      },
    },
  }))
}

function abort(engine: Engine, app: App, operation: JsonObject, state: JsonObject): void {
  const revision =
    stringAt(state, ['syncResult', 'revision']) ?? stringAt(operation, ['sync', 'revision'])
  const comparison = compare(engine, app, revision ?? engine.headOf(app, true) ?? '', {
    mayReuse: true,
  })
  terminate(engine, app, tasksFor(engine, app, operation, state, comparison))
  const finishedAt = timestamp(engine.io.now)
  close(engine, app, { ...state, phase: 'Failed', message: 'Operation terminated', finishedAt })
}

function writeState(engine: Engine, name: string, state: JsonObject): void {
  change(engine, name, (object) => ({
    ...object,
    status: { ...objectAt(object, ['status']), operationState: state },
  }))
}
