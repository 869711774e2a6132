import { booleanAt, type JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Pod } from '../../../cluster/pod.ts'
import type { Mesh } from './mesh.ts'

const INJECT = 'linkerd.io/inject'
const NATIVE = /^config\.(?:(?:alpha|beta)\.)?linkerd\.io\/proxy-enable-native-sidecar$/
const FIRST_SIDECARS = 29

export function linkerd(settings: JsonObject, minor: number): Mesh {
  return {
    actor: 'linkerd-proxy-injector',
    webhook: 'linkerd-proxy-injector.linkerd.io',
    service: 'linkerd-proxy-injector',
    isNeeded: false,
    init: 'linkerd-init',
    proxy: 'linkerd-proxy',
    image: 'linkerd/proxy',
    mark: 'linkerd.io/proxy-version',
    wants,
    isNative(pod, namespace) {
      const asked = native(pod.metadata.annotations) ?? native(namespace?.metadata.annotations)
      const isAsked = asked === undefined ? booleanAt(settings, ['native']) : asked === 'true'
      return minor >= FIRST_SIDECARS && isAsked === true
    },
  }
}

function native(annotations: { readonly [key: string]: string } | undefined): string | undefined {
  return Object.entries(annotations ?? {}).find(([key]) => NATIVE.test(key))?.[1]
}

/** ME-4: the annotation of the pod, or of its namespace. */
function wants(pod: Pod, namespace: KubeObject | undefined): string | undefined {
  if (pod.spec['hostNetwork'] === true) return undefined
  if (pod.spec['automountServiceAccountToken'] === false) return undefined
  if (['kube-system', 'cert-manager'].includes(namespace?.metadata.name ?? '')) return undefined
  const own = pod.metadata.annotations?.[INJECT]
  const asked = own ?? namespace?.metadata.annotations?.[INJECT]
  if (asked !== 'enabled' && asked !== 'ingress') return undefined
  const who = own === undefined ? `namespace ${namespace?.metadata.name ?? ''}` : 'it'
  return `${who} has the annotation ${INJECT}=${asked}`
}
