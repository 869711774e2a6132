import { isTemplated } from '../core/templates.ts'
import { at, isObject, listAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { apiDurationSeconds, durationText, goDurationSeconds, positiveSeconds } from './duration.ts'
import type { Engine, Setting, Traits, Waiter } from './engine.ts'
import {
  annotationOf,
  isCronJob,
  isSameObject,
  markOf,
  switchAt,
  withCommonMetadata,
} from './metadata.ts'
import { readSettings, type SettingRow } from './settings.ts'
import { leftAlone, removedUnless, templateChangeOf, thrown } from './traits.ts'

const GROUP = 'fluxcd.controlplane.io'
const DEFAULT_INTERVAL_SECONDS = 3600
const DEFAULT_TIMEOUT_SECONDS = 300
/** The rate limiter (O-2): its first 0.75 s go by when a new set gets its finalizer. */
const RETRY = { firstSeconds: 1.5, mostSeconds: 900 }
/** As kustomize-controller does (O-9); trace 032. */
const HELD = 'the reconcile waits for the finalizer and holds one of ten workers'
const HELD_FAILED =
  'the attempt fails after 60 s, and each retry applies onto the vanishing Job until the finalizer is gone'

/**
 * flux-operator ResourceSet 0.58: applies everything at each reconcile (O-1), in steps that are
 * waited for (O-6). Hook annotations and the Kustomization's marks mean nothing to it (O-3).
 */
export const resourceset: Engine = {
  id: 'resourceset',
  title: 'Flux ResourceSet',
  carrierKinds: [`${GROUP} ResourceSet`],
  settings,
  traits,
}

function traits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  if (carrier !== undefined) {
    const paused = disabledOf(carrier)
    if (paused !== 'off') {
      return leftAlone(
        thrown(`the ResourceSet is paused (${GROUP}/reconcile)`, paused),
        'O-3',
        'refused',
      )
    }
  }
  const marked = withCommonMetadata(object, carrier)
  const recreates = recreatesOnFailure(marked)
  const waiter = waiterOf(carrier, object, recreates)
  const periodSeconds = intervalOf(carrier)
  return {
    applies: true,
    restoresAbsent: { when: 'interval', periodSeconds, retry: RETRY, rule: 'O-1' },
    templateChange: templateChangeOf(marked, isForced(carrier, marked) ? 'recreates' : 'refused'),
    updatesBy: 'apply',
    ...(waiter === undefined ? {} : { waiter }),
    whileHeld: recreates ? HELD_FAILED : HELD,
    removesUndeclared: removedUnless(markOf(marked, `${GROUP}/prune`, 'disabled')),
    generateName: 'refused',
    ...(recreates ? { recreatesFailed: occasion(waiter, periodSeconds) } : {}),
    assumed: false,
  }
}

/** Read from the annotation alone, in any case. */
function disabledOf(carrier: JsonObject): 'on' | 'off' | 'unknown' {
  const value = annotationOf(carrier, `${GROUP}/reconcile`)
  if (isTemplated(value)) return 'unknown'
  return value?.toLowerCase() === 'disabled' ? 'on' : 'off'
}

/** In any case as annotation or label of the object (O-9); on the set as annotation. */
function isForced(carrier: JsonObject | undefined, object: JsonObject): boolean {
  const onSet = carrier === undefined ? undefined : annotationOf(carrier, `${GROUP}/force`)
  return onSet?.toLowerCase() === 'enabled' || markOf(object, `${GROUP}/force`, 'enabled') === 'on'
}

/** The exact word, as annotation, on a batch/v1 Job (O-10). */
function recreatesOnFailure(object: JsonObject): boolean {
  return (
    object['kind'] === 'Job' &&
    object['apiVersion'] === 'batch/v1' &&
    annotationOf(object, `${GROUP}/recreateOnFailure`) === 'enabled'
  )
}

/** Without a wait the failure is no error, so only the interval counts (trace 007). */
function occasion(waiter: Waiter | undefined, periodSeconds: number | undefined): string {
  if (waiter !== undefined) {
    return 'every retry after a failed wait (after 0.75 s, doubling to 15 min)'
  }
  return periodSeconds === undefined
    ? 'every reconcile'
    : `every reconcile (each ${durationText(periodSeconds)})`
}

/** What Go cannot read counts as not written; what only rendering knows is unknown. */
function intervalOf(carrier: JsonObject | undefined): number | undefined {
  return positiveSeconds(annotationSeconds(carrier, 'reconcileEvery', DEFAULT_INTERVAL_SECONDS))
}

function annotationSeconds(
  carrier: JsonObject | undefined,
  name: string,
  preset: number,
): number | undefined {
  if (carrier === undefined) return undefined
  const text = annotationOf(carrier, `${GROUP}/${name}`)
  if (text === undefined) return preset
  return isTemplated(text) ? undefined : (goDurationSeconds(text) ?? preset)
}

/**
 * Every step but the last is waited for, the last one only with `spec.wait` (O-6); a set without
 * steps is one step. No exception for TTLs: a Job that is gone ends in the timeout (O-11).
 */
function waiterOf(
  carrier: JsonObject | undefined,
  object: JsonObject,
  recreates: boolean,
): Waiter | undefined {
  if (carrier === undefined || isCronJob(object)) return undefined
  const step = stepOf(carrier, object)
  const waits = switchAt(carrier, ['spec', 'wait']) === 'on' || step?.isLast === false
  if (!waits) return undefined
  const own = at(step?.value, ['timeout'])
  const timeoutSeconds =
    own === undefined || own === null
      ? annotationSeconds(carrier, 'reconcileTimeout', DEFAULT_TIMEOUT_SECONDS)
      : apiDurationSeconds(own)
  if (timeoutSeconds === undefined) return undefined
  return {
    who: step === undefined ? 'the ResourceSet' : `step ${step.name} of the ResourceSet`,
    timeoutSeconds,
    pollSeconds: 5,
    suspended: 'done',
    absent: 'timeout',
    afterFailure: recreates ? 'recreates' : 'stays-failed',
    rule: 'O-6, O-11',
  }
}

interface Step {
  readonly value: Json
  readonly name: string
  readonly isLast: boolean
}

/**
 * The step that holds the object: in its `resources`, or by its name as it is written in the text
 * of its template. Undefined when that finds none, or more than one.
 */
function stepOf(carrier: JsonObject, object: JsonObject): Step | undefined {
  const steps = listAt(carrier, ['spec', 'steps'])
  const holding = steps.filter((step) => holdsObject(step, object))
  const candidates =
    holding.length > 0 ? holding : steps.filter((step) => namesObject(step, object))
  const [value] = candidates
  if (candidates.length !== 1 || value === undefined) return undefined
  const position = steps.indexOf(value)
  return {
    value,
    name: stringAt(value, ['name']) ?? String(position + 1),
    isLast: position === steps.length - 1,
  }
}

function holdsObject(step: Json, object: JsonObject): boolean {
  return listAt(step, ['resources']).some((item) => isObject(item) && isSameObject(item, object))
}

function namesObject(step: Json, object: JsonObject): boolean {
  const name = stringAt(object, ['metadata', 'name'])
  const text = stringAt(step, ['resourcesTemplate'])
  return name !== undefined && text !== undefined && text.includes(name)
}

function settings(carrier: JsonObject | undefined): readonly Setting[] {
  if (carrier === undefined) return []
  const mark = (name: string, preset: string): SettingRow => ({
    name,
    path: ['metadata', 'annotations', `${GROUP}/${name}`],
    preset,
  })
  const spec = (name: string): SettingRow => ({ name, path: ['spec', name] })
  return readSettings(carrier, [
    mark('reconcileEvery', durationText(DEFAULT_INTERVAL_SECONDS)),
    mark('reconcileTimeout', durationText(DEFAULT_TIMEOUT_SECONDS)),
    mark('reconcile', 'enabled'),
    mark('force', 'disabled'),
    { ...spec('wait'), preset: 'false' },
    spec('steps'),
    spec('dependsOn'),
    spec('inputsFrom'),
    { name: 'inputStrategy', path: ['spec', 'inputStrategy', 'name'] },
    spec('commonMetadata'),
  ])
}
