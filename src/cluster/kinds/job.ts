import type { Kind } from '../api/kind.ts'

export const job: Kind = {
  group: 'batch',
  version: 'v1',
  resource: 'jobs',
  kind: 'Job',
  singular: 'job',
  namespaced: true,
  type: 'io.k8s.api.batch.v1.Job',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Orphan',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
