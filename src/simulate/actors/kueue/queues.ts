import { canonicalQuantity } from '../../../core/quantity.ts'
import {
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { Reader } from '../../../cluster/actor.ts'
import { NAMESPACES } from '../../../cluster/api/well-known.ts'
import { CLUSTER_QUEUES, LOCAL_QUEUES } from './kinds.ts'

/** By name of the resource: `cpu`, `memory`, `pods`. */
export type Amounts = { readonly [resource: string]: number }

export interface Flavor {
  readonly name: string
  readonly quota: Amounts
}

/** A ClusterQueue as the scheduler sees it. */
export interface ClusterQueue {
  readonly name: string
  /** Flavors are tried in their order; without groups everything fits. */
  readonly groups: readonly (readonly Flavor[])[] | 'unlimited'
  readonly isStrict: boolean
  readonly preempts: string
  /** `None`, `Hold`, `HoldAndDrain`. */
  readonly stopPolicy: string
}

export function amount(value: Json | undefined): number {
  if (typeof value !== 'string' && typeof value !== 'number') return 0
  return Number(canonicalQuantity(value) ?? 0)
}

/**
 * KU-6: the ClusterQueue behind a Job's queue; undefined: none, and the Job waits. Where the cluster
 * has no queues at all nobody knows the quota: then `quota` of the settings counts, or none does.
 */
export function clusterQueueFor(
  namespace: string,
  queue: string,
  read: Reader,
  settings: JsonObject,
): ClusterQueue | undefined {
  const local = read.get(LOCAL_QUEUES, namespace, queue)
  if (local === undefined) {
    return read.list(LOCAL_QUEUES).length === 0 ? assumed(settings) : undefined
  }
  const name = stringAt(local, ['spec', 'clusterQueue']) ?? ''
  const found = read.get(CLUSTER_QUEUES, undefined, name)
  if (found === undefined || !admits(found, namespace, read)) return undefined
  const own = stringAt(local, ['spec', 'stopPolicy']) ?? 'None'
  const view = viewOf(found)
  return own === 'None' ? view : { ...view, stopPolicy: own }
}

function assumed(settings: JsonObject): ClusterQueue {
  const quota = objectAt(settings, ['quota'])
  return {
    name: 'default',
    groups: quota === undefined ? 'unlimited' : [[{ name: 'default', quota: amounts(quota) }]],
    isStrict: stringAt(settings, ['queueingStrategy']) === 'StrictFIFO',
    preempts: stringAt(settings, ['preemption']) ?? 'Never',
    stopPolicy: 'None',
  }
}

function amounts(quota: JsonObject): Amounts {
  return Object.fromEntries(Object.entries(quota).map(([key, value]) => [key, amount(value)]))
}

/** An empty selector takes every namespace, an absent one none. */
function admits(queue: JsonObject, namespace: string, read: Reader): boolean {
  const selector = objectAt(queue, ['spec', 'namespaceSelector'])
  if (selector === undefined) return false
  const labels = read.get(NAMESPACES, undefined, namespace)?.metadata.labels ?? {}
  return Object.entries(objectAt(selector, ['matchLabels']) ?? {}).every(
    ([key, value]) => labels[key] === value,
  )
}

function viewOf(
  queue: JsonObject & { readonly metadata: { readonly name: string } },
): ClusterQueue {
  const spec = objectAt(queue, ['spec']) ?? {}
  return {
    name: queue.metadata.name,
    groups: listAt(spec, ['resourceGroups']).map((group) =>
      listAt(group, ['flavors'])
        .filter(isObject)
        .map((flavor) => ({
          name: stringAt(flavor, ['name']) ?? '',
          quota: Object.fromEntries(
            listAt(flavor, ['resources'])
              .filter(isObject)
              .map((one) => [stringAt(one, ['name']) ?? '', amount(one['nominalQuota'])]),
          ),
        })),
    ),
    isStrict: stringAt(spec, ['queueingStrategy']) === 'StrictFIFO',
    preempts: stringAt(spec, ['preemption', 'withinClusterQueue']) ?? 'Never',
    stopPolicy: stringAt(spec, ['stopPolicy']) ?? 'None',
  }
}
