import { objectAt, type JsonObject } from '../../../core/json.ts'
import type { Admission, Admitted, Review } from '../../../cluster/api/admission.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { ALLOWED, denied, unanswered } from '../webhook.ts'
import { NAME } from './kinds.ts'
import { isManaged, QUEUE, queueOf, withDefaultQueue } from './managed.ts'

const SERVICE = 'kueue-webhook-service'

/**
 * Kueue's webhooks for Jobs: KU-1, a managed Job is created suspended; KU-8, its queue stays the same
 * while it is not suspended. Both have the failure policy Fail: while Kueue is down, no Job at all is
 * created or changed, in a queue or not (KU-9).
 */
export function kueueWebhooks(
  settings: JsonObject,
  isRunning: (actor: string) => boolean,
): Admission {
  return {
    name: 'kueue',
    mutate(review) {
      if (!isJob(review) || review.operation !== 'CREATE') return ALLOWED
      if (!isRunning(NAME)) return unanswered('mjob.kb.io', SERVICE)
      return review.object === undefined ? ALLOWED : held(review.object, review, settings)
    },
    validate(review) {
      if (!isJob(review) || !['CREATE', 'UPDATE'].includes(review.operation)) return ALLOWED
      if (!isRunning(NAME)) return unanswered('vjob.kb.io', SERVICE)
      return queueStays(review)
    },
  }
}

function isJob({ resource, subresource, namespace }: Review): boolean {
  if (resource.group !== 'batch' || resource.resource !== 'jobs') return false
  return subresource === undefined && namespace !== 'kube-system' && namespace !== 'kueue-system'
}

function held(object: KubeObject, { read }: Review, settings: JsonObject): Admitted {
  const job = withDefaultQueue(object, read)
  if (!isManaged(job, settings)) return ALLOWED
  const spec = { ...objectAt(job, ['spec']), suspend: true }
  return { allowed: true, object: { ...job, spec } }
}

function queueStays({ object, old }: Review): Admitted {
  if (object === undefined || old === undefined) return ALLOWED
  if (objectAt(object, ['spec'])?.['suspend'] === true) return ALLOWED
  const queue = queueOf(object)
  if (queue === queueOf(old)) return ALLOWED
  const why = `metadata.labels[${QUEUE}]: Invalid value: "${queue}": field is immutable`
  return denied('vjob.kb.io', why)
}
