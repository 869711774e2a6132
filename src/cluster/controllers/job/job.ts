import type { JsonObject } from '../../../core/json.ts'
import type { KubeObject, ResourceId } from '../../object.ts'
import type { PodSpec } from '../../pod.ts'

export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking'
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'
export const INDEX_FAILURE_COUNT = 'batch.kubernetes.io/job-index-failure-count'
export const INDEX_IGNORED_FAILURE_COUNT = 'batch.kubernetes.io/job-index-ignored-failure-count'

/** A Job as its controllers read it; the server has filled in the defaults. */
export interface Job extends KubeObject {
  readonly spec: JobSpec
  readonly status?: JobStatus
}

export interface JobSpec extends JsonObject {
  readonly parallelism?: number
  readonly completions?: number
  readonly activeDeadlineSeconds?: number
  readonly podFailurePolicy?: { readonly rules?: readonly FailureRule[] }
  readonly successPolicy?: { readonly rules?: readonly SuccessRule[] }
  readonly backoffLimit?: number
  readonly backoffLimitPerIndex?: number
  readonly maxFailedIndexes?: number
  readonly selector?: LabelSelector
  readonly template: PodTemplate
  readonly ttlSecondsAfterFinished?: number
  readonly completionMode?: string
  readonly suspend?: boolean
  readonly podReplacementPolicy?: string
  readonly managedBy?: string
}

export interface LabelSelector extends JsonObject {
  readonly matchLabels?: { readonly [key: string]: string }
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

export interface PodTemplate extends JsonObject {
  readonly metadata?: {
    readonly labels?: { readonly [key: string]: string }
    readonly annotations?: { readonly [key: string]: string }
    readonly finalizers?: readonly string[]
  }
  readonly spec: PodSpec
}

export interface FailureRule extends JsonObject {
  readonly action: string
  readonly onExitCodes?: OnExitCodes
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[]
}

export interface OnExitCodes extends JsonObject {
  readonly containerName?: string
  readonly operator: string
  readonly values: readonly number[]
}

export interface SuccessRule extends JsonObject {
  readonly succeededIndexes?: string
  readonly succeededCount?: number
}

export interface JobStatus extends JsonObject {
  readonly conditions?: readonly JobCondition[]
  readonly startTime?: string
  readonly completionTime?: string
  readonly active?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly terminating?: number
  readonly completedIndexes?: string
  readonly failedIndexes?: string
  readonly uncountedTerminatedPods?: Uncounted
  readonly ready?: number
}

/** Pods that have ended and are on their way from finalizer to counter. */
export interface Uncounted extends JsonObject {
  readonly succeeded?: readonly string[]
  readonly failed?: readonly string[]
}

export interface JobCondition extends JsonObject {
  readonly type: string
  readonly status: string
  readonly lastProbeTime?: string
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export function asJob(object: KubeObject): Job {
  return object as Job
}

/** `namespace/name`: what the controller's queue and memory go by, as a re-created Job does too. */
export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`
}

function hasCondition(job: Job, type: string): boolean {
  return job.status?.conditions?.some((one) => one.type === type && one.status === 'True') === true
}

export function isFinished(job: Job): boolean {
  return hasCondition(job, 'Complete') || hasCondition(job, 'Failed')
}

export function isSuspended(job: Job): boolean {
  return job.spec.suspend === true
}

export function isIndexed(job: Job): boolean {
  return job.spec.completionMode === 'Indexed'
}

/** K-2: also implied by a podFailurePolicy. */
export function replacesOnlyFailed(job: Job): boolean {
  return job.spec.podReplacementPolicy === 'Failed' || job.spec.podFailurePolicy !== undefined
}
