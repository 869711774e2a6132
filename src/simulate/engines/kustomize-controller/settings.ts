import { at, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { apiDurationSeconds } from '../../../engines/duration.ts'
import type { KubeObject } from '../../../cluster/object.ts'

/** A Kustomization's spec with its defaults. Milliseconds; undefined: it never comes. */
export interface Settings {
  readonly intervalMs: number | undefined
  readonly retryMs: number | undefined
  readonly timeoutMs: number
  readonly path: string
  readonly source: { readonly kind: string; readonly namespace: string; readonly name: string }
  readonly isSuspended: boolean
  readonly prunes: boolean
  readonly forces: boolean
  readonly waits: boolean
  readonly healthChecks: readonly HealthCheck[]
  /** `namespace/name` of what has to be ready first. */
  readonly dependsOn: readonly string[]
  readonly deletionPolicy: string
}

export interface HealthCheck {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** F-2, trace 027: what is shorter is raised to it. */
const LEAST_TIMEOUT_MS = 30_000

export function settingsOf(object: KubeObject): Settings {
  const spec = objectAt(object, ['spec']) ?? {}
  const namespace = object.metadata.namespace ?? ''
  const interval = millisecondsAt(spec, 'interval')
  const timeout = millisecondsAt(spec, 'timeout') ?? (interval ?? 0) - 30_000
  return {
    intervalMs: positive(interval),
    retryMs: positive(millisecondsAt(spec, 'retryInterval')) ?? positive(interval),
    timeoutMs: Math.max(timeout, LEAST_TIMEOUT_MS),
    path: stringAt(spec, ['path']) ?? './',
    source: {
      kind: stringAt(spec, ['sourceRef', 'kind']) ?? '',
      namespace: stringAt(spec, ['sourceRef', 'namespace']) ?? namespace,
      name: stringAt(spec, ['sourceRef', 'name']) ?? '',
    },
    isSuspended: at(spec, ['suspend']) === true,
    prunes: at(spec, ['prune']) === true,
    forces: at(spec, ['force']) === true,
    waits: at(spec, ['wait']) === true,
    healthChecks: listAt(spec, ['healthChecks']).map((check) => ({
      apiVersion: stringAt(check, ['apiVersion']) ?? '',
      kind: stringAt(check, ['kind']) ?? '',
      namespace: stringAt(check, ['namespace']) ?? '',
      name: stringAt(check, ['name']) ?? '',
    })),
    dependsOn: listAt(spec, ['dependsOn']).map(
      (one) => `${stringAt(one, ['namespace']) ?? namespace}/${stringAt(one, ['name']) ?? ''}`,
    ),
    deletionPolicy: stringAt(spec, ['deletionPolicy']) ?? 'MirrorPrune',
  }
}

function millisecondsAt(spec: JsonObject, field: string): number | undefined {
  const seconds = apiDurationSeconds(spec[field])
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}

function positive(milliseconds: number | undefined): number | undefined {
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined
}

/** As Go prints a duration: `30s`, `9m30s`, `1m0s`, `10.5ms`. */
export function goDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s'
  if (milliseconds < 1000) return `${milliseconds}ms`
  const hours = Math.floor(milliseconds / 3_600_000)
  const minutes = Math.floor((milliseconds % 3_600_000) / 60_000)
  const seconds = (milliseconds % 60_000) / 1000
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`
}
