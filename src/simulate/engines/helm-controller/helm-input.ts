import { booleanAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { ActionInput, ActionOptions, Release, WaitStrategy } from '../helm/contract.ts'
import { previousIn } from './history.ts'
import { timeoutMsOf, type ActionName, type Settings } from './settings.ts'
import type { Chart, Embedded } from './state.ts'
import type { Status } from './status.ts'

const MANAGER = 'helm-controller'

export interface ActionFor {
  readonly action: ActionName
  readonly object: KubeObject
  readonly settings: Settings
  readonly status: Status
  readonly chart: Chart | undefined
  readonly stored: readonly Release[]
  readonly helm: Embedded
}

/** The Helm action that a HelmRelease asks for, with the controller's own defaults. */
export function actionInput(given: ActionFor): ActionInput {
  const { action, settings, chart, object } = given
  const [current] = given.status.history
  return {
    action,
    version: given.helm.version,
    release: current?.name ?? settings.releaseName,
    namespace: current?.namespace ?? settings.releaseNamespace,
    carrier: `HelmRelease ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
    ...(chart === undefined || (action !== 'install' && action !== 'upgrade')
      ? {}
      : { chart: { files: chart.files, values: chart.values } }),
    options: {
      ...optionsOf(given),
      ...waiting(object, objectAt(object, ['spec', action]), given.helm),
      timeoutMs: timeoutMsOf(object, action),
      noHooks: booleanAt(object, ['spec', action, 'disableHooks']) === true,
      historyMax: settings.maxHistory,
      fieldManager: MANAGER,
    },
  }
}

/** a poller waits for everything, Jobs included; `disableWait` leaves the hooks. */
function waiting(
  object: KubeObject,
  spec: JsonObject | undefined,
  { hasHelm3Defaults }: Embedded,
): Pick<ActionOptions, 'wait' | 'waitForJobs'> & { readonly hookWait: WaitStrategy } {
  const named = stringAt(object, ['spec', 'waitStrategy', 'name'])
  const isLegacy = named === undefined ? hasHelm3Defaults : named === 'legacy'
  const strategy = isLegacy ? 'legacy' : 'poller'
  return {
    wait: booleanAt(spec, ['disableWait']) === true ? 'none' : strategy,
    waitForJobs: booleanAt(spec, ['disableWaitForJobs']) !== true,
    hookWait: strategy,
  }
}

function optionsOf(given: ActionFor): ActionOptions {
  const spec = objectAt(given.object, ['spec', given.action])
  const is = (name: string): boolean => booleanAt(spec, [name]) === true
  switch (given.action) {
    case 'install': {
      const serverSide = booleanAt(spec, ['serverSideApply']) ?? !given.helm.hasHelm3Defaults
      const takeOwnership = !is('disableTakeOwnership')
      return { serverSide, forceConflicts: serverSide, takeOwnership, replace: is('replace') }
    }
    case 'upgrade':
      return {
        ...applied(spec, given.stored.at(-1)),
        takeOwnership: !is('disableTakeOwnership'),
        cleanupOnFail: is('cleanupOnFail'),
      }
    case 'rollback': {
      const target = rollbackTarget(given)
      const release = given.stored.find(({ version }) => version === target)
      return {
        ...applied(spec, release),
        ...(target === undefined ? {} : { toRevision: target }),
        cleanupOnFail: is('cleanupOnFail'),
      }
    }
    case 'uninstall': {
      const propagation = stringAt(spec, ['deletionPropagation']) ?? 'background'
      const word = { foreground: 'Foreground', orphan: 'Orphan' }[propagation] ?? 'Background'
      return { keepHistory: is('keepHistory'), cascade: word as 'Background' }
    }
    case 'test':
    default:
      return {}
  }
}

/** `auto` follows the release; force is a replacement, and only without server-side apply. */
function applied(spec: JsonObject | undefined, release: Release | undefined): ActionOptions {
  const mode = stringAt(spec, ['serverSideApply']) ?? 'auto'
  const serverSide = mode === 'auto' ? release?.applyMethod === 'ssa' : mode === 'enabled'
  return {
    serverSide,
    forceConflicts: serverSide,
    forceReplace: booleanAt(spec, ['force']) === true && !serverSide,
  }
}

function rollbackTarget({
  status,
  settings,
}: Pick<ActionFor, 'status' | 'settings'>): number | undefined {
  return previousIn(status.history, settings.upgrade.ignoresTests)?.version
}
