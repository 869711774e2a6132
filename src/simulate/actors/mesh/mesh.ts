import type { JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Admission, Review } from '../../../cluster/api/admission.ts'
import { NAMESPACES } from '../../../cluster/api/well-known.ts'
import { controllerOf, type KubeObject } from '../../../cluster/object.ts'
import { podDefaults } from '../../../cluster/kinds/pod/defaults.ts'
import { asPod, type Container, type Pod } from '../../../cluster/pod.ts'
import { Round } from '../causes.ts'
import { ALLOWED, unanswered } from '../webhook.ts'

/** What one mesh adds to which pods. */
export interface Mesh {
  /** The process that answers the webhook: `istiod`. */
  readonly actor: string
  readonly webhook: string
  readonly service: string
  /** ME-6: whether pods are refused or go without a proxy while nobody answers. */
  readonly isNeeded: boolean
  readonly init: string
  readonly proxy: string
  readonly image: string
  /** Set on pods that got one. */
  readonly mark: string
  /** ME-1: undefined, or in words what asked for it. */
  wants(pod: Pod, namespace: KubeObject | undefined): string | undefined
  isNative(pod: Pod, namespace: KubeObject | undefined): boolean
}

/**
 * The injector of a mesh: pods get a proxy as they are created, whoever creates them; Jobs and
 * CronJobs stay as they are, so no engine sees a difference.
 */
export function injector(mesh: Mesh, isRunning: (actor: string) => boolean): Admission {
  return {
    name: mesh.webhook,
    mutate(review) {
      const pod = newPod(review)
      if (pod === undefined) return ALLOWED
      const home = review.read.get(NAMESPACES, undefined, review.namespace ?? '')
      if (mesh.wants(pod, home) === undefined) return ALLOWED
      if (!isRunning(mesh.actor)) {
        return mesh.isNeeded ? unanswered(mesh.webhook, mesh.service) : ALLOWED
      }
      const object = injected(pod, mesh, mesh.isNative(pod, home))
      // The server fills in what a webhook leaves out.
      return { allowed: true, object: podDefaults(object, review.rules) as KubeObject }
    },
  }
}

function newPod({ operation, resource, subresource, object }: Review): Pod | undefined {
  if (operation !== 'CREATE' || subresource !== undefined || object === undefined) return undefined
  return resource.group === '' && resource.resource === 'pods' ? asPod(object) : undefined
}

/** ME-2, ME-3 */
function injected(pod: Pod, mesh: Mesh, isNative: boolean): Pod {
  const { initContainers = [], containers } = pod.spec
  if ([...initContainers, ...containers].some(({ name }) => name === mesh.proxy)) return pod
  const proxy: Container = { name: mesh.proxy, image: mesh.image }
  const init: Container = { name: mesh.init, image: mesh.image }
  const annotations = { ...pod.metadata.annotations, [mesh.mark]: 'injected' }
  const inits = isNative ? [init, { ...proxy, restartPolicy: 'Always' }] : [init]
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: {
      ...pod.spec,
      initContainers: [...inits, ...initContainers],
      containers: isNative ? containers : [...containers, proxy],
    },
  }
}

/** Writes nothing: it tells of the pods of Jobs that got a proxy. */
export function witness(mesh: Mesh): Actor<undefined, JsonObject> {
  return {
    name: mesh.actor,
    begin: () => undefined,
    observe(_state, { type, resource, object }, io) {
      if (type !== 'ADDED' || resource.group !== '' || resource.resource !== 'pods') return
      tell(asPod(object), mesh, io)
    },
    wake: () => undefined,
    copy: (state) => state,
  }
}

function tell(pod: Pod, mesh: Mesh, io: Io<JsonObject>): void {
  const owner = controllerOf(pod)
  if (owner?.kind !== 'Job' || pod.metadata.annotations?.[mesh.mark] === undefined) return
  const { namespace = '' } = pod.metadata
  const home = io.read.get(NAMESPACES, undefined, namespace)
  const isNative = pod.spec.initContainers?.some(({ name }) => name === mesh.proxy) === true
  const asked = mesh.wants(pod, home) ?? 'it was asked for'
  const words = `a pod of Job ${namespace}/${owner.name} was created and ${asked}`
  const carrier = `Namespace ${namespace}`
  const rule = isNative ? 'ME-3' : 'ME-2'
  const effect = 'injected its proxy'
  const trigger = { kind: 'watch', words } as const
  const round = new Round(io, { actor: mesh.actor, carrier, rule: 'ME-1', effect, trigger })
  const how = isNative
    ? 'as a native sidecar, which ends with the work'
    : 'as a container, without whose end the Job does not end'
  round.did(rule, `added ${mesh.proxy} to a pod ${how}`, `Job ${namespace}/${owner.name}`)
}
