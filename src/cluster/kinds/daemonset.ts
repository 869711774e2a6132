import type { Kind } from '../api/kind.ts'

export const daemonset: Kind = {
  group: 'apps',
  version: 'v1',
  resource: 'daemonsets',
  kind: 'DaemonSet',
  singular: 'daemonset',
  shortNames: ['ds'],
  namespaced: true,
  type: 'io.k8s.api.apps.v1.DaemonSet',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
