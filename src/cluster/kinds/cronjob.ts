import type { Kind } from '../api/kind.ts'

export const cronjob: Kind = {
  group: 'batch',
  version: 'v1',
  resource: 'cronjobs',
  kind: 'CronJob',
  singular: 'cronjob',
  shortNames: ['cj'],
  namespaced: true,
  type: 'io.k8s.api.batch.v1.CronJob',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
}
