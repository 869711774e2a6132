import type { Kind } from '../api/kind.ts'
import { plainKind } from './plain.ts'

const workload = { hasStatus: true, hasGeneration: true } as const

/** Every kind that the model knows without a CustomResourceDefinition. */
export function defaultKinds(): readonly Kind[] {
  return [
    plainKind({
      group: '',
      version: 'v1',
      resource: 'namespaces',
      kind: 'Namespace',
      namespaced: false,
      hasStatus: true,
    }),
    plainKind({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' }),
    plainKind({ group: '', version: 'v1', resource: 'secrets', kind: 'Secret' }),
    plainKind({ group: '', version: 'v1', resource: 'serviceaccounts', kind: 'ServiceAccount' }),
    plainKind({ group: '', version: 'v1', resource: 'services', kind: 'Service', hasStatus: true }),
    plainKind({ group: '', version: 'v1', resource: 'events', kind: 'Event' }),
    plainKind({ group: 'coordination.k8s.io', version: 'v1', resource: 'leases', kind: 'Lease' }),
    plainKind({ group: '', version: 'v1', resource: 'pods', kind: 'Pod', ...workload }),
    plainKind({
      group: 'batch',
      version: 'v1',
      resource: 'jobs',
      kind: 'Job',
      ...workload,
      defaultPropagation: 'Orphan',
    }),
    plainKind({
      group: 'batch',
      version: 'v1',
      resource: 'cronjobs',
      kind: 'CronJob',
      ...workload,
    }),
    plainKind({
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      kind: 'Deployment',
      ...workload,
    }),
    plainKind({
      group: 'apps',
      version: 'v1',
      resource: 'replicasets',
      kind: 'ReplicaSet',
      ...workload,
    }),
    plainKind({
      group: 'apps',
      version: 'v1',
      resource: 'statefulsets',
      kind: 'StatefulSet',
      ...workload,
    }),
    plainKind({
      group: 'apps',
      version: 'v1',
      resource: 'daemonsets',
      kind: 'DaemonSet',
      ...workload,
    }),
  ]
}
