import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { ActorParts, ActorTools, SecondActor } from '../second-actor.ts'
import { istio } from './istio.ts'
import { linkerd } from './linkerd.ts'
import { injector, witness, type Mesh } from './mesh.ts'

/**
 * The proxy of a service mesh in the pods of Jobs (ME-1 to ME-6; unconfirmed: read from Istio 1.27 and
 * Linkerd 2.19, never recorded). As a plain container it runs on after the work, and the Job never
 * ends, unless the work tells it to stop; as a native sidecar it ends with the work. When containers
 * end is the kubelet's business.
 */
export const istioMesh: SecondActor = {
  kinds: ['istio'],
  settings: ['version', 'native', 'revision'],
  actor: (settings, tools) => partsOf(istio(settings, tools.minor), tools),
  foundIn(objects) {
    const isAtWork = objects.some((object) => {
      const labels = objectAt(object, ['metadata', 'labels']) ?? {}
      if (stringAt(object, ['kind']) === 'Namespace') {
        return labels['istio-injection'] === 'enabled' || labels['istio.io/rev'] !== undefined
      }
      return podTemplates(object).some(
        (one) => stringAt(one, ['metadata', 'labels', 'sidecar.istio.io/inject']) === 'true',
      )
    })
    return isAtWork ? [{ kind: 'istio' }] : []
  },
}

export const linkerdMesh: SecondActor = {
  kinds: ['linkerd'],
  settings: ['native'],
  actor: (settings, tools) => partsOf(linkerd(settings, tools.minor), tools),
  foundIn(objects) {
    const isAtWork = objects.some((object) => {
      const isNamespace = stringAt(object, ['kind']) === 'Namespace'
      return (isNamespace ? [object] : podTemplates(object)).some((one) =>
        /^(enabled|ingress)$/.test(
          stringAt(one, ['metadata', 'annotations', 'linkerd.io/inject']) ?? '',
        ),
      )
    })
    return isAtWork ? [{ kind: 'linkerd' }] : []
  },
}

function partsOf(mesh: Mesh, { isRunning }: ActorTools): ActorParts {
  return { actors: [witness(mesh)], kinds: [], webhooks: [injector(mesh, isRunning)] }
}

/** Of a workload, or of what a CronJob makes. */
function podTemplates(object: JsonObject): readonly JsonObject[] {
  return [
    objectAt(object, ['spec', 'template']),
    objectAt(object, ['spec', 'jobTemplate', 'spec', 'template']),
  ].filter((one) => one !== undefined)
}
