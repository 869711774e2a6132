import { objectAt } from '../../core/json.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'

/** As far as numbers of objects go; its values are not judged. */
export const resourcequota: Kind = {
  group: '',
  version: 'v1',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  singular: 'resourcequota',
  shortNames: ['quota'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: true,
  nameRule: 'subdomain',
  prepareForCreate: (quota) => ({ ...quota, status: {} }),
  prepareForUpdate: withStatusOf,
  prepareForStatusUpdate: (next, old) => ({ ...old, status: objectAt(next, ['status']) ?? {} }),
}

function withStatusOf(next: KubeObject, old: KubeObject): KubeObject {
  return { ...next, status: objectAt(old, ['status']) ?? {} }
}
