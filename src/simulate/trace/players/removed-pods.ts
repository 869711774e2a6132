import type { Actor } from '../../../cluster/actor.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import type { PodScript } from '../../../cluster/kubelet/script.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'

const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }

/** Pods that would take their time to stop, were it not for `removeActor`. */
export const removingScript: PodScript = {
  plan: (pod, attempt, attemptOfIndex) => ({
    ...annotationScript.plan(pod, attempt, attemptOfIndex),
    stopMs: 60_000,
  }),
}

/** Recorders without a kubelet took a deleted pod away at once, before it had an end of its own. */
export const removeActor: Actor<null, { namespace: string; name: string }> = {
  name: 'pod-remover',
  begin: () => null,
  observe(_state, { type, resource, object, before }, io) {
    if (type !== 'MODIFIED' || resource.group !== '' || resource.resource !== PODS.resource) return
    const { name, namespace = '' } = object.metadata
    if (!isFree(object) || (before !== undefined && isFree(before))) return
    io.wakeAt(io.now, { namespace, name })
  },
  wake(_state, { namespace, name }, io) {
    const body = { gracePeriodSeconds: 0 }
    io.request({ verb: 'delete', resource: PODS, namespace, name, body })
  },
  copy: (state) => state,
}

/** Deleted, and nobody holds it: as long as a finalizer does, it would be given an end. */
function isFree({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0
}
