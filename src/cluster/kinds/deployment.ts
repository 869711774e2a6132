import type { Kind } from '../api/kind.ts'

export const deployment: Kind = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
  singular: 'deployment',
  shortNames: ['deploy'],
  namespaced: true,
  type: 'io.k8s.api.apps.v1.Deployment',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
