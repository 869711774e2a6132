import { objectAt, stringAt } from '../../core/json.ts'
import type { Reader } from '../actor.ts'
import type { Admission, Admitted, Review } from '../api/admission.ts'
import type { KubeObject, ResourceId } from '../object.ts'

/**
 * Quotas on numbers of objects: `pods` (those that have not ended) and `count/<resource>.<group>`, as
 * far as they decide whether a Job's pods or a CronJob's Jobs are created (K-80). Quotas on CPU,
 * memory or storage are not looked at.
 */
export const resourceQuota: Admission = {
  name: 'ResourceQuota',
  validate(review) {
    const { operation, namespace, resource, subresource } = review
    if (operation !== 'CREATE' || namespace === undefined || subresource !== undefined)
      return ALLOWED
    const name = countedAs(resource)
    for (const quota of review.read.list(RESOURCEQUOTAS, namespace)) {
      const exceeded = namesIn(quota)
        .filter((limit) => limit.counts === name && isCounted(limit.name, review.object))
        .map((limit) => ({ ...limit, used: usedOf(review.read, namespace, limit.name) }))
        .filter(({ used, hard }) => used + 1 > hard)
      if (exceeded.length > 0) return refuse(review, quota, exceeded)
    }
    return ALLOWED
  },
}

export const RESOURCEQUOTAS: ResourceId = { group: '', version: 'v1', resource: 'resourcequotas' }

const ALLOWED: Admitted = { allowed: true }

export interface Limit {
  /** As the quota writes it: `pods`, `count/jobs.batch`. */
  readonly name: string
  /** The resource that it counts: `pods`, `jobs.batch`. */
  readonly counts: string
  readonly hard: number
}

export function namesIn(quota: KubeObject): readonly Limit[] {
  const hard = objectAt(quota, ['spec', 'hard']) ?? {}
  return Object.entries(hard)
    .filter(([name]) => name === 'pods' || name.startsWith('count/'))
    .map(([name, value]) => ({ name, counts: name.replace('count/', ''), hard: Number(value) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

export function countedAs({ group, resource }: ResourceId): string {
  return group === '' ? resource : `${resource}.${group}`
}

/** `pods` leaves out pods that have ended, `count/pods` counts all. */
function isCounted(name: string, object: KubeObject | undefined): boolean {
  if (name !== 'pods') return true
  const phase = stringAt(object, ['status', 'phase'])
  return phase !== 'Succeeded' && phase !== 'Failed'
}

export function usedOf(read: Reader, namespace: string, name: string): number {
  const counts = name.replace('count/', '')
  const dot = counts.indexOf('.')
  const resource = dot < 0 ? counts : counts.slice(0, dot)
  const group = dot < 0 ? '' : counts.slice(dot + 1)
  const objects = read.list({ group, version: 'v1', resource }, namespace)
  return objects.filter((object) => isCounted(name, object)).length
}

function refuse(
  { resource, name, object }: Review,
  quota: KubeObject,
  exceeded: readonly (Limit & { readonly used: number })[],
): Admitted {
  const shown = object?.metadata.name ?? name
  const all = (value: (limit: (typeof exceeded)[number]) => number): string =>
    exceeded.map((limit) => `${limit.name}=${value(limit)}`).join(',')
  const why = `exceeded quota: ${quota.metadata.name}, requested: ${all(() => 1)}, used: ${all(
    ({ used }) => used,
  )}, limited: ${all(({ hard }) => hard)}`
  const message = `${countedAs(resource)} "${shown}" is forbidden: ${why}`
  return { allowed: false, code: 403, reason: 'Forbidden', message }
}
