import {
  booleanAt,
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { goDurationSeconds } from '../../../core/go-duration.ts'
import { isNamed } from './tracking.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'

export const APPLICATIONS: ResourceId = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  resource: 'applications',
}
export const PROJECTS: ResourceId = { ...APPLICATIONS, resource: 'appprojects' }

export const REFRESH = 'argocd.argoproj.io/refresh'

export interface Retry {
  /** Negative: without an end. */
  readonly limit: number
  readonly durationSeconds: number
  readonly factor: number
  readonly maxSeconds: number
  /** The retry takes the newest revision. */
  readonly refresh: boolean
}

/** The fields of an Application that decide something. */
export interface App {
  readonly object: KubeObject
  readonly name: string
  /** Where its objects go that say no namespace. */
  readonly namespace: string
  readonly source: JsonObject
  readonly repoURL: string
  readonly targetRevision: string
  readonly automated: boolean
  readonly prune: boolean
  readonly selfHeal: boolean
  readonly allowEmpty: boolean
  readonly retry: JsonObject | undefined
  readonly options: readonly string[]
  readonly ignoreDifferences: readonly JsonObject[]
  readonly serverSideDiff: boolean
  /** The annotation skip-reconcile: nothing is compared or applied. */
  readonly isSkipped: boolean
}

export function readApp(object: KubeObject): App {
  const source = objectAt(object, ['spec', 'source']) ?? {}
  const policy = objectAt(object, ['spec', 'syncPolicy'])
  const automated = objectAt(policy, ['automated'])
  const options = listAt(policy, ['syncOptions']).filter(isText)
  const compare = object.metadata.annotations?.['argocd.argoproj.io/compare-options'] ?? ''
  return {
    object,
    name: object.metadata.name,
    namespace: stringAt(object, ['spec', 'destination', 'namespace']) ?? 'default',
    source,
    repoURL: stringAt(source, ['repoURL']) ?? '',
    targetRevision: stringAt(source, ['targetRevision']) ?? 'HEAD',
    automated: automated !== undefined && booleanAt(automated, ['enabled']) !== false,
    prune: booleanAt(automated, ['prune']) ?? false,
    selfHeal: booleanAt(automated, ['selfHeal']) ?? false,
    allowEmpty: booleanAt(automated, ['allowEmpty']) ?? false,
    retry: objectAt(policy, ['retry']),
    options,
    ignoreDifferences: listAt(object, ['spec', 'ignoreDifferences']).filter(isObject),
    serverSideDiff: isServerSideDiff(compare, options),
    isSkipped: object.metadata.annotations?.['argocd.argoproj.io/skip-reconcile'] === 'true',
  }
}

/** ServerSideApply for the app switches it on by itself; ServerSideDiff=false off. */
function isServerSideDiff(compare: string, options: readonly string[]): boolean {
  if (isNamed(compare, 'ServerSideDiff=true')) return true
  if (isNamed(compare, 'ServerSideDiff=false')) return false
  return options.includes('ServerSideApply=true')
}

/** Automated operations retry 5 times where nothing is said. */
export function readRetry(retry: JsonObject | undefined): Retry {
  const seconds = (key: string, otherwise: number): number =>
    goDurationSeconds(stringAt(retry, ['backoff', key]) ?? '') ?? otherwise
  return {
    limit: integerAt(retry, ['limit']) ?? 0,
    durationSeconds: seconds('duration', 5),
    factor: integerAt(retry, ['backoff', 'factor']) ?? 2,
    maxSeconds: seconds('maxDuration', 180),
    refresh: booleanAt(retry, ['refresh']) ?? false,
  }
}

export function operationOf(app: KubeObject): JsonObject | undefined {
  return objectAt(app, ['operation'])
}

export function operationStateOf(app: KubeObject): JsonObject | undefined {
  return objectAt(app, ['status', 'operationState'])
}

export function isDone(state: JsonObject | undefined): boolean {
  const phase = stringAt(state, ['phase'])
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error'
}

/** Texts of a list that may hold anything. */
export function isText(value: Json): value is string {
  return typeof value === 'string'
}
