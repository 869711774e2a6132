import {
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import type { Reader } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { GROUP, PRIORITIES } from './kinds.ts'
import { queueOf } from './managed.ts'
import { amount, type Amounts, type ClusterQueue } from './queues.ts'

const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' }

/** What Kueue remembers of one Job that it manages. Never changed in place. */
export interface Workload {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly queue: string
  readonly priority: number
  readonly requests: Amounts
  /** Its place in the queue, which an eviction does not change. */
  readonly queuedAt: Instant
  readonly admission?: Admission
  /** It was told to make room, and holds its quota until its pods are gone. */
  readonly isEvicted?: true
}

export interface Admission {
  readonly clusterQueue: string
  /** Which flavor it got, by resource. */
  readonly flavors: { readonly [resource: string]: string }
}

export function workloadOf(job: KubeObject, queuedAt: Instant, read: Reader): Workload {
  const { uid, namespace = '', name } = job.metadata
  return {
    uid,
    namespace,
    name,
    queue: queueOf(job),
    priority: priorityOf(job, read),
    requests: requestsOf(job),
    queuedAt,
  }
}

function priorityOf(job: KubeObject, read: Reader): number {
  const own = job.metadata.labels?.[`${GROUP}/priority-class`]
  const pods = stringAt(job, ['spec', 'template', 'spec', 'priorityClassName'])
  const found =
    own === undefined
      ? pods === undefined
        ? undefined
        : read.get(PRIORITY_CLASSES, undefined, pods)
      : read.get(PRIORITIES, undefined, own)
  return integerAt(found, ['value']) ?? 0
}

/** Of all pods that run side by side: containers together, or the largest init container. */
function requestsOf(job: KubeObject): Amounts {
  const spec = objectAt(job, ['spec', 'template', 'spec']) ?? {}
  const parallelism = integerAt(job, ['spec', 'parallelism']) ?? 1
  const pods = Math.min(parallelism, integerAt(job, ['spec', 'completions']) ?? parallelism)
  const inits = listAt(spec, ['initContainers']).filter(isObject)
  const beside = inits.filter((one) => one['restartPolicy'] === 'Always')
  const lasting = sum([...listAt(spec, ['containers']).filter(isObject), ...beside].map(needsOf))
  const needed: { [resource: string]: number } = { ...lasting }
  for (const init of inits) {
    if (init['restartPolicy'] === 'Always') continue
    for (const [name, value] of Object.entries(needsOf(init))) {
      needed[name] = Math.max(needed[name] ?? 0, value)
    }
  }
  const all = Object.entries(needed).map(([name, value]) => [name, value * pods] as const)
  return { ...Object.fromEntries(all), pods }
}

/** A limit stands for the request that is left out. */
function needsOf(container: JsonObject): Amounts {
  const given = {
    ...objectAt(container, ['resources', 'limits']),
    ...objectAt(container, ['resources', 'requests']),
  }
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, amount(value)]))
}

function sum(list: readonly Amounts[]): Amounts {
  const total: { [resource: string]: number } = {}
  for (const one of list) {
    for (const [name, value] of Object.entries(one)) total[name] = (total[name] ?? 0) + value
  }
  return total
}

/** How much of each flavor is taken: `flavor/resource` to an amount. */
export type Usage = Map<string, number>

export function usageOf(holders: readonly Workload[]): Usage {
  const usage: Usage = new Map()
  for (const holder of holders) count(usage, holder, 1)
  return usage
}

export function count(usage: Usage, { admission, requests }: Workload, sign: 1 | -1): void {
  for (const [resource, flavor] of Object.entries(admission?.flavors ?? {})) {
    const key = `${flavor}/${resource}`
    usage.set(key, (usage.get(key) ?? 0) + sign * (requests[resource] ?? 0))
  }
}

/** The flavors that have room for a workload; undefined: there is none. */
export function fit(
  { requests }: Workload,
  queue: ClusterQueue,
  usage: Usage,
): Admission | undefined {
  const clusterQueue = queue.name
  if (queue.groups === 'unlimited') return { clusterQueue, flavors: {} }
  const flavors: { [resource: string]: string } = {}
  for (const group of queue.groups) {
    const covered = Object.keys(group[0]?.quota ?? {}).filter(
      (name) => requests[name] !== undefined,
    )
    const found = group.find(({ name, quota }) =>
      covered.every((resource) => {
        const used = usage.get(`${name}/${resource}`) ?? 0
        return used + (requests[resource] ?? 0) <= (quota[resource] ?? 0)
      }),
    )
    if (found === undefined) return undefined
    for (const resource of covered) flavors[resource] = found.name
  }
  const isCovered = Object.entries(requests).every(
    ([name, value]) => name === 'pods' || value === 0 || flavors[name] !== undefined,
  )
  return isCovered ? { clusterQueue, flavors } : undefined
}
