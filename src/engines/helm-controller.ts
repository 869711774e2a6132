import { at, integerAt, stringAt, type Json, type JsonObject, type Path } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import { apiDurationSeconds, positiveSeconds } from './duration.ts'
import type { Engine, Hook, Restore, Setting, Traits, Waiter } from './engine.ts'
import { isOutOfDrift } from './helm-drift.ts'
import { helmHook } from './helm-hooks.ts'
import { keptByPolicy } from './helm.ts'
import { UNRENDERED } from './hooks.ts'
import { hasTtl, isCronJob, switchAt, withCommonMetadata } from './metadata.ts'
import { helmTurn } from './order.ts'
import { countOf, readSettings, type SettingRow } from './settings.ts'
import { hookTemplateChange, leftAlone, removedUnless, templateChangeOf, thrown } from './traits.ts'

const GROUP = 'helm.toolkit.fluxcd.io'
const DEFAULT_TIMEOUT_SECONDS = 300
const POLL_SECONDS = 5
/** Through the rate limiter, after a drift was corrected. */
const AGAIN_SECONDS = 0.75
/** Trace 068. */
const HELD =
  'each upgrade waits for the finalizer until its timeout and fails before it applies anything'

/**
 * Flux helm-controller 1.6: upgrades only on a change of chart, values or post-renderers;
 * an absent object comes back at the next upgrade, or with drift detection at the next interval
 * . It waits for Jobs by default, and runs chart hooks as Helm does.
 */
export const helmController: Engine = {
  id: 'helm-controller',
  title: 'Flux HelmRelease',
  carrierKinds: [`${GROUP} HelmRelease`],
  settings,
  traits,
  turnOf: helmTurn,
  readyBeforeAfter: waitsForReady,
}

function traits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  const marked = withCommonMetadata(object, carrier)
  if (carrier !== undefined) {
    const suspend = switchAt(carrier, ['spec', 'suspend'])
    if (suspend !== 'off') {
      return leftAlone(
        thrown('the HelmRelease is suspended (spec.suspend)', suspend),
        'R-1',
        'refused',
      )
    }
  }
  const reading = helmHook(marked, { without: (event) => isHookOff(carrier, event) })
  if (reading.kind === 'ignored') return leftAlone(reading.why, 'H-1', 'refused')
  return reading.kind === 'hook'
    ? hookTraits(carrier, marked, reading.hook)
    : plainTraits(carrier, marked)
}

function plainTraits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  const waiter = plainWaiter(carrier, object)
  const endless = !isCronJob(object) && retriesOf(carrier, ACTIONS).some(isEndless)
  return {
    applies: true,
    restoresAbsent: restoreOf(carrier, object),
    templateChange: templateChangeOf(object, 'refused'),
    updatesBy: isReplacedInPlace(carrier) ? 'put' : 'apply',
    ...(waiter === undefined ? {} : { waiter }),
    removesUndeclared: removedUnless(keptByPolicy(object)),
    generateName: 'refused',
    // RetryOnFailure only looks at a failed plain Job again (trace 064).
    ...(waiter !== undefined && endless
      ? { recreatesFailed: 'every retry of the release, without a limit' }
      : {}),
    assumed: false,
  }
}

/** Hooks are not in the manifest that drift detection compares. */
function hookTraits(carrier: JsonObject | undefined, object: JsonObject, hook: Hook): Traits {
  const actions = actionsOf(hook)
  // A failed test counts as a failed install or upgrade (trace 032).
  const retries = retriesOf(carrier, hook.phases.includes('test') ? ACTIONS : actions)
  // The retry of a failed install is an upgrade, which does not repeat install hooks (trace 023).
  const endless =
    retries.some(isEndless) || (actions.includes('upgrade') && retriesOnFailure(carrier, 'upgrade'))
  const repeats = retries.some((count) => count !== 0) || endless
  const waiter = hookWaiter(carrier, object, { hook, repeats })
  return {
    applies: true,
    restoresAbsent: { when: 'never', rule: 'R-5' },
    templateChange: hookTemplateChange(object, hook),
    updatesBy: 'apply',
    hook: { ...hook, ...retrySkips(carrier, hook) },
    ...(waiter === undefined ? {} : { waiter }),
    whileHeld: HELD,
    removesUndeclared: false,
    generateName: 'refused',
    ...(endless && !isCronJob(object)
      ? { recreatesFailed: 'every retry of the release, without a limit' }
      : {}),
    assumed: false,
  }
}

/**
 * After the remediation `uninstall` the next attempt is an install, so hooks of the upgrade are no
 * part of it (trace 019).
 */
function retrySkips(carrier: JsonObject | undefined, { phases }: Hook): Pick<Hook, 'retrySkips'> {
  const uninstalls =
    stringAt(carrier, ['spec', 'upgrade', 'remediation', 'strategy']) === 'uninstall'
  const retries = retriesOf(carrier, ['upgrade']).some((count) => count !== 0)
  const isOfInstall = phases.some((event) => event.endsWith('-install'))
  const isOfUpgrade = phases.some((event) => event.endsWith('-upgrade'))
  return uninstalls && retries && isOfUpgrade && !isOfInstall ? { retrySkips: 'an install' } : {}
}

type Action = 'install' | 'upgrade'

const ACTIONS: readonly Action[] = ['install', 'upgrade']

function actionsOf({ phases }: Hook): readonly Action[] {
  return ACTIONS.filter((action) => phases.some((event) => event.endsWith(action)))
}

/** Switched off for its action, or a test while tests are not enabled. */
function isHookOff(carrier: JsonObject | undefined, event: string): boolean {
  if (carrier === undefined) return false
  if (event === 'test') return switchAt(carrier, ['spec', 'test', 'enable']) !== 'on'
  const action = event.replace(/^(?:pre|post)-/, '').replace('delete', 'uninstall')
  return switchAt(carrier, ['spec', action, 'disableHooks']) === 'on'
}

function restoreOf(carrier: JsonObject | undefined, object: JsonObject): Restore {
  const mode = stringAt(carrier, ['spec', 'driftDetection', 'mode'])
  if (mode === 'enabled') {
    if (!isOutOfDrift(carrier, object)) {
      const seconds = apiDurationSeconds(at(carrier, ['spec', 'interval']))
      return {
        when: 'interval',
        periodSeconds: positiveSeconds(seconds),
        unwaited: { againSeconds: AGAIN_SECONDS },
        rule: 'R-5',
      }
    }
  }
  return {
    when: 'change',
    on: 'the next upgrade of the release (any change of chart, values or post-renderers)',
    ...(carrier === undefined || isTemplated(mode) ? { orSooner: true as const } : {}),
    rule: 'R-1, H-7',
  }
}

/**
 * upgrade.force is a PUT, but only where server-side apply is off (R-2, traces 012, 012b);
 * `auto` follows the release that the install made, which uses it unless told otherwise.
 */
function isReplacedInPlace(carrier: JsonObject | undefined): boolean {
  if (switchAt(carrier, ['spec', 'upgrade', 'force']) !== 'on') return false
  const mode = stringAt(carrier, ['spec', 'upgrade', 'serverSideApply']) ?? 'auto'
  if (mode === 'disabled') return true
  return mode === 'auto' && at(carrier, ['spec', 'install', 'serverSideApply']) === false
}

/**
 * The wait of the upgrade, or of the install where only that one waits. A Job that vanished counts
 * as success when it has a TTL, whatever its end was (R-3, traces 010, 051).
 */
function plainWaiter(carrier: JsonObject | undefined, object: JsonObject): Waiter | undefined {
  if (carrier === undefined || isCronJob(object)) return undefined
  const action = (['upgrade', 'install'] as const).find(
    (name) =>
      switchAt(carrier, ['spec', name, 'disableWait']) === 'off' &&
      switchAt(carrier, ['spec', name, 'disableWaitForJobs']) === 'off',
  )
  if (action === undefined) return undefined
  const repeats = retriesOf(carrier, ACTIONS).some((count) => count !== 0)
  return waiterWith(carrier, object, { action, repeats })
}

/** It waits by default; post-install and post-upgrade hooks come after that wait. */
function waitsForReady(carrier: JsonObject | undefined): 'always' | 'if-asked' | 'never' {
  const states = ACTIONS.map((action) => switchAt(carrier, ['spec', action, 'disableWait']))
  if (states.includes('off')) return 'always'
  return states.includes('unknown') ? 'if-asked' : 'never'
}

function hookWaiter(
  carrier: JsonObject | undefined,
  object: JsonObject,
  { hook, repeats }: { readonly hook: Hook; readonly repeats: boolean },
): Waiter | undefined {
  if (carrier === undefined || isCronJob(object) || hook.onlyOn === UNRENDERED) return undefined
  const action = actionsOf(hook).at(-1) ?? otherAction(hook)
  return waiterWith(carrier, object, { action, repeats })
}

function otherAction({ phases }: Hook): string {
  if (phases.includes('test')) return 'test'
  return phases.some((event) => event.endsWith('rollback')) ? 'rollback' : 'uninstall'
}

/** A suspended Job counts as done, also as a hook (trace 054). */
function waiterWith(
  carrier: JsonObject,
  object: JsonObject,
  { action, repeats }: { readonly action: string; readonly repeats: boolean },
): Waiter | undefined {
  const timeoutSeconds = timeoutOf(carrier, action)
  if (timeoutSeconds === undefined) return undefined
  const legacy = stringAt(carrier, ['spec', 'waitStrategy', 'name']) === 'legacy'
  return {
    who: 'the HelmRelease',
    timeoutSeconds,
    pollSeconds: legacy ? undefined : POLL_SECONDS,
    suspended: 'done',
    absent: hasTtl(object) ? 'success' : 'timeout',
    afterFailure: repeats ? 'recreates' : 'stays-failed',
    rule: 'R-3, R-8',
  }
}

/** Undefined when only rendering knows: it would read as "for ever". */
function timeoutOf(carrier: JsonObject, action: string): number | undefined {
  const paths: readonly Path[] = [
    ['spec', action, 'timeout'],
    ['spec', 'timeout'],
  ]
  const written = paths.map((path) => at(carrier, path)).find((value) => value != null)
  return written === undefined ? DEFAULT_TIMEOUT_SECONDS : apiDurationSeconds(written)
}

/**
 * Retries with remediation: rollback or uninstall in between, so what was created runs again
 * . A count that only rendering knows counts as one, which claims no end and no lack of one.
 */
function retriesOf(carrier: JsonObject | undefined, actions: readonly Action[]): readonly number[] {
  return actions.map((action) => {
    if (retriesOnFailure(carrier, action)) return 0
    const written = at(carrier, ['spec', action, 'remediation', 'retries'])
    if (written === undefined || written === null) return 0
    return integerAt(written, []) ?? 1
  })
}

function isEndless(retries: number): boolean {
  return retries < 0
}

/** The same action again, without remediation and without an end (R-9, traces 021, 064). */
function retriesOnFailure(carrier: JsonObject | undefined, action: Action): boolean {
  return stringAt(carrier, ['spec', action, 'strategy', 'name']) === 'RetryOnFailure'
}

function settings(carrier: JsonObject | undefined): readonly Setting[] {
  if (carrier === undefined) return []
  const row = (name: string, preset?: string, show?: (value: Json) => string): SettingRow => ({
    name,
    path: ['spec', ...name.split('.')],
    ...(preset === undefined ? {} : { preset }),
    ...(show === undefined ? {} : { show }),
  })
  const each = (tail: string, preset?: string): readonly SettingRow[] =>
    ACTIONS.map((action) => row(`${action}.${tail}`, preset))
  const upgradeRetries = integerAt(carrier, ['spec', 'upgrade', 'remediation', 'retries']) ?? 0
  return readSettings(carrier, [
    row('interval'),
    row('timeout', '5m'),
    ...each('timeout'),
    row('suspend', 'false'),
    row('driftDetection.mode', 'disabled'),
    row('driftDetection.ignore', undefined, countOf),
    row('upgrade.force', 'false'),
    row('install.serverSideApply', 'true'),
    row('upgrade.serverSideApply', 'auto'),
    ...each('strategy.name', 'RemediateOnFailure'),
    ...each('remediation.retries', '0'),
    row('upgrade.remediation.strategy', 'rollback'),
    row('install.remediation.remediateLastFailure', 'false'),
    row('upgrade.remediation.remediateLastFailure', String(upgradeRetries > 0)),
    ...each('disableWait', 'false'),
    ...each('disableWaitForJobs', 'false'),
    ...each('disableHooks', 'false'),
    row('waitStrategy.name', 'poller'),
    row('test.enable', 'false'),
    row('dependsOn'),
    row('targetNamespace'),
    row('commonMetadata'),
    row('postRenderers', undefined, countOf),
  ])
}
