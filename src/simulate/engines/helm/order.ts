import { stringAt, type JsonObject } from '../../../core/json.ts'
import { compareText } from '../../../core/text.ts'

/** Kinds in the order in which Helm installs them; others come last, by name. */
const INSTALL = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]

/** Of equal rank the order of the files stays. */
export function inInstallOrder(objects: readonly JsonObject[]): readonly JsonObject[] {
  return [...objects].sort((one, other) => compareKinds(kindOf(one), kindOf(other)))
}

export function inUninstallOrder(objects: readonly JsonObject[]): readonly JsonObject[] {
  return [...objects].sort((one, other) => {
    const [a, b] = [kindOf(one), kindOf(other)]
    const isKnown = INSTALL.includes(a) && INSTALL.includes(b)
    return isKnown ? compareKinds(b, a) : compareKinds(a, b)
  })
}

export function compareKinds(one: string, other: string): number {
  const [a, b] = [INSTALL.indexOf(one), INSTALL.indexOf(other)]
  if (a < 0 && b < 0) return compareText(one, other)
  if (a < 0 || b < 0) return a < 0 ? 1 : -1
  return a - b
}

function kindOf(object: JsonObject): string {
  return stringAt(object, ['kind']) ?? ''
}
