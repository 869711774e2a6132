import type { JsonObject } from '../../core/json.ts'
import { countedAs, namesIn, RESOURCEQUOTAS, usedOf } from '../admission/resource-quota.ts'
import type { Actor, Io } from '../actor.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { copyQueue, newQueue, soon, type QueueState, type QueueWake } from './keyed-queue.ts'
import { keyOf, put, statusOf } from './workload.ts'

/**
 * Keeps the status of quotas on numbers of objects: what is used, when an object came or went. It
 * decides nothing, for admission counts by itself.
 */
export const resourceQuotaController: Actor<QueueState, QueueWake> = {
  name: 'resourcequota-controller',
  begin(io) {
    const state = newQueue(io)
    for (const quota of io.read.list(RESOURCEQUOTAS)) soon(state, quota, io)
    return state
  },
  observe(state, { type, resource, object }, io) {
    if (resource.group === '' && resource.resource === 'resourcequotas') {
      if (type !== 'DELETED') soon(state, object, io)
      return
    }
    const isChange = type === 'MODIFIED' && object.kind !== 'Pod'
    const { namespace } = object.metadata
    if (isChange || namespace === undefined) return
    const counts = countedAs(resource)
    for (const quota of io.read.list(RESOURCEQUOTAS, namespace)) {
      if (namesIn(quota).some((limit) => limit.counts === counts)) soon(state, quota, io)
    }
  },
  wake(_state, { key }, io) {
    const [namespace = '', name = ''] = key.split('/')
    const quota = io.read.get(RESOURCEQUOTAS, namespace, name)
    if (quota !== undefined) write(io, quota)
  },
  copy: copyQueue,
}

function write(io: Io<QueueWake>, quota: KubeObject): void {
  const [namespace = ''] = keyOf(quota).split('/')
  const limits = namesIn(quota)
  const numbers = (of: (name: string, hard: number) => number): JsonObject =>
    Object.fromEntries(limits.map(({ name, hard }) => [name, String(of(name, hard))]))
  const status = {
    hard: numbers((_, hard) => hard),
    used: numbers((name) => usedOf(io.read, namespace, name)),
  }
  if (!equal(status, statusOf(quota))) put(io, RESOURCEQUOTAS, { ...quota, status }, 'status')
}
