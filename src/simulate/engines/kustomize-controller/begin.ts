import { listAt, stringAt } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { retryOf } from './causes.ts'
import { abandon, fail, notReady, progress, type Controller } from './ending.ts'
import { inventoryOf } from './inventory.ts'
import { SOURCE_RESOURCES } from './kinds.ts'
import { desiredOf } from './objects.ts'
import { stagesOf } from './order.ts'
import { settingsOf, type Settings } from './settings.ts'
import { applyStage } from './staging.ts'
import { delayOf, type Record, type Run, type State, type Wake } from './state.ts'
import { blockedBy, kustomizationOf, sourceOf, writeStatus, type Condition } from './status.ts'
import { rewatch, watched } from './watching.ts'

/** F-2: a dependency that is not ready, a source without an artifact. */
const DEPENDENCY_RETRY_MS = 30_000

/** The look at dependencies that finds them ready. */
const FREED: Trigger = { kind: 'dependency', words: 'what it depends on became ready' }

/** A reconcile from its beginning to its first dry run. */
export function begin(
  controller: Controller,
  state: State,
  record: Record,
  trigger: Trigger,
  io: Io<Wake>,
): void {
  const object = kustomizationOf(record, io)
  if (object === undefined) return
  const settings = settingsOf(object)
  const source = sourceObject(object, io)
  const end = (
    conditions: readonly Condition[],
    retryMs: number | undefined,
    next?: Trigger,
  ): void => {
    writeStatus(object, { conditions: finalOf(object, conditions) }, io)
    const message = conditions[0]?.message ?? ''
    const why = next ?? retryOf(retryMs ?? 0, message)
    controller.ended(state, record, { retryMs, next: why, isJittered: false, hasFailed: true }, io)
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
    return end([notReady('DependencyNotReady', blocked)], DEPENDENCY_RETRY_MS, FREED)
  }
  const run: Run = {
    startedAt: io.now,
    trigger,
    revision,
    stages: [],
    stage: 0,
    done: [],
    found: [],
    oldInventory: inventoryOf(object),
  }
  state.records.set(record.key, { ...record, run })
  const at = io.now + controller.timing.report
  io.wakeAt(at, { kind: 'report', key: record.key }, `report ${record.key}`)
}

/** Dependents that were triggered together still saw the state before this (trace 067). */
export function reportBegin(
  controller: Controller,
  state: State,
  record: Record,
  io: Io<Wake>,
): void {
  const object = kustomizationOf(record, io)
  const { run } = record
  if (object === undefined || run === undefined) return abandon(controller, state, record, io)
  const conditions: readonly Condition[] = [
    { type: 'Ready', status: 'Unknown', reason: 'Progressing', message: IN_PROGRESS },
    progress('Fetching manifests', run.revision, settingsOf(object)),
  ]
  writeStatus(object, { conditions }, io)
  const buildMs = delayOf(controller.timing.build, record.key, io.now)
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

function sourceObject(object: KubeObject, io: Io<never>): KubeObject | undefined {
  const { source } = settingsOf(object)
  const resource = SOURCE_RESOURCES.get(source.kind)
  return resource === undefined ? undefined : io.read.get(resource, source.namespace, source.name)
}
