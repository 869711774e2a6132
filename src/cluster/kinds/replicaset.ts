import type { Kind } from '../api/kind.ts'

export const replicaset: Kind = {
  group: 'apps',
  version: 'v1',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  singular: 'replicaset',
  shortNames: ['rs'],
  namespaced: true,
  type: 'io.k8s.api.apps.v1.ReplicaSet',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
