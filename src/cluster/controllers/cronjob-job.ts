import { integerAt, isList, isObject, objectAt, stringAt, type Json } from '../../core/json.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ZoneOffsets } from '../../core/zone-offsets.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { instantOf, timestamp, type Instant } from '../time.ts'

export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const CRONJOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'cronjobs' }

/** The number is that of UTC minutes, whatever the time zone (K-6). */
export function jobName(cron: KubeObject, tick: Instant): string {
  return `${cron.metadata.name}-${Math.floor(tick / 60_000)}`
}

/** The Job of a tick, as the controller sends it: labels, annotations and spec of the template. */
export function jobOf(cron: KubeObject, tick: Instant, zone: ZoneOffsets): JsonObject {
  const template = objectAt(cron, ['spec', 'jobTemplate']) ?? {}
  const labels = objectAt(template, ['metadata', 'labels'])
  const annotations = objectAt(template, ['metadata', 'annotations'])
  const { apiVersion, kind, metadata } = cron
  const { name, uid } = metadata
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cron, tick),
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, [SCHEDULED]: localTime(tick, zone) },
      ownerReferences: [
        { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: objectAt(template, ['spec']) ?? {},
  }
}

const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** RFC 3339 with the offset of the zone: `2026-03-29T03:00:00+02:00`. */
function localTime(instant: Instant, zone: ZoneOffsets): string {
  const { offsetMs } = zone.at(instant)
  const utc = timestamp(instant + offsetMs)
  if (offsetMs === 0) return utc
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const two = (number: number): string => String(number).padStart(2, '0')
  const sign = offsetMs < 0 ? '-' : '+'
  return `${utc.slice(0, -1)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** `Complete` or `Failed`, once the Job has one of them. */
export function endOf(job: KubeObject): 'Complete' | 'Failed' | undefined {
  const conditions = objectAt(job, ['status'])?.conditions
  if (!isList(conditions)) return undefined
  for (const condition of conditions) {
    if (!isObject(condition) || condition.status !== 'True') continue
    if (condition.type === 'Complete' || condition.type === 'Failed') return condition.type
  }
  return undefined
}

/** The Jobs beyond the two limits, oldest start first, succeeded ones before failed ones (K-38). */
export function beyondHistory(cron: KubeObject, jobs: readonly KubeObject[]): KubeObject[] {
  const over = (end: 'Complete' | 'Failed', field: string): KubeObject[] => {
    const limit = integerAt(cron, ['spec', field])
    if (limit === undefined) return []
    const ended = jobs.filter((job) => endOf(job) === end).sort(byStart)
    return ended.slice(0, Math.max(0, ended.length - limit))
  }
  return [
    ...over('Complete', 'successfulJobsHistoryLimit'),
    ...over('Failed', 'failedJobsHistoryLimit'),
  ]
}

/** Jobs that never started come last; equal starts go by name. */
function byStart(one: KubeObject, other: KubeObject): number {
  const left = startOf(one)
  const right = startOf(other)
  if (left === right) return one.metadata.name < other.metadata.name ? -1 : 1
  return left - right
}

function startOf(job: KubeObject): number {
  const text = stringAt(job, ['status', 'startTime'])
  return text === undefined ? Number.MAX_SAFE_INTEGER : instantOf(text)
}

/** ObjectReference, as `status.active` lists a Job. */
export function referenceTo({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  const { name, namespace, uid, resourceVersion } = metadata
  const place = namespace === undefined ? {} : { namespace }
  return { apiVersion, kind, name, ...place, resourceVersion, uid }
}

export function activeOf(cron: KubeObject): readonly JsonObject[] {
  const active: Json | undefined = objectAt(cron, ['status'])?.active
  return isList(active) ? active.filter(isObject) : []
}

export interface CronStatus {
  readonly active: readonly JsonObject[]
  readonly lastScheduleTime: string | undefined
  readonly lastSuccessfulTime: string | undefined
}

/** The CronJob as its status is written; fields without a value are left out. */
export function withStatus(cron: KubeObject, status: CronStatus): KubeObject {
  const { active, lastScheduleTime, lastSuccessfulTime } = status
  return {
    ...cron,
    status: {
      ...(active.length === 0 ? {} : { active }),
      ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
      ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
    },
  }
}
