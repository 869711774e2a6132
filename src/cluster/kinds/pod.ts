import type { Kind } from '../api/kind.ts'

export const pod: Kind = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  singular: 'pod',
  shortNames: ['po'],
  namespaced: true,
  type: 'io.k8s.api.core.v1.Pod',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
