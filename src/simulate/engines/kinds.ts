import { kindsOf } from '../../cluster/api/custom-kind.ts'
import type { Kind } from '../../cluster/api/kind.ts'
import { DEFINITIONS } from '../../cluster/api/well-known.ts'
import type { Reader } from '../../cluster/actor.ts'
import { apiVersionOf } from '../../cluster/api/registry.ts'
import { defaultKinds } from '../../cluster/kinds/index.ts'
import { plainKind } from '../../cluster/kinds/plain.ts'

/**
 * Kinds of every Kubernetes that have no say in when a Job runs: the model stores and returns them
 * without opinion, so that a repository which holds them can be applied.
 */
export const bystanderKinds: readonly Kind[] = [
  ...clusterWide('rbac.authorization.k8s.io/v1', 'ClusterRole', 'ClusterRoleBinding'),
  ...namespaced('rbac.authorization.k8s.io/v1', 'Role', 'RoleBinding'),
  ...clusterWide('scheduling.k8s.io/v1', 'PriorityClass'),
  ...clusterWide('storage.k8s.io/v1', 'StorageClass', 'CSIDriver'),
  ...clusterWide('node.k8s.io/v1', 'RuntimeClass'),
  ...clusterWide('networking.k8s.io/v1', 'IngressClass'),
  ...namespaced('networking.k8s.io/v1', 'Ingress', 'NetworkPolicy'),
  ...namespaced('policy/v1', 'PodDisruptionBudget'),
  ...namespaced('autoscaling/v2', 'HorizontalPodAutoscaler'),
  ...namespaced('discovery.k8s.io/v1', 'EndpointSlice'),
  ...clusterWide('v1', 'PersistentVolume'),
  ...namespaced('v1', 'PersistentVolumeClaim', 'LimitRange', 'PodTemplate', 'Endpoints'),
  ...clusterWide(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ),
  ...clusterWide('apiregistration.k8s.io/v1', 'APIService'),
]

export type KindFinder = (apiVersion: string, kind: string, read: Reader) => Kind | undefined

/** How a client learns where a kind is served: known kinds, then the stored definitions. */
export function kindFinder(more: readonly Kind[] = []): KindFinder {
  const known = new Map<string, Kind>()
  for (const kind of [...defaultKinds, ...bystanderKinds, ...more]) {
    known.set(`${apiVersionOf(kind)} ${kind.kind}`, kind)
  }
  return (apiVersion, kind, read) => {
    const found = known.get(`${apiVersion} ${kind}`)
    if (found !== undefined) return found
    return read
      .list(DEFINITIONS)
      .flatMap((definition) => kindsOf(definition, undefined))
      .find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
  }
}

function namespaced(apiVersion: string, ...kinds: readonly string[]): readonly Kind[] {
  return kinds.map((kind) => bystander(apiVersion, kind, true))
}

function clusterWide(apiVersion: string, ...kinds: readonly string[]): readonly Kind[] {
  return kinds.map((kind) => bystander(apiVersion, kind, false))
}

function bystander(apiVersion: string, kind: string, isNamespaced: boolean): Kind {
  const [group = '', version = apiVersion] = apiVersion.includes('/') ? apiVersion.split('/') : ['']
  return plainKind({
    group,
    version,
    resource: pluralOf(kind.toLowerCase()),
    kind,
    namespaced: isNamespaced,
    createsOnUpdate: false,
  })
}

function pluralOf(singular: string): string {
  if (singular === 'endpoints') return singular
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`
  return /(s|x|ch)$/.test(singular) ? `${singular}es` : `${singular}s`
}
