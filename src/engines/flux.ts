import { at, isObject, listAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { apiDurationSeconds, durationText, positiveSeconds } from './duration.ts'
import type { Engine, Restore, Setting, Traits, Waiter } from './engine.ts'
import {
  hasTtl,
  isCronJob,
  isSameObject,
  markOf,
  switchAt,
  withCommonMetadata,
} from './metadata.ts'
import { countOf, readSettings, textOf } from './settings.ts'
import { leftAlone, removedUnless, templateChangeOf, thrown, type Thrown } from './traits.ts'

const GROUP = 'kustomize.toolkit.fluxcd.io'
const LEAST_TIMEOUT_SECONDS = 30
/** Trace kustomize-controller/011. */
const HELD =
  'the reconcile waits for the finalizer, also beyond its timeout, and holds one of four workers'

/**
 * Flux kustomize-controller 1.9: applies everything at each interval and at each revision (F-1),
 * so an absent Job comes back whatever `prune` says; hook annotations mean nothing to it (F-13).
 * Marks are read from annotations and labels, in any case, also those of commonMetadata (F-12).
 */
export const flux: Engine = {
  id: 'flux',
  title: 'Flux',
  carrierKinds: [`${GROUP} Kustomization`],
  settings,
  traits,
}

function traits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  const marked = withCommonMetadata(object, carrier)
  const skipped = skippedBy(carrier, marked)
  if (skipped !== undefined) return leftAlone(skipped, 'F-3, F-12', 'refused')
  const onlyAbsent = markOf(marked, `${GROUP}/ssa`, 'IfNotPresent') === 'on'
  const checker = waiterOf(carrier, marked)
  const waiter = onlyAbsent ? undefined : checker
  return {
    applies: true,
    restoresAbsent: {
      ...restoreOf(carrier),
      ...(onlyAbsent && checker !== undefined ? { waiterOfNew: checker } : {}),
    },
    templateChange: onlyAbsent
      ? 'skipped'
      : templateChangeOf(marked, isForced(carrier, marked) ? 'recreates' : 'refused'),
    updatesBy: 'apply',
    ...(waiter === undefined ? {} : { waiter }),
    whileHeld: HELD,
    removesUndeclared: removesUndeclared(carrier, marked),
    generateName: 'refused',
    assumed: false,
  }
}

/** A round that failed is made again after `retryInterval`, which does not grow (F-2). */
function restoreOf(carrier: JsonObject | undefined): Restore {
  const periodSeconds = positiveSeconds(apiDurationSeconds(at(carrier, ['spec', 'interval'])))
  const written = at(carrier, ['spec', 'retryInterval'])
  const retrySeconds =
    written === undefined || written === null
      ? periodSeconds
      : positiveSeconds(apiDurationSeconds(written))
  return {
    when: 'interval',
    periodSeconds,
    ...(retrySeconds === undefined
      ? {}
      : { retry: { firstSeconds: retrySeconds, mostSeconds: retrySeconds } }),
    rule: 'F-1',
  }
}

/** A switch that only rendering knows counts as thrown: then nothing is claimed. */
function skippedBy(carrier: JsonObject | undefined, object: JsonObject): Thrown | undefined {
  if (carrier !== undefined) {
    const suspend = switchAt(carrier, ['spec', 'suspend'])
    if (suspend !== 'off') return thrown('the Kustomization is suspended (spec.suspend)', suspend)
  }
  const disabled = markOf(object, `${GROUP}/reconcile`, 'disabled')
  if (disabled !== 'off') return thrown(`${GROUP}/reconcile is disabled`, disabled)
  // A templated ssa mode shows as unknown for each of its words; Ignore is the one that matters.
  const ignored = markOf(object, `${GROUP}/ssa`, 'Ignore')
  return ignored === 'off' ? undefined : thrown(`${GROUP}/ssa is Ignore`, ignored)
}

/** Force that only rendering knows counts as off, the default. */
function isForced(carrier: JsonObject | undefined, object: JsonObject): boolean {
  return (
    switchAt(carrier, ['spec', 'force']) === 'on' ||
    markOf(object, `${GROUP}/force`, 'enabled') === 'on'
  )
}

function removesUndeclared(
  carrier: JsonObject | undefined,
  object: JsonObject,
): boolean | undefined {
  const prune = switchAt(carrier, ['spec', 'prune'])
  const kept = markOf(object, `${GROUP}/prune`, 'disabled')
  if (kept === 'on' || prune === 'off') return false
  return prune === 'unknown' ? undefined : removedUnless(kept)
}

/**
 * The health check (F-15): first look at once, then every 5 s. A CronJob passes at once, and so
 * does a suspended Job. Objects that are only created when absent are mostly not looked at.
 * Without a readable timeout nothing is said, because none would read as "for ever".
 */
function waiterOf(carrier: JsonObject | undefined, object: JsonObject): Waiter | undefined {
  if (carrier === undefined || isCronJob(object) || !isChecked(carrier, object)) return undefined
  const timeoutSeconds = timeoutOf(carrier)
  if (timeoutSeconds === undefined) return undefined
  return {
    who: "the Kustomization's health check",
    timeoutSeconds,
    pollSeconds: 5,
    suspended: 'done',
    absent: hasTtl(object) ? 'success' : 'timeout',
    afterFailure: 'stays-failed',
    rule: 'F-15, F-16',
  }
}

/** `wait` checks everything and makes the list void. */
function isChecked(carrier: JsonObject, object: JsonObject): boolean {
  const wait = switchAt(carrier, ['spec', 'wait'])
  if (wait !== 'off') return wait === 'on'
  return listAt(carrier, ['spec', 'healthChecks']).some(
    (item) => isObject(item) && isSameObject(asObject(item), object),
  )
}

function asObject(check: JsonObject): JsonObject {
  return { kind: check['kind'], metadata: { name: check['name'], namespace: check['namespace'] } }
}

/** Default: interval minus 30 s. The floor holds for a written timeout too (F-2, trace 027). */
function timeoutOf(carrier: JsonObject): number | undefined {
  const written = at(carrier, ['spec', 'timeout'])
  const seconds =
    written === undefined || written === null
      ? minus30(apiDurationSeconds(at(carrier, ['spec', 'interval'])))
      : apiDurationSeconds(written)
  return seconds === undefined ? undefined : Math.max(seconds, LEAST_TIMEOUT_SECONDS)
}

function minus30(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds - 30
}

function settings(carrier: JsonObject | undefined): readonly Setting[] {
  if (carrier === undefined) return []
  const interval = stringAt(carrier, ['spec', 'interval'])
  const timeout = timeoutOf(carrier)
  const names = [
    { name: 'path', preset: './' },
    { name: 'interval' },
    { name: 'retryInterval', ...(interval === undefined ? {} : { preset: interval }) },
    {
      name: 'timeout',
      show: raised,
      ...(timeout === undefined ? {} : { preset: durationText(timeout) }),
    },
    { name: 'prune', preset: 'false' },
    { name: 'force', preset: 'false' },
    { name: 'wait', preset: 'false' },
    { name: 'healthChecks' },
    { name: 'suspend', preset: 'false' },
    { name: 'deletionPolicy', preset: 'MirrorPrune' },
    { name: 'dependsOn' },
    { name: 'targetNamespace' },
    { name: 'namePrefix' },
    { name: 'nameSuffix' },
    { name: 'commonMetadata' },
    { name: 'patches', show: countOf },
    { name: 'images' },
    { name: 'components' },
    { name: 'postBuild' },
  ]
  return readSettings(
    carrier,
    names.map((row) => ({ ...row, path: ['spec', row.name] })),
  )
}

/** A timeout below the floor is silently lifted, so the list says what holds. */
function raised(value: Json): string {
  const seconds = apiDurationSeconds(value)
  return seconds !== undefined && seconds < LEAST_TIMEOUT_SECONDS
    ? `${textOf(value)} (raised to ${LEAST_TIMEOUT_SECONDS}s)`
    : textOf(value)
}
