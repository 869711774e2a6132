import { booleanAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Pod } from '../../../cluster/pod.ts'
import type { Mesh } from './mesh.ts'

const INJECT = 'sidecar.istio.io/inject'
const NATIVE = 'sidecar.istio.io/nativeSidecar'
const INJECTION = 'istio-injection'
const REVISION = 'istio.io/rev'
/** Kubernetes 1.33: sidecar containers are stable there. */
const STABLE_SIDECARS = 33
const FIRST_SIDECARS = 29

/** Istio in sidecar mode; a namespace in ambient mode gets nothing (ME-5). */
export function istio(settings: JsonObject, minor: number): Mesh {
  const revision = stringAt(settings, ['revision'])
  const native = booleanAt(settings, ['native']) ?? isNativeByDefault(settings, minor)
  return {
    actor: 'istiod',
    webhook: 'namespace.sidecar-injector.istio.io',
    service: 'istiod',
    isNeeded: true,
    init: 'istio-init',
    proxy: 'istio-proxy',
    image: 'istio/proxyv2',
    mark: 'sidecar.istio.io/status',
    wants: (pod, namespace) => wants(pod, namespace, revision),
    isNative(pod) {
      const asked = pod.metadata.annotations?.[NATIVE]
      return minor >= FIRST_SIDECARS && (asked === undefined ? native : asked === 'true')
    },
  }
}

/** ME-3: from Istio 1.27 on, where all nodes have Kubernetes 1.33. */
function isNativeByDefault(settings: JsonObject, minor: number): boolean {
  const [major = 1, istioMinor = 27] = (stringAt(settings, ['version']) ?? '')
    .split('.')
    .filter((part) => part !== '')
    .map(Number)
  return minor >= STABLE_SIDECARS && (major > 1 || istioMinor >= 27)
}

/** ME-1: the namespace's label, the pod's label, and before both what excludes a pod. */
function wants(
  { metadata, spec }: Pod,
  namespace: KubeObject | undefined,
  revision: string | undefined,
): string | undefined {
  if (spec['hostNetwork'] === true) return undefined
  const home = namespace?.metadata.name ?? ''
  if (['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage'].includes(home)) {
    return undefined
  }
  const own = metadata.labels?.[INJECT] ?? metadata.annotations?.[INJECT] ?? ''
  const labels = namespace?.metadata.labels ?? {}
  const { [INJECTION]: injection, [REVISION]: wanted } = labels
  if (injection === 'disabled') return undefined
  if (own !== '' && !/^(y|yes|true|on)$/i.test(own)) return undefined
  if (injection === 'enabled') return `namespace ${home} has the label ${INJECTION}=enabled`
  if (wanted !== undefined) {
    if (revision !== undefined && wanted !== revision) return undefined
    return `namespace ${home} has the label ${REVISION}=${wanted}`
  }
  const asks = metadata.labels?.[INJECT] === 'true'
  return asks ? `it has the label ${INJECT}=true` : undefined
}
