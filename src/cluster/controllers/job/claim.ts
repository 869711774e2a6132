import type { Reader } from '../../actor.ts'
import { controllerOf } from '../../object.ts'
import { asPod, isDeleting, type Pod } from '../../pod.ts'
import type { JobClient } from './client.ts'
import { asJob, TRACKING_FINALIZER, type Job } from './job.ts'
import { isTracked } from './pods.ts'
import { selects } from './selector.ts'

export interface Claim {
  readonly pods: readonly Pod[]
  /** Something was tried and refused; the sync stops and tries again. */
  readonly error?: string
}

/**
 * The pods that the Job manages. Those without a controller whose labels fit are adopted, whoever
 * made them and whatever image they run; its own whose labels no longer fit are let go. A Job that
 * is being deleted does neither.
 */
export function claimPods(
  job: Job,
  orphans: readonly Pod[],
  { read, client }: { readonly read: Reader; readonly client: JobClient },
): Claim {
  const claimed: Pod[] = []
  const errors: string[] = []
  for (const pod of ownPods(job, read)) {
    if (selects(job.spec.selector, pod.metadata.labels)) {
      claimed.push(pod)
      continue
    }
    if (isDeleting(job)) continue
    const error = release(job, pod, client)
    if (error !== undefined) errors.push(error)
  }
  let asked: { readonly refusal: string | undefined } | undefined
  for (const pod of orphans) {
    if (isDeleting(job) || isDeleting(pod)) continue
    if (!selects(job.spec.selector, pod.metadata.labels)) continue
    asked ??= { refusal: whyNotAdopt(job, client) }
    const error = asked.refusal ?? adopt(job, pod, client)
    if (error === undefined) claimed.push(withFinalizer(pod))
    else errors.push(error)
  }
  return errors[0] === undefined ? { pods: claimed } : { pods: claimed, error: errors.join(', ') }
}

export function ownPods(job: Job, read: Reader): readonly Pod[] {
  const pods: Pod[] = []
  for (const { resource, object } of read.dependents(job.metadata.uid)) {
    if (resource.resource !== 'pods' || resource.group !== '') continue
    if (controllerOf(object)?.uid === job.metadata.uid) pods.push(asPod(object))
  }
  return pods
}

/** Asked once per sync, of the server itself: the Job may be gone, or going, since it was read. */
function whyNotAdopt(job: Job, client: JobClient): string | undefined {
  const fresh = client.freshJob(job)
  const name = `${job.metadata.namespace ?? ''}/${job.metadata.name}`
  if (!('object' in fresh)) return fresh.message
  if (asJob(fresh.object).metadata.uid !== job.metadata.uid) return `original Job ${name} is gone`
  return isDeleting(fresh.object) ? `${name} has just been deleted` : undefined
}

function adopt(job: Job, pod: Pod, client: JobClient): string | undefined {
  const error = client.patchPod(pod, {
    metadata: {
      ownerReferences: [ownerReference(job)],
      uid: pod.metadata.uid,
      finalizers: [TRACKING_FINALIZER],
    },
  })
  if (error === undefined) client.cause(job, { rule: 'K-1', effect: 'adopted pod' }, pod)
  return error
}

function release(job: Job, pod: Pod, client: JobClient): string | undefined {
  return client.patchPod(pod, {
    metadata: {
      uid: pod.metadata.uid,
      ownerReferences: [{ $patch: 'delete', uid: job.metadata.uid }],
      '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER],
    },
  })
}

export function ownerReference(job: Job): NonNullable<Job['metadata']['ownerReferences']>[number] {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name: job.metadata.name,
    uid: job.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

function withFinalizer(pod: Pod): Pod {
  if (isTracked(pod)) return pod
  const finalizers = [...(pod.metadata.finalizers ?? []), TRACKING_FINALIZER]
  return { ...pod, metadata: { ...pod.metadata, finalizers } }
}
