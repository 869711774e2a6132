import { integerAt, isList, objectAt, stringAt } from '../../core/json.ts'
import type { Reader } from '../actor.ts'
import type { KubeObject } from '../object.ts'
import type { Pod } from '../pod.ts'
import type { Missing } from './references.ts'
import type { Need, PodPlan } from './script.ts'

/** K-95: the first ConfigMap or Secret without which one of the pod's containers is not made. */
export function missingNeed(pod: Pod, plan: PodPlan, read: Reader): Missing | undefined {
  for (const { needs = [] } of Object.values(plan.containers ?? {})) {
    const need = needs.find((one) => isHolding(one, pod) && !isMet(one, read))
    if (need === undefined) continue
    const kind = need.kind === 'Secret' ? 'Secret' : 'ConfigMap'
    const message = `${kind.toLowerCase()} "${need.name}" not found`
    return { kind, name: need.name, reason: 'CreateContainerConfigError', message }
  }
  return undefined
}

function isHolding({ kind, namespace }: Need, pod: Pod): boolean {
  return (kind === 'ConfigMap' || kind === 'Secret') && namespace === pod.metadata.namespace
}

/** A Deployment and its like is ready, a Job complete, anything else there and not on its way out. */
export function isMet({ kind, namespace, name }: Need, read: Reader): boolean {
  const object = find(read, kind, namespace, name)
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return false
  if (kind === 'Job') return hasCondition(object, 'Complete')
  if (kind === 'DaemonSet') {
    const wanted = integerAt(object, ['status', 'desiredNumberScheduled'])
    return wanted !== undefined && (integerAt(object, ['status', 'numberReady']) ?? 0) >= wanted
  }
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'ReplicaSet') return true
  const wanted = integerAt(object, ['spec', 'replicas']) ?? 1
  return wanted > 0 && (integerAt(object, ['status', 'readyReplicas']) ?? 0) >= wanted
}

function find(read: Reader, kind: string, namespace: string, name: string): KubeObject | undefined {
  const known = RESOURCES[kind]
  if (known !== undefined) {
    const [group, resource] = known
    return read.get({ group, version: 'v1', resource }, namespace, name)
  }
  for (const { object } of read.all()) {
    const { metadata } = object
    if (object.kind === kind && metadata.namespace === namespace && metadata.name === name) {
      return object
    }
  }
  return undefined
}

const RESOURCES: { readonly [kind: string]: readonly [group: string, resource: string] } = {
  ConfigMap: ['', 'configmaps'],
  Secret: ['', 'secrets'],
  ServiceAccount: ['', 'serviceaccounts'],
  Service: ['', 'services'],
  Job: ['batch', 'jobs'],
  CronJob: ['batch', 'cronjobs'],
  Deployment: ['apps', 'deployments'],
  StatefulSet: ['apps', 'statefulsets'],
  DaemonSet: ['apps', 'daemonsets'],
  ReplicaSet: ['apps', 'replicasets'],
}

function hasCondition(object: KubeObject, type: string): boolean {
  const conditions = objectAt(object, ['status'])?.['conditions']
  return (
    isList(conditions) &&
    conditions.some(
      (one) => stringAt(one, ['type']) === type && stringAt(one, ['status']) === 'True',
    )
  )
}
