import type { Kind } from '../api/kind.ts'

export const statefulset: Kind = {
  group: 'apps',
  version: 'v1',
  resource: 'statefulsets',
  kind: 'StatefulSet',
  singular: 'statefulset',
  shortNames: ['sts'],
  namespaced: true,
  type: 'io.k8s.api.apps.v1.StatefulSet',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
