import type { Io } from '../../../cluster/actor.ts'
import type { KindFinder } from '../kinds.ts'
import { tellerOf } from './causes.ts'
import { abandon, changeLog, fail, progress, succeed, type Controller } from './ending.ts'
import { inventoryFrom, prune } from './inventory.ts'
import { shown, type Desired } from './objects.ts'
import { settingsOf, type Settings } from './settings.ts'
import type { Record, Run, State, Wake } from './state.ts'
import { inventoryField, kustomizationOf, writeStatus, type Condition } from './status.ts'
import { waitFor } from './wait.ts'

/** F-15. */
const HEALTH_POLL_MS = 5000

/** F-14, F-15: inventory, prune, then the health checks. */
export function finishApply(
  controller: Controller,
  state: State,
  record: Record,
  io: Io<Wake>,
): void {
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
    ? prune(stale, object, controller.find, { io, tell: tellerOf(state, record, io) })
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
  const since = io.now + controller.timing.look
  const wait = waitFor('health', objects, { everyMs: HEALTH_POLL_MS, timeoutMs }, since)
  state.records.set(record.key, { ...record, run: { ...run, wait } })
  io.wakeAt(since, { kind: 'poll', key: record.key }, `poll ${record.key}`)
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
