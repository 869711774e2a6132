import { at, isObject, listAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import { annotationOf, markOf } from '../../../engines/metadata.ts'
import {
  apiDurationSeconds,
  goDurationSeconds,
  positiveSeconds,
} from '../../../engines/duration.ts'
import { GROUP } from './kinds.ts'

const SET_INTERVAL_SECONDS = 3600
const PROVIDER_INTERVAL_SECONDS = 600
const TIMEOUT_SECONDS = 300

/** What a ResourceSet asks for, defaults filled in (O-1, O-6, O-9). */
export interface Settings {
  readonly isDisabled: boolean
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly forces: boolean
  readonly waits: boolean
  readonly dependsOn: readonly Dependency[]
}

export interface Dependency {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly needsReady: boolean
  readonly readyExpr: string
}

export function settingsOf(object: JsonObject): Settings {
  const spec = at(object, ['spec'])
  return {
    isDisabled: isDisabled(object),
    intervalMs: annotatedMs(object, 'reconcileEvery', SET_INTERVAL_SECONDS),
    timeoutMs: annotatedMs(object, 'reconcileTimeout', TIMEOUT_SECONDS),
    forces: annotationOf(object, `${GROUP}/force`)?.toLowerCase() === 'enabled',
    waits: at(spec, ['wait']) === true,
    dependsOn: listAt(spec, ['dependsOn']).map((one) => ({
      apiVersion: stringAt(one, ['apiVersion']) ?? '',
      kind: stringAt(one, ['kind']) ?? '',
      namespace: stringAt(one, ['namespace']) ?? '',
      name: stringAt(one, ['name']) ?? '',
      needsReady: at(one, ['ready']) === true,
      readyExpr: stringAt(one, ['readyExpr']) ?? '',
    })),
  }
}

/** O-3: the switch of a set or provider, read in any case. */
export function isDisabled(object: JsonObject): boolean {
  return annotationOf(object, `${GROUP}/reconcile`)?.toLowerCase() === 'disabled'
}

export function providerIntervalMs(object: JsonObject): number {
  return annotatedMs(object, 'reconcileEvery', PROVIDER_INTERVAL_SECONDS)
}

/** O-10: the exact word, as annotation, on a batch/v1 Job. */
export function recreatesOnFailure(object: JsonObject): boolean {
  return (
    object['kind'] === 'Job' &&
    object['apiVersion'] === 'batch/v1' &&
    annotationOf(object, `${GROUP}/recreateOnFailure`) === 'enabled'
  )
}

/** O-9, O-8: annotation or label, values in any case. */
export function isMarked(object: JsonObject | undefined, key: string, value: string): boolean {
  return object !== undefined && markOf(object, `${GROUP}/${key}`, value) === 'on'
}

/** A field of a step: what the API would refuse counts as not written. */
export function millisecondsOf(value: Json | undefined): number | undefined {
  const seconds = apiDurationSeconds(value)
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}

/** The steps as written; a set without them is one step without a name (O-4). */
export function stepsOf(object: JsonObject): readonly JsonObject[] {
  const steps = listAt(object, ['spec', 'steps']).filter(isObject)
  if (steps.length > 0) return steps
  const spec = at(object, ['spec'])
  return isObject(spec)
    ? [{ resources: spec['resources'], resourcesTemplate: spec['resourcesTemplate'] }]
    : []
}

function annotatedMs(object: JsonObject, name: string, preset: number): number {
  const text = annotationOf(object, `${GROUP}/${name}`)
  const seconds = text === undefined ? undefined : positiveSeconds(goDurationSeconds(text))
  return Math.round((seconds ?? preset) * 1000)
}
