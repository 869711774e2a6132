import { booleanAt, type JsonObject } from '../../../core/json.ts'
import type { Reader } from '../../../cluster/actor.ts'
import { controllerOf, type KubeObject } from '../../../cluster/object.ts'
import { GROUP, LOCAL_QUEUES } from './kinds.ts'

export const QUEUE: string = `${GROUP}/queue-name`
const DEFAULT_QUEUE = 'default'
const SYSTEM = new Set(['kube-system', 'kueue-system'])
/** Owners that are queued themselves: their Jobs go with them. */
const FRAMEWORKS =
  /^(jobset\.x-k8s\.io|kubeflow\.org|trainer\.kubeflow\.org|ray\.io|workload\.codeflare\.dev)\//

/** The queue that an object names, as label or in the old spelling as annotation. */
export function queueOf({ metadata }: KubeObject): string {
  return metadata.labels?.[QUEUE] ?? metadata.annotations?.[QUEUE] ?? ''
}

/** KU-1: Jobs that name a queue; all others only where the installation says so. */
export function isManaged(job: KubeObject, settings: JsonObject): boolean {
  if (SYSTEM.has(job.metadata.namespace ?? '')) return false
  if (FRAMEWORKS.test(controllerOf(job)?.apiVersion ?? '')) return false
  if (queueOf(job) !== '') return true
  return booleanAt(settings, ['manageJobsWithoutQueueName']) === true
}

/** KU-2: a namespace with a LocalQueue `default` puts each new Job without a queue into it. */
export function withDefaultQueue(job: KubeObject, read: Reader): KubeObject {
  const { namespace } = job.metadata
  if (queueOf(job) !== '' || FRAMEWORKS.test(controllerOf(job)?.apiVersion ?? '')) return job
  if (read.get(LOCAL_QUEUES, namespace, DEFAULT_QUEUE) === undefined) return job
  const labels = { ...job.metadata.labels, [QUEUE]: DEFAULT_QUEUE }
  return { ...job, metadata: { ...job.metadata, labels } }
}
