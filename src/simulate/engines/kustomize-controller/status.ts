import { at, isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { timestamp, type Instant } from '../../../cluster/time.ts'
import { KUSTOMIZATIONS } from './kinds.ts'
import type { Entry, Record } from './state.ts'

/** Who writes the status, as managedFields shows it. */
const STATUS_MANAGER = 'gotk-kustomize-controller'

export const FINALIZER = 'finalizers.fluxcd.io'

export function kustomizationOf(
  { namespace, name }: Pick<Record, 'namespace' | 'name'>,
  io: Io<never>,
): KubeObject | undefined {
  return io.read.get(KUSTOMIZATIONS, namespace, name)
}

export interface Condition {
  readonly type: 'Ready' | 'Reconciling' | 'Healthy' | 'Stalled'
  /** Undefined takes the condition away. */
  readonly status: 'True' | 'False' | 'Unknown' | undefined
  readonly reason?: string
  readonly message?: string
}

export interface StatusChange {
  readonly conditions: readonly Condition[]
  readonly fields?: JsonObject
}

/** Writes conditions and fields of a Kustomization's status; what stays equal is not written. */
export function writeStatus(
  object: KubeObject,
  { conditions, fields = {} }: StatusChange,
  io: Io<never>,
): void {
  const before = listAt(object, ['status', 'conditions']).filter(isObject)
  let now: readonly JsonObject[] = before
  for (const condition of conditions) now = withCondition(now, condition, object, io.now)
  io.request({
    verb: 'patch',
    resource: KUSTOMIZATIONS,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    subresource: 'status',
    patch: { type: 'merge', body: { status: { ...fields, conditions: now } } },
    options: { fieldManager: STATUS_MANAGER },
  })
}

/** The list with a condition set, or taken off; the time stays while the status does. */
export function withCondition(
  list: readonly JsonObject[],
  { type, status, reason = '', message = '' }: Condition,
  { metadata }: KubeObject,
  now: Instant,
): readonly JsonObject[] {
  const old = list.find((one) => one['type'] === type)
  if (status === undefined) return list.filter((one) => one !== old)
  const lastTransitionTime =
    old?.['status'] === status ? (old['lastTransitionTime'] ?? '') : timestamp(now)
  const observedGeneration = metadata.generation ?? 1
  const next = { type, status, reason, message, lastTransitionTime, observedGeneration }
  return old === undefined ? [...list, next] : list.map((one) => (one === old ? next : one))
}

export function inventoryField(entries: readonly Entry[]): JsonObject {
  return {
    inventory: {
      entries: entries.map(({ id, apiVersion }) => ({ id, v: apiVersion.split('/').at(-1) ?? '' })),
    },
  }
}

/** Removes the finalizer, or adds it. */
export function writeFinalizers(
  object: KubeObject,
  finalizers: readonly string[],
  io: Io<never>,
): void {
  io.request({
    verb: 'patch',
    resource: KUSTOMIZATIONS,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    patch: { type: 'merge', body: { metadata: { finalizers } } },
    options: { fieldManager: STATUS_MANAGER },
  })
}

/**
 * F-18: why a dependency does not count yet: absent, not Ready on its own generation, or, from the
 * same source, Ready on another revision.
 */
export function blockedBy(
  dependency: string,
  revision: string,
  isSameSource: (other: KubeObject) => boolean,
  io: Io<never>,
): string | undefined {
  const [namespace = '', name = ''] = dependency.split('/')
  const other = io.read.get(KUSTOMIZATIONS, namespace, name)
  if (other === undefined) {
    const what = `kustomizations.kustomize.toolkit.fluxcd.io "${name}" not found`
    return `dependency '${dependency}' not found: ${what}`
  }
  const observed = at(other, ['status', 'observedGeneration'])
  const isReady = isTrue(conditionOf(other, 'Ready')) && observed === other.metadata.generation
  if (!isReady) return `dependency '${dependency}' is not ready`
  const isBehind =
    isSameSource(other) && stringAt(other, ['status', 'lastAppliedRevision']) !== revision
  return isBehind ? `dependency '${dependency}' revision is not up to date` : undefined
}

export function sourceOf(object: KubeObject): JsonObject {
  const reference = objectAt(object, ['spec', 'sourceRef']) ?? {}
  const namespace = stringAt(reference, ['namespace']) ?? object.metadata.namespace ?? ''
  return { kind: reference['kind'], name: reference['name'], namespace }
}
