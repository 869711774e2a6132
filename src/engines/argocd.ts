import { listAt, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import { readApp, argocdSettings, type AppPolicy } from './argocd-app.ts'
import type { Engine, Health, Hook, Restore, Surroundings, Traits, Waiter } from './engine.ts'
import { mergedPolicies, readArgoHook, UNRENDERED, type HookReading } from './hooks.ts'
import { annotationOf, commaList, isCronJob, type Switch } from './metadata.ts'
import { argoTurn } from './order.ts'
import { hookTemplateChange, leftAlone, templateChangeOf } from './traits.ts'

const OPTIONS = 'argocd.argoproj.io/sync-options'
/** The first self-heal comes at once, repeated ones after 2, 6, 18 ... seconds. */
const LONGEST_SELF_HEAL_SECONDS = 300
/** From the end of one to the begin of the next. */
const SELF_HEAL_PAUSES = [0, 2, 6, 18, 54, 162, LONGEST_SELF_HEAL_SECONDS]

/**
 * Argo CD 3.6: one automated sync per revision, self-heal for what is missing, hooks outside the
 * comparison. Options are read from the Application and from the object, in their exact spelling;
 * Argo CD also reads Replace and Force from the live object, which no repository shows.
 */
export const argocd: Engine = {
  id: 'argocd',
  title: 'Argo CD',
  carrierKinds: ['argoproj.io Application', 'argoproj.io ApplicationSet'],
  settings: argocdSettings,
  traits,
  turnOf: argoTurn,
  // A phase ends when all that it applied is healthy.
  readyBeforeAfter: () => 'always',
}

function traits(
  carrier: JsonObject | undefined,
  object: JsonObject,
  { followed }: Surroundings = {},
): Traits {
  const app = readApp(carrier)
  if (app.paused !== undefined) return leftAlone(app.paused, 'A-2', 'hooks-only')
  const reading = readArgoHook(object)
  if (reading.kind === 'ignored') return leftAlone(reading.why, 'A-31', 'hooks-only')
  const options = new Set(commaList(annotationOf(object, OPTIONS) ?? ''))
  return reading.kind === 'none'
    ? plainTraits(app, object, { options, followed })
    : hookTraits(app, object, { options, reading })
}

interface PlainDetails {
  readonly options: ReadonlySet<string>
  readonly followed: boolean | undefined
}

function plainTraits(app: AppPolicy, object: JsonObject, details: PlainDetails): Traits {
  const { options } = details
  const replaces = isReplaced(app, options)
  const recreates = replaces && options.has('Force=true')
  const waiter = plainWaiter(app, object, details)
  return {
    applies: true,
    restoresAbsent: restoreOf(app),
    templateChange: plainTemplateChange(app, object, options),
    updatesBy: recreates ? 'delete-and-create' : replaces ? 'put' : 'apply',
    // An unmodified object is not part of the sync with this option (A-28, traces 045, 101).
    ...(recreates && !app.options.has('ApplyOutOfSyncOnly=true')
      ? { recreatesUnchanged: 'every full sync' }
      : {}),
    ...(waiter === undefined ? {} : { waiter }),
    ...(details.followed === false ? { comesLast: 'the last wave' } : {}),
    ...refusedReadsApplied(app, object),
    whileHeld: recreates ? WAITS_FIVE_MINUTES : LOST,
    health: healthOf(object),
    removesUndeclared: removesUndeclared(app, options),
    generateName: 'hooks-only',
    ...(recreates && waiter !== undefined && app.retryLimit !== undefined && app.retryLimit < 0
      ? { recreatesFailed: 'every retry of the sync, without a limit' }
      : {}),
    assumed: false,
  }
}

/** What the successor of a held Job meets (traces 118, 121, 122). */
const LOST =
  'the sync fails at once, and once the finalizer is gone so is the Job, and nothing makes the new one'
const WAITS_FIVE_MINUTES = 'the sync waits up to 5 min for the finalizer and then fails'
const WAITS = 'the sync waits for the finalizer without a limit'

/**
 * The dry run of the comparison is refused, so no sync starts; a later periodic comparison takes
 * the results of the revision before and says Synced (traces 037, 077, 078, 094).
 */
function refusedReadsApplied(
  { serverSideDiff }: AppPolicy,
  object: JsonObject,
): Pick<Traits, 'refusedReadsApplied'> {
  if (serverSideDiff === undefined || isCronJob(object)) return {}
  const [setting = ''] = serverSideDiff.split('=')
  return { refusedReadsApplied: { setting, words: serverSideDiff } }
}

/** Replace=false on the object takes it out of the Application's Replace=true. */
function isReplaced(app: AppPolicy, options: ReadonlySet<string>): boolean {
  if (options.has('Replace=true')) return true
  return app.options.has('Replace=true') && !options.has('Replace=false')
}

/** Force alone has no effect under server-side apply (traces 044, 093), Replace alone fails. */
function plainTemplateChange(
  app: AppPolicy,
  object: JsonObject,
  options: ReadonlySet<string>,
): Traits['templateChange'] {
  if (!isCronJob(object) && ignoresTemplate(app, object)) return 'skipped'
  const serverSide =
    !options.has('ServerSideApply=false') &&
    (app.options.has('ServerSideApply=true') || options.has('ServerSideApply=true'))
  const forced = options.has('Force=true') && (isReplaced(app, options) || !serverSide)
  return templateChangeOf(object, forced ? 'recreates' : 'refused')
}

/** RespectIgnoreDifferences with the pod template ignored: never applied (trace 048). */
function ignoresTemplate(app: AppPolicy, object: JsonObject): boolean {
  if (!app.options.has('RespectIgnoreDifferences=true')) return false
  return app.ignoreDifferences.some((item) => {
    const rule = objectAt(item, []) ?? {}
    const group = stringAt(rule, ['group']) ?? ''
    const kind = stringAt(rule, ['kind'])
    const name = stringAt(rule, ['name'])
    return (
      (group === 'batch' || group === '*') &&
      (kind === 'Job' || kind === '*') &&
      (name === undefined || name === stringAt(object, ['metadata', 'name'])) &&
      listAt(rule, ['jsonPointers']).some(
        (pointer) => pointer === '/spec' || pointer === '/spec/template',
      )
    )
  })
}

function restoreOf(app: AppPolicy): Restore {
  if (app.automated !== 'on') {
    const on = 'the next sync by hand'
    return { when: 'change', on, ...waitsFor(app.automated), rule: 'A-2, A-6' }
  }
  if (app.selfHeal !== 'on') {
    return {
      when: 'change',
      on: 'the next revision of the source or a sync by hand',
      ...sooner(app.selfHeal),
      rule: 'A-4, A-6',
    }
  }
  return {
    when: 'watch',
    delaySeconds: 0,
    maxDelaySeconds: LONGEST_SELF_HEAL_SECONDS,
    pausesSeconds: SELF_HEAL_PAUSES,
    rule: 'A-10',
  }
}

function waitsFor(automated: Switch): { readonly orSooner?: true; readonly byHand?: true } {
  return automated === 'unknown' ? { orSooner: true } : { byHand: true }
}

function sooner(found: Switch): { readonly orSooner?: true } {
  return found === 'unknown' ? { orSooner: true } : {}
}

/** Prune of the object wins over that of the app; `confirm` needs a person. */
function removesUndeclared(app: AppPolicy, options: ReadonlySet<string>): boolean | undefined {
  const of = (all: ReadonlySet<string>): string | undefined =>
    [...all].find((option) => option.startsWith('Prune='))?.slice('Prune='.length)
  const choice = of(options) ?? of(app.options)
  if (choice === 'false' || choice === 'confirm') return false
  if (app.automated === 'on' && app.prune !== 'unknown') return app.prune === 'on'
  // Who syncs by hand chooses at that moment.
  return undefined
}

/**
 * Only what something comes after is waited for (A-21, traces 050, 095); a Job that goes missing
 * meanwhile fails the sync, and each retry creates it again.
 */
function plainWaiter(
  app: AppPolicy,
  object: JsonObject,
  { options, followed }: PlainDetails,
): Waiter | undefined {
  if (followed !== true || isCronJob(object)) return undefined
  const recreates = isReplaced(app, options) && options.has('Force=true')
  return {
    who: 'the Argo CD sync',
    timeoutSeconds: undefined,
    pollSeconds: undefined,
    suspended: 'waits',
    absent: 'failure',
    afterFailure: recreates && app.retryLimit !== 0 ? 'recreates' : 'stays-failed',
    rule: 'A-21, A-22, A-23',
  }
}

function healthOf(object: JsonObject): Health {
  return {
    where: 'the health of the Application',
    suspended: isCronJob(object) ? 'Healthy' : 'Suspended',
    failed: 'Degraded',
    rule: isCronJob(object) ? 'A-17' : 'A-16',
  }
}

interface HookDetails {
  readonly options: ReadonlySet<string>
  readonly reading: Extract<HookReading, { kind: 'hook' | 'unknown' }>
}

/** Hooks take no part in the comparison, so an absent one is not noticed. */
function hookTraits(app: AppPolicy, object: JsonObject, details: HookDetails): Traits {
  const hook = hookOf(object, details.reading)
  const deletedFirst = hook.deletePolicies.includes('before-hook-creation')
  const { options } = details
  const put = isReplaced(app, options) && !options.has('Force=true') && !deletedFirst
  const waiter = hookWaiter(app, object, hook)
  return {
    applies: true,
    restoresAbsent: { when: 'never', rule: 'A-14' },
    templateChange: hookTemplateChange(object, hook),
    updatesBy: put ? 'put' : 'apply',
    hook,
    ...(waiter === undefined ? {} : { waiter }),
    whileHeld: WAITS,
    removesUndeclared: false,
    generateName: 'hooks-only',
    ...recreatesFailed(app, hook),
    assumed: false,
  }
}

/** Each retry starts the whole operation again; a failing PreDelete hook never ends. */
function recreatesFailed(app: AppPolicy, hook: Hook): { readonly recreatesFailed?: string } {
  if (hook.phases.includes('PreDelete')) {
    return { recreatesFailed: 'every reconcile while the Application is being deleted' }
  }
  const endless = app.retryLimit !== undefined && app.retryLimit < 0
  return endless && isRepeatable(hook) && hook.onlyOn === undefined
    ? { recreatesFailed: 'every retry of the sync, without a limit' }
    : {}
}

/** With neither policy a failed hook stays and fails each retry without a run (A-35, trace 119). */
function isRepeatable({ deletePolicies }: Hook): boolean {
  return deletePolicies.includes('before-hook-creation') || deletePolicies.includes('hook-failed')
}

function hookOf(object: JsonObject, reading: HookDetails['reading']): Hook {
  const { annotation } = reading
  const base = { annotation, ...mergedPolicies(object), existing: 'reused-or-refused' } as const
  if (reading.kind === 'unknown') {
    return { ...base, phases: [reading.text], runsOn: UNRENDERED, onlyOn: UNRENDERED }
  }
  const { phases } = reading
  const runs = { ...base, phases }
  if (phases.some((phase) => ROUTINE.has(phase))) return { ...runs, runsOn: 'every full sync' }
  if (phases.includes('SyncFail')) {
    return { ...runs, runsOn: 'every failed attempt of a sync', onlyOn: 'a failed sync' }
  }
  // Deletion hooks are created when absent, and a failed one is always deleted first.
  const deletePolicies = [...new Set([...runs.deletePolicies, 'before-hook-creation'] as const)]
  return { ...runs, deletePolicies, runsOn: DELETION, onlyOn: DELETION }
}

const ROUTINE: ReadonlySet<string> = new Set(['PreSync', 'Sync', 'PostSync'])
const DELETION = 'deletion of the Application'

/**
 * No timeout of its own. A hook that is deleted meanwhile, or on versions without hook
 * finalizers one that its TTL deletes, is waited for without an end (A-37, traces 063, 099).
 * PostDelete hooks are not waited for (trace 061).
 */
function hookWaiter(app: AppPolicy, object: JsonObject, hook: Hook): Waiter | undefined {
  if (isCronJob(object) || hook.onlyOn === UNRENDERED) return undefined
  if (hook.phases.every((phase) => phase === 'PostDelete')) return undefined
  const deletes = hook.phases.includes('PreDelete')
  return {
    who: hook.onlyOn === DELETION ? 'the deletion of the Application' : 'the Argo CD sync',
    timeoutSeconds: undefined,
    pollSeconds: undefined,
    suspended: 'waits',
    absent: 'hangs',
    afterFailure:
      deletes || (app.retryLimit !== 0 && isRepeatable(hook)) ? 'recreates' : 'stays-failed',
    rule: 'A-21, A-34, A-37',
  }
}
