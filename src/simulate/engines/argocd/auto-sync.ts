import { integerAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import { equal } from '../../../cluster/fields/index.ts'
import { isDone, operationOf, operationStateOf, PROJECTS, type App } from './application.ts'
import { healTrigger, revisionTrigger } from './causes.ts'
import type { Compared, Comparison } from './compare.ts'
import { NAMESPACE, type Engine } from './engine.ts'
import { isBlocked } from './windows.ts'
import { change } from './write.ts'

/** Self-heal waits 0, 2, 6, 18, 54, 162, 300, 300 ... s after the last operation. */
export function selfHealWaitSeconds(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(2 * 3 ** (attempts - 1), 300)
}

/** Starts an automated operation where ask for one. */
export function autoSync(
  engine: Engine,
  app: App,
  comparison: Comparison,
  why: Trigger | undefined,
): { readonly error?: string } | undefined {
  const { object } = app
  if (!app.automated || operationOf(object) !== undefined) return undefined
  const plain = comparison.resources.filter(({ isHook }) => !isHook)
  if (comparison.sync !== 'OutOfSync') return undefined
  const isOnlyPrune = plain.every(
    ({ status, requiresPruning }) => status === 'Synced' || requiresPruning,
  )
  if (!app.prune && isOnlyPrune) return undefined
  const project = engine.io.read.get(
    PROJECTS,
    NAMESPACE,
    stringAt(object, ['spec', 'project']) ?? '',
  )
  if (isBlocked(project, app, { isManual: false, now: engine.io.now })) return undefined
  const state = operationStateOf(object)
  const base = { revision: comparison.revision, prune: app.prune, ...optionsOf(app) }
  const attempted = attemptOf(app, state, comparison.revision)
  if (attempted === 'failed') {
    return {
      error: `Failed last sync attempt to [${attemptedRevision(state)}]: ${messageOf(state)}`,
    }
  }
  if (attempted === 'succeeded') return selfHeal(engine, app, { comparison, base, why })
  if (app.prune && !app.allowEmpty && plain.every(({ requiresPruning }) => requiresPruning)) {
    const words = 'auto-sync will wipe out all resources'
    return { error: `Skipping sync attempt to [${comparison.revision}]: ${words}` }
  }
  const before = stringAt(state, ['syncResult', 'revision'])
  start(engine, app, base, revisionTrigger(why, comparison.revision, before))
  return {}
}

interface Healing {
  readonly comparison: Comparison
  readonly base: JsonObject
  readonly why: Trigger | undefined
}

function selfHeal(
  engine: Engine,
  app: App,
  { comparison, base, why }: Healing,
): object | undefined {
  if (!app.selfHeal) return undefined
  const state = operationStateOf(app.object)
  const attempts = integerAt(state, ['operation', 'sync', 'autoHealAttemptsCount']) ?? 0
  const finished = Date.parse(stringAt(state, ['finishedAt']) ?? '')
  const leftMs = finished + selfHealWaitSeconds(attempts) * 1000 - engine.io.now
  if (leftMs > 0) {
    // Lives in memory only: a restart loses it (trace 084).
    const name = app.name
    engine.app(name).healing ??= why
    engine.io.wakeAt(engine.io.now + leftMs, { kind: 'refresh', app: name }, `heal ${name}`)
    return undefined
  }
  const named = comparison.resources.filter(({ status, isHook }) => status !== 'Synced' && !isHook)
  const resources = named.map(namedResource)
  const sync = { ...base, autoHealAttemptsCount: attempts + 1, resources }
  start(engine, app, sync, healTrigger(why, named, selfHealWaitSeconds(attempts)))
  return {}
}

function namedResource({ place }: Compared): JsonObject {
  return {
    ...(place.group === '' ? {} : { group: place.group }),
    kind: place.kind,
    name: place.name,
  }
}

function start(engine: Engine, app: App, sync: JsonObject, because: Trigger): void {
  const retry = app.retry ?? { limit: 5 }
  const operation = { sync, initiatedBy: { automated: true }, retry }
  const memory = engine.app(app.name)
  memory.begins = because
  memory.healing = undefined
  change(engine, app.name, (object) => ({ ...object, operation }))
}

function optionsOf({ options }: App): JsonObject {
  return options.length === 0 ? {} : { syncOptions: [...options] }
}

/** Whether the last operation was for this revision and source, and how it ended. */
function attemptOf(
  app: App,
  state: JsonObject | undefined,
  revision: string,
): 'no' | 'failed' | 'succeeded' {
  if (state === undefined || !isDone(state)) return 'no'
  const phase = stringAt(state, ['phase']) === 'Succeeded' ? 'succeeded' : 'failed'
  const result = objectAt(state, ['syncResult'])
  if (result === undefined) {
    // Held for one comparison only (A-5, trace 125).
    const revised = stringAt(app.object, ['status', 'sync', 'revision']) === revision
    return revised ? 'no' : phase
  }
  if (stringAt(result, ['revision']) !== revision) return 'no'
  return equal(objectAt(result, ['source']) ?? {}, app.source) ? phase : 'no'
}

function attemptedRevision(state: JsonObject | undefined): string {
  return stringAt(state, ['syncResult', 'revision']) ?? ''
}

function messageOf(state: JsonObject | undefined): string {
  return stringAt(state, ['message']) ?? ''
}
