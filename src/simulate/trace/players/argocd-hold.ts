import type { Actor } from '../../../cluster/actor.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import type { PodScript } from '../../../cluster/kubelet/script.ts'

const HOLD = 'play.example.test/hold'
/** How long the recorder's script keeps such a pod once it is deleted. */
const HELD_MS = 8000
const PODS = { group: '', version: 'v1', resource: 'pods' }

interface Wake {
  readonly namespace: string
  readonly name: string
}

/** Pods with the finalizer `play.example.test/hold` go on until the script lets them go. */
export const holdingScript: PodScript = {
  plan(pod, attempt, attemptOfIndex) {
    const plan = annotationScript.plan(pod, attempt, attemptOfIndex)
    return pod.metadata.finalizers?.includes(HOLD) === true ? { ...plan, stopMs: HELD_MS } : plan
  },
}

/** Takes that finalizer away in time: before the pod has an end of its own, as it was recorded. */
export const holdActor: Actor<undefined, Wake> = {
  name: 'hold-script',
  begin: () => undefined,
  observe(_state, { type, resource, object, before }, io) {
    if (type !== 'MODIFIED' || resource.resource !== 'pods') return
    const { deletionTimestamp, finalizers, name, namespace = '' } = object.metadata
    if (deletionTimestamp === undefined || before?.metadata.deletionTimestamp !== undefined) return
    if (finalizers?.includes(HOLD) === true) io.wakeAt(io.now + HELD_MS - 1, { namespace, name })
  },
  wake(_state, { namespace, name }, io) {
    const pod = io.read.get(PODS, namespace, name)
    if (pod === undefined) return
    const finalizers = (pod.metadata.finalizers ?? []).filter((one) => one !== HOLD)
    const place = { resource: PODS, namespace, name }
    io.request({
      verb: 'patch',
      ...place,
      patch: { type: 'merge', body: { metadata: { finalizers } } },
    })
    const options = { gracePeriodSeconds: 0 }
    if (io.read.get(PODS, namespace, name) !== undefined)
      io.request({ verb: 'delete', ...place, body: options })
  },
  copy: () => undefined,
}
