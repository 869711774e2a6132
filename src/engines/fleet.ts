import { at, integerAt, listAt, type Json, type JsonObject, type Path } from '../core/json.ts'
import type { Engine, Hook, Restore, Setting, Traits, Waiter } from './engine.ts'
import { helmHook } from './helm-hooks.ts'
import { keptByPolicy } from './helm.ts'
import { UNRENDERED } from './hooks.ts'
import { isCronJob, switchAt } from './metadata.ts'
import { helmTurn } from './order.ts'
import { readSettings, type SettingRow } from './settings.ts'
import { hookTemplateChange, leftAlone, removedUnless, templateChangeOf, thrown } from './traits.ts'

const DRIFT_SECONDS = 5

/**
 * Rancher Fleet (main, 2026-08): every bundle, also one of plain manifests, is a Helm release that
 * is deployed when content or options change (E-1); with correctDrift a missing object leads to a
 * Helm rollback after 5 s (E-4). Read, never run: see docs/engines/fleet.md.
 * The carrier is a fleet.yaml, or a Bundle or GitRepo with the same fields below `spec`.
 */
export const fleet: Engine = {
  id: 'fleet',
  title: 'Rancher Fleet',
  carrierKinds: ['fleet.cattle.io Bundle', 'fleet.cattle.io GitRepo'],
  settings,
  traits,
  turnOf: helmTurn,
  // Helm's wait is off unless a timeout is set (E-2).
  readyBeforeAfter: () => 'if-asked',
}

function traits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  const paused = carrier === undefined ? 'off' : switchAt(carrier, [...root(carrier), 'paused'])
  if (paused !== 'off') return leftAlone(thrown('the bundle is paused', paused), 'E-1', 'refused')
  const ordinary = correctsDrift(carrier) ? ['rollback'] : []
  const reading = helmHook(object, { ordinary })
  if (reading.kind === 'ignored') return leftAlone(reading.why, 'E-3, H-1', 'refused')
  return reading.kind === 'hook'
    ? hookTraits(carrier, object, reading.hook)
    : plainTraits(carrier, object)
}

function plainTraits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  const waiter = isCronJob(object) ? undefined : (jobWait(carrier) ?? READINESS)
  const puts = options(carrier).some(
    (of) => at(of, ['helm', 'force']) === true || at(of, ['correctDrift', 'force']) === true,
  )
  return {
    applies: true,
    restoresAbsent: restoreOf(carrier),
    templateChange: templateChangeOf(object, 'refused'),
    updatesBy: puts ? 'put' : 'apply',
    ...(waiter === undefined ? {} : { waiter }),
    removesUndeclared: removedUnless(keptByPolicy(object)),
    generateName: 'refused',
    assumed: false,
  }
}

function hookTraits(carrier: JsonObject | undefined, object: JsonObject, hook: Hook): Traits {
  const waiter = isCronJob(object) || hook.onlyOn === UNRENDERED ? undefined : hookWait(carrier)
  return {
    applies: true,
    restoresAbsent: { when: 'never', rule: 'E-3, H-1' },
    templateChange: hookTemplateChange(object, hook),
    updatesBy: 'apply',
    hook,
    ...(waiter === undefined ? {} : { waiter }),
    removesUndeclared: false,
    generateName: 'refused',
    assumed: false,
  }
}

function restoreOf(carrier: JsonObject | undefined): Restore {
  return correctsDrift(carrier)
    ? { when: 'watch', delaySeconds: DRIFT_SECONDS, rule: 'E-4' }
    : {
        when: 'change',
        on: 'the next deploy of the bundle (any change of its content or options)',
        ...(carrier === undefined ? { orSooner: true as const } : {}),
        rule: 'E-1, E-4',
      }
}

/** For one target cluster is enough: there the Job runs again. */
function correctsDrift(carrier: JsonObject | undefined): boolean {
  return options(carrier).some((of) => at(of, ['correctDrift', 'enabled']) === true)
}

/** The options of the bundle and of its targets, which may differ by cluster. */
function options(carrier: JsonObject | undefined): readonly (Json | undefined)[] {
  if (carrier === undefined) return []
  const base = root(carrier)
  return [
    at(carrier, base),
    ...listAt(carrier, [...base, 'targetCustomizations']),
    ...listAt(carrier, [...base, 'targets']),
  ]
}

/** A fleet.yaml has no kind and no `spec`. */
function root(carrier: JsonObject): Path {
  return typeof carrier['kind'] === 'string' ? ['spec'] : []
}

/** waitForJobs counts only together with a timeout (E-2). */
function jobWait(carrier: JsonObject | undefined): Waiter | undefined {
  if (carrier === undefined) return undefined
  const waits = switchAt(carrier, [...root(carrier), 'helm', 'waitForJobs']) === 'on'
  return waits ? helmWait(carrier, 'timeout') : undefined
}

/** Without timeoutSeconds it is not known how long a hook is waited for, so nothing is said. */
function hookWait(carrier: JsonObject | undefined): Waiter | undefined {
  return carrier === undefined ? undefined : helmWait(carrier, 'success')
}

/** The hook watch mostly sees the end before a TTL of 0 deletes the Job (trace helm/006). */
function helmWait(carrier: JsonObject, absent: Waiter['absent']): Waiter | undefined {
  const timeoutSeconds = integerAt(carrier, [...root(carrier), 'helm', 'timeoutSeconds'])
  if (timeoutSeconds === undefined || timeoutSeconds <= 0) return undefined
  return {
    who: 'the Helm deployment of the bundle',
    timeoutSeconds,
    pollSeconds: undefined,
    suspended: 'waits',
    absent,
    afterFailure: 'stays-failed',
    rule: 'E-2, H-2',
  }
}

/**
 * The bundle is not ready while a Job of it is suspended, failed or missing, and bundles that
 * depend on it are not deployed (case 037, E-4).
 */
const READINESS: Waiter = {
  who: 'the readiness of the bundle',
  timeoutSeconds: undefined,
  pollSeconds: undefined,
  suspended: 'not-ready',
  absent: 'hangs',
  afterFailure: 'stays-failed',
  rule: 'E-4',
}

function settings(carrier: JsonObject | undefined): readonly Setting[] {
  if (carrier === undefined) return []
  const base = root(carrier)
  const row = (name: string, preset?: string): SettingRow => ({
    name,
    path: [...base, ...name.split('.')],
    ...(preset === undefined ? {} : { preset }),
  })
  const polled = carrier['kind'] === 'GitRepo' ? [row('pollingInterval', '15s')] : []
  return readSettings(carrier, [
    row('correctDrift.enabled', 'false'),
    row('correctDrift.force', 'false'),
    row('helm.chart'),
    row('helm.releaseName'),
    row('helm.force', 'false'),
    row('helm.takeOwnership', 'false'),
    row('helm.atomic', 'false'),
    row('helm.timeoutSeconds'),
    row('helm.waitForJobs', 'false'),
    row('defaultNamespace'),
    row('namespace'),
    row('dependsOn'),
    row('keepResources', 'false'),
    row('paused', 'false'),
    row('targetCustomizations'),
    ...polled,
  ])
}
