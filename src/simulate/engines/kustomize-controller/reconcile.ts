import { listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { applyOne, inspect, inspectSuccessor, type Applying, type Inspection } from './apply.ts'
import type { Artifacts } from './artifacts.ts'
import { SOURCE_RESOURCES } from './kinds.ts'
import { inventoryFrom, inventoryOf, prune } from './inventory.ts'
import { desiredOf, keyOf, shown, type Desired } from './objects.ts'
import { isAwaited, stagesOf } from './order.ts'
import { goDuration, settingsOf, type Settings } from './settings.ts'
import type { Change, Clean, Entry, Record, Run, State, Timing, Wait, Wake } from './state.ts'
import {
  blockedBy,
  inventoryField,
  kustomizationOf,
  sourceOf,
  writeStatus,
  type Condition,
} from './status.ts'
import { rewatch, watched } from './watching.ts'
import { look, planWait, waitFor, type Outcome } from './wait.ts'
import type { KindFinder } from '../kinds.ts'

/** F-7: how long definitions and namespaces are waited for. */
const STAGE_WAIT = { everyMs: 2000, timeoutMs: 60_000 }
/** F-11: without end, whatever the timeout says (trace 011). */
const DELETION_WAIT = { everyMs: 2000, timeoutMs: Infinity }
/** F-15. */
const HEALTH_POLL_MS = 5000
/** F-2: a dependency that is not ready, a source without an artifact. */
const DEPENDENCY_RETRY_MS = 30_000

export interface Controller {
  readonly artifacts: Artifacts
  readonly find: KindFinder
  readonly timing: Timing
  /** The reconcile is over; `retryMs` undefined: nothing brings the next one but a trigger. */
  readonly ended: (state: State, record: Record, end: End, io: Io<Wake>) => void
}

export interface End {
  readonly retryMs: number | undefined
  readonly isJittered: boolean
  readonly hasFailed: boolean
}

/** A reconcile from its beginning to its first dry run. */
export function begin(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const object = kustomizationOf(record, io)
  if (object === undefined) return
  const settings = settingsOf(object)
  const source = sourceObject(object, io)
  const end = (conditions: readonly Condition[], retryMs: number | undefined): void => {
    writeStatus(object, { conditions: finalOf(object, conditions) }, io)
    controller.ended(state, record, { retryMs, isJittered: false, hasFailed: true }, io)
  }
  if (source === undefined) {
    const { kind, name } = settings.source
    const plural = SOURCE_RESOURCES.get(kind)?.resource ?? `${kind.toLowerCase()}s`
    const message = `${plural}.source.toolkit.fluxcd.io "${name}" not found`
    return end([notReady('ArtifactFailed', message)], settings.retryMs)
  }
  const revision = stringAt(source, ['status', 'artifact', 'revision'])
  if (revision === undefined) {
    const message = 'Source artifact not found, retrying in 30s'
    return end([notReady('ArtifactFailed', message)], DEPENDENCY_RETRY_MS)
  }
  const blocked = firstBlocked(object, settings, revision, io)
  if (blocked !== undefined) {
    const about = 'Dependencies do not meet ready condition, retrying in 30s'
    io.event(object, 'Normal', 'DependencyNotReady', about)
    return end([notReady('DependencyNotReady', blocked)], DEPENDENCY_RETRY_MS)
  }
  const run: Run = {
    startedAt: io.now,
    revision,
    stages: [],
    stage: 0,
    done: [],
    found: [],
    oldInventory: inventoryOf(object),
  }
  state.records.set(record.key, { ...record, run })
  const conditions = [
    { type: 'Ready', status: 'Unknown', reason: 'Progressing', message: IN_PROGRESS },
    progress('Fetching manifests', revision, settings),
  ] as const
  writeStatus(object, { conditions }, io)
  const { build } = controller.timing
  const buildMs = typeof build === 'number' ? build : build(record.key, io.now)
  io.wakeAt(io.now + buildMs, { kind: 'apply', key: record.key }, `apply ${record.key}`)
}

const IN_PROGRESS = 'Reconciliation in progress'

function firstBlocked(
  object: KubeObject,
  settings: Settings,
  revision: string,
  io: Io<never>,
): string | undefined {
  const source = JSON.stringify(sourceOf(object))
  const isSameSource = (other: KubeObject): boolean => JSON.stringify(sourceOf(other)) === source
  for (const dependency of settings.dependsOn) {
    const blocked = blockedBy(dependency, revision, isSameSource, io)
    if (blocked !== undefined) return blocked
  }
  return undefined
}

/** Everything is built; what has no place in a run is said before anything is applied. */
export function applyFirst(
  controller: Controller,
  state: State,
  record: Record,
  io: Io<Wake>,
): void {
  const object = kustomizationOf(record, io)
  const { run } = record
  if (object === undefined || run === undefined) return abandon(controller, state, record, io)
  const built = controller.artifacts.build(object, run.revision, io)
  if ('reason' in built) {
    const { reason, message } = built
    return fail(controller, state, record, { reason, message }, io)
  }
  const desired = built.objects.map((one) => desiredOf(one, controller.find, io))
  const next: Record = { ...record, run: { ...run, stages: stagesOf(desired) } }
  const keys = watched(next, controller.find, io)
  rewatch(state, record.key, record.watched, keys)
  applyStage(controller, state, { ...next, watched: keys }, io)
}

/** F-8: all dry runs of a stage, then all its writes; a refusal stops before the first write. */
function applyStage(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const run = record.run as Run
  const stage = run.stages[run.stage]
  if (stage === undefined) return finishApply(controller, state, record, io)
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
  goOn(controller, state, { ...next, run: { ...run, done, found: [], wait } }, io)
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
  const outcome: Outcome = look(wait, io)
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

/** F-14, F-15: inventory, prune, then the health checks. */
function finishApply(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const run = record.run as Run
  const object = kustomizationOf(record, io)
  if (object === undefined) return abandon(controller, state, record, io)
  const settings = settingsOf(object)
  const log = changeLog(run.done)
  if (log !== '') io.event(object, 'Normal', 'Progressing', log.trimEnd())
  const entries = inventoryFrom(run.done)
  const ids = new Set(entries.map(({ id }) => id))
  const stale = run.oldInventory.filter(({ id }) => !ids.has(id))
  const pruned = settings.prunes
    ? prune(stale, object, controller.find, io)
    : { deleted: [], survivors: [] }
  const inventory = [...entries, ...pruned.survivors]
  if (pruned.fault !== undefined) {
    const failure = { reason: 'PruneFailed', message: pruned.fault, inventory }
    return fail(controller, state, record, failure, io)
  }
  if (pruned.deleted.length > 0) {
    const lines = pruned.deleted.map((entry) => `${shown(entry)} deleted`)
    io.event(object, 'Normal', 'Progressing', lines.join('\n'))
  }
  const objects = checked(settings, run, controller.find, io)
  if (objects.length === 0) return succeed(controller, state, record, { inventory }, io)
  const running = progress('Running health checks', run.revision, settings)
  const { reason = '', message = '' } = running
  const conditions: readonly Condition[] = [
    running,
    { type: 'Healthy', status: 'Unknown', reason, message },
  ]
  writeStatus(object, { conditions, fields: inventoryField(inventory) }, io)
  const { timeoutMs } = settings
  const wait = waitFor('health', objects, { everyMs: HEALTH_POLL_MS, timeoutMs }, io.now)
  goOn(controller, state, { ...record, run: { ...run, wait } }, io)
}

/** Skipped objects are not looked at (F-12); listed ones are, wherever they come from. */
function checked(
  settings: Settings,
  run: Run,
  find: KindFinder,
  io: Io<never>,
): readonly Desired[] {
  if (settings.waits) {
    return run.done.filter(({ action }) => action !== 'skipped').map(({ of }) => of)
  }
  return settings.healthChecks.map((check) => {
    const { apiVersion, kind, namespace, name } = check
    const applied = run.done.find(
      ({ of }) => of.kind === kind && of.name === name && (of.namespace ?? '') === namespace,
    )
    if (applied !== undefined) return applied.of
    const object = { apiVersion, kind, metadata: { name, namespace } }
    return { object, apiVersion, kind, namespace, name, served: find(apiVersion, kind, io.read) }
  })
}

function succeed(
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
  const end = { retryMs: settings.intervalMs, isJittered: true, hasFailed: false }
  controller.ended(state, record, end, io)
}

interface Failure {
  readonly reason?: string
  readonly message: string
  readonly conditions?: readonly Condition[]
  readonly inventory?: readonly Entry[]
}

/** A refused apply tells what earlier stages have changed already. */
function refuse(
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

function fail(
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
  const end = { retryMs: settings.retryMs, isJittered: false, hasFailed: true }
  controller.ended(state, record, end, io)
}

/** The Kustomization has gone meanwhile. */
function abandon(controller: Controller, state: State, record: Record, io: Io<Wake>): void {
  const end = { retryMs: undefined, isJittered: false, hasFailed: false }
  controller.ended(state, record, end, io)
}

function observed(object: KubeObject): JsonObject {
  const asked = stringAt(object, ['metadata', 'annotations', 'reconcile.fluxcd.io/requestedAt'])
  return asked === undefined ? {} : { lastHandledReconcileAt: asked }
}

function finalOf(object: KubeObject, conditions: readonly Condition[]): readonly Condition[] {
  const was = listAt(object, ['status', 'conditions']).find(
    (one) => stringAt(one, ['type']) === 'Reconciling',
  )
  if (was === undefined) return conditions
  const message = stringAt(was, ['message']) ?? ''
  const retrying: Condition = {
    type: 'Reconciling',
    status: 'True',
    reason: 'ProgressingWithRetry',
    message,
  }
  return [...conditions, retrying]
}

function notReady(reason: string, message: string): Condition {
  return { type: 'Ready', status: 'False', reason, message }
}

function progress(what: string, revision: string, { timeoutMs }: Settings): Condition {
  const message = `${what} for revision ${revision} with a timeout of ${goDuration(timeoutMs)}`
  return { type: 'Reconciling', status: 'True', reason: 'Progressing', message }
}

function changeLog(changes: readonly Change[]): string {
  return changes
    .filter(({ action }) => action === 'created' || action === 'configured')
    .map(({ of, action }) => `${shown(of)} ${action}\n`)
    .join('')
}

function applyingOf(object: KubeObject, record: Record, state: State, io: Io<never>): Applying {
  return {
    io,
    forces: objectAt(object, ['spec'])?.['force'] === true,
    epoch: state.epoch,
    clean: record.clean,
    by: `Kustomization ${record.key}`,
  }
}

function sourceObject(object: KubeObject, io: Io<never>): KubeObject | undefined {
  const { source } = settingsOf(object)
  const resource = SOURCE_RESOURCES.get(source.kind)
  return resource === undefined ? undefined : io.read.get(resource, source.namespace, source.name)
}
