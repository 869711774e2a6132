import type { Kind } from './kind.ts'

/** Where etcd holds an object, as texts of errors show it. */
export function storageKey(kind: Kind, namespace: string | undefined, name: string): string {
  const place = kind.namespaced ? `${namespace ?? ''}/${name}` : name
  return `/registry/${prefixOf(kind)}/${place}`
}

function prefixOf({ group, resource, type }: Kind): string {
  if (type === undefined) return `${group}/${resource}`
  if (group === '' && resource === 'services') return 'services/specs'
  if (group === 'apiextensions.k8s.io') return `apiextensions.k8s.io/${resource}`
  return resource
}
