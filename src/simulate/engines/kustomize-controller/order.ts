import { groupOf, type Identity } from './objects.ts'

/** Kinds that go first, in this order; the rest by name, webhooks last (fluxcd/pkg ssa). */
const FIRST = [
  'CustomResourceDefinition',
  'Namespace',
  'ClusterClass',
  'RuntimeClass',
  'PriorityClass',
  'StorageClass',
  'VolumeSnapshotClass',
  'IngressClass',
  'GatewayClass',
  'ResourceQuota',
  'ServiceAccount',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Service',
  'LimitRange',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
]
const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']

/** In the order in which objects of one stage are applied. */
export function inOrder<One extends Identity>(objects: readonly One[]): readonly One[] {
  return [...objects].sort(
    (one, other) =>
      rankOf(one.kind) - rankOf(other.kind) ||
      byText(groupOf(one), groupOf(other)) ||
      byText(one.kind, other.kind) ||
      byText(one.namespace ?? '', other.namespace ?? '') ||
      byText(one.name, other.name),
  )
}

/** F-7: definitions and namespaces, then classes, then everything else. Empty stages are left out. */
export function stagesOf<One extends Identity>(
  objects: readonly One[],
): readonly (readonly One[])[] {
  const stages: One[][] = [[], [], []]
  for (const object of objects) stages[stageOf(object)]?.push(object)
  return stages.filter((stage) => stage.length > 0).map(inOrder)
}

/** Whether what this stage made is waited for before the next one begins. */
export function isAwaited(stage: readonly Identity[]): boolean {
  return stage.some((object) => stageOf(object) < 2)
}

function stageOf(object: Identity): 0 | 1 | 2 {
  const { kind } = object
  if (kind === 'CustomResourceDefinition' || kind === 'Namespace' || kind === 'ClusterRole')
    return 0
  return kind.endsWith('Class') ? 1 : 2
}

function rankOf(kind: string): number {
  const first = FIRST.indexOf(kind)
  if (first >= 0) return first
  const last = LAST.indexOf(kind)
  return last < 0 ? FIRST.length : FIRST.length + 1 + last
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
