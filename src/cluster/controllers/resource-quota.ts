import type { JsonObject } from '../../core/json.ts'
import { countedAs, namesIn, RESOURCEQUOTAS, usedOf } from '../admission/resource-quota.ts'
import type { Actor, Io } from '../actor.ts'
import { succeeded } from '../api/request.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { keyedController, soon, type QueueState, type QueueWake } from './keyed-queue.ts'
import { keyOf, put, statusOf } from './workload.ts'

/**
 * Keeps the status of quotas on numbers of objects: what is used, when an object came or went. It
 * decides nothing, for admission counts by itself.
 */
export const resourceQuotaController: Actor<QueueState, QueueWake> = keyedController({
  name: 'resourcequota-controller',
  resource: RESOURCEQUOTAS,
  observe(state, { type, resource, object }, io) {
    const isChange = type === 'MODIFIED' && object.kind !== 'Pod'
    const { namespace } = object.metadata
    if (isChange || namespace === undefined) return
    const counts = countedAs(resource)
    for (const quota of io.read.list(RESOURCEQUOTAS, namespace)) {
      if (namesIn(quota).some((limit) => limit.counts === counts)) soon(state, quota, io)
    }
  },
  sync: write,
})

function write(quota: KubeObject, io: Io<QueueWake>): boolean {
  const [namespace = ''] = keyOf(quota).split('/')
  const limits = namesIn(quota)
  const numbers = (of: (name: string, hard: number) => number): JsonObject =>
    Object.fromEntries(limits.map(({ name, hard }) => [name, String(of(name, hard))]))
  const status = {
    hard: numbers((_, hard) => hard),
    used: numbers((name) => usedOf(io.read, namespace, name)),
  }
  if (equal(status, statusOf(quota))) return true
  return succeeded(put(io, RESOURCEQUOTAS, { ...quota, status }, 'status'))
}
