import { objectAt } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { applyOne, inspect, inspectSuccessor, type Applying, type Inspection } from './apply.ts'
import { tellerOf } from './causes.ts'
import { finishApply } from './checks.ts'
import { abandon, fail, refuse, succeed, type Controller } from './ending.ts'
import { desiredOf, keyOf, type Desired } from './objects.ts'
import { isAwaited } from './order.ts'
import { goDuration } from './settings.ts'
import type { Change, Clean, Record, Run, State, Wait, Wake } from './state.ts'
import { kustomizationOf, type Condition } from './status.ts'
import { look, planWait, waitFor, type Outcome } from './wait.ts'

/** F-7: how long definitions and namespaces are waited for. */
const STAGE_WAIT = { everyMs: 2000, timeoutMs: 60_000 }

/** F-11: without end, whatever the timeout says (trace 011). */
const DELETION_WAIT = { everyMs: 2000, timeoutMs: Infinity }

/** F-8: all dry runs of a stage, then all its writes; a refusal stops before the first write. */
export function applyStage(
  controller: Controller,
  state: State,
  record: Record,
  io: Io<Wake>,
): void {
  const begun = record.run as Run
  const planned = begun.stages[begun.stage]
  if (planned === undefined) return finishApply(controller, state, record, io)
  // An earlier stage may have brought the definition.
  const stage = planned.map((desired) =>
    desired.served === undefined ? desiredOf(desired.object, controller.find, io) : desired,
  )
  const run: Run = { ...begun, stages: begun.stages.with(begun.stage, stage) }
  const object = kustomizationOf(record, io)
  if (object === undefined) return abandon(controller, state, record, io)
  const applying = applyingOf(object, record, state, io)
  const found: (Change | undefined)[] = []
  const seen = new Map<Desired, KubeObject>()
  const clean = new Map(record.clean)
  for (const desired of stage) {
    const inspection = inspect(desired, applying)
    if (inspection.kind === 'fault') return refuse(controller, state, record, inspection, io)
    if (inspection.kind === 'deleting') {
      seen.set(desired, inspection.live)
      found.push(undefined)
      continue
    }
    found.push(inspection.change)
    keep(clean, desired, inspection)
  }
  const next = { ...record, clean, run: { ...run, found } }
  if (seen.size === 0) return writeStage(controller, state, next, io)
  const wait = { ...waitFor('deletion', [...seen.keys()], DELETION_WAIT, io.now), seen }
  state.records.set(record.key, { ...next, run: { ...next.run, wait } })
}

function keep(clean: Map<string, Clean>, desired: Desired, inspection: Inspection): void {
  const key = keyOf(desired)
  if (key === undefined || inspection.kind !== 'change') return
  if (inspection.clean === undefined) clean.delete(key)
  else clean.set(key, inspection.clean)
}

function writeStage(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const run = record.run as Run
  const stage = run.stages[run.stage] ?? []
  const object = kustomizationOf(record, io)
  if (object === undefined) return abandon(controller, state, record, io)
  const applying = applyingOf(object, record, state, io)
  const changes = run.found.filter((one) => one !== undefined)
  for (const change of changes) {
    if (change.action !== 'created' && change.action !== 'configured') continue
    const fault = applyOne(change, applying)
    if (fault !== undefined) return refuse(controller, state, record, { message: fault }, io)
  }
  const done = [...run.done, ...changes]
  const next: Record = { ...record, run: { ...run, done, found: [] } }
  if (!isAwaited(stage)) return applyNextStage(controller, state, next, io)
  const objects = changes.filter(({ action }) => action !== 'skipped').map(({ of }) => of)
  const wait = waitFor('stage', objects, STAGE_WAIT, io.now)
  state.records.set(record.key, { ...next, run: { ...run, done, found: [], wait } })
  io.wakeAt(io.now, { kind: 'poll', key: record.key }, `poll ${record.key}`)
}

function applyNextStage(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const { wait: _over, ...run } = record.run as Run
  applyStage(controller, state, { ...record, run: { ...run, stage: run.stage + 1 } }, io)
}

/** Looks at what is waited for, and goes on when it is there. */
export function goOn(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const { run } = record
  const wait = run?.wait
  if (run === undefined || wait === undefined) return
  if (wait.for === 'deletion') return replaceDeleted(controller, state, record, io)
  const outcome: Outcome = look(wait, controller.minor, io)
  if (outcome.kind === 'waiting') {
    state.records.set(record.key, record)
    return planWait(record.key, wait, io)
  }
  const { wait: _over, ...rest } = run
  const next: Record = { ...record, run: rest }
  if (wait.for === 'stage') {
    if (outcome.kind === 'passed') return applyNextStage(controller, state, next, io)
    return refuse(controller, state, next, outcome, io)
  }
  if (outcome.kind === 'passed') {
    return succeed(controller, state, next, { passedMs: io.now - wait.since }, io)
  }
  const message = `health check failed after ${goDuration(io.now - wait.since)}: ${outcome.message}`
  const healthy: Condition = {
    type: 'Healthy',
    status: 'False',
    reason: 'HealthCheckFailed',
    message: outcome.message,
  }
  const failure = { reason: 'HealthCheckFailed', message, conditions: [healthy] }
  fail(controller, state, next, failure, io)
}

/** F-11: the objects that were deleted for their successors, as far as they are gone. */
function replaceDeleted(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const run = record.run as Run
  const object = kustomizationOf(record, io)
  if (object === undefined) return abandon(controller, state, record, io)
  const wait = run.wait as Wait
  const seen = new Map(wait.seen)
  const found = [...run.found]
  const clean = new Map(record.clean)
  for (const [desired, before] of wait.seen ?? []) {
    const { served, namespace, name } = desired
    const live = served === undefined ? undefined : io.read.get(served, namespace, name)
    if (live !== undefined) {
      seen.set(desired, live)
      continue
    }
    seen.delete(desired)
    const applying = applyingOf(object, record, state, io)
    const inspection = inspectSuccessor(desired, before, applying)
    if (inspection.kind === 'fault') return refuse(controller, state, record, inspection, io)
    if (inspection.kind !== 'change') continue
    found[(run.stages[run.stage] ?? []).indexOf(desired)] = inspection.change
    keep(clean, desired, inspection)
  }
  if (seen.size > 0) {
    const left = { ...wait, objects: [...seen.keys()], seen }
    state.records.set(record.key, { ...record, clean, run: { ...run, found, wait: left } })
    return
  }
  const { wait: _over, ...rest } = run
  writeStage(controller, state, { ...record, clean, run: { ...rest, found } }, io)
}

function applyingOf(object: KubeObject, record: Record, state: State, io: Io<never>): Applying {
  return {
    io,
    forces: objectAt(object, ['spec'])?.['force'] === true,
    epoch: state.epoch,
    clean: record.clean,
    tell: tellerOf(state, record, io),
  }
}
