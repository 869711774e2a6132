import type { Kind } from './kind.ts'
import type { Request } from './request.ts'

/** Where etcd holds an object, as texts of errors show it; a dry run shows it without the root. */
export function storageKey(kind: Kind, { namespace, name = '', options }: Request): string {
  const place = kind.namespaced ? `${namespace ?? ''}/${name}` : name
  const root = options?.dryRun === true ? '' : '/registry'
  return `${root}/${prefixOf(kind)}/${place}`
}

function prefixOf({ group, resource, type }: Kind): string {
  if (type === undefined) return `${group}/${resource}`
  if (group === '' && resource === 'services') return 'services/specs'
  if (group === 'apiextensions.k8s.io') return `apiextensions.k8s.io/${resource}`
  return resource
}
