import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { NAMESPACES } from '../../../cluster/api/well-known.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { SecondActor } from '../second-actor.ts'
import { kueueController } from './controller.ts'
import { GROUP, kueueKinds } from './kinds.ts'
import { QUEUE } from './managed.ts'
import { kueueWebhooks } from './webhooks.ts'

const USER = 'scenario'

/**
 * Kueue on plain Jobs (KU-1 to KU-10; unconfirmed: read from 0.19, never recorded): a Job in a queue
 * is created suspended, started when its quota is free, suspended again when it must make room.
 * Not modelled: cohorts and borrowing, admission checks, partial admission, topology, waiting for
 * ready pods, MultiKueue, other kinds than Job.
 */
export const kueue: SecondActor = {
  kinds: ['kueue'],
  settings: ['objects', 'manageJobsWithoutQueueName', 'quota', 'preemption', 'queueingStrategy'],
  actor: (settings, { isRunning }) => ({
    actors: [kueueController(settings)],
    kinds: kueueKinds,
    webhooks: [kueueWebhooks(settings, isRunning)],
    prepare: (cluster) => prepare(cluster, listAt(settings, ['objects']).filter(isObject)),
  }),
  foundIn(objects) {
    const own = objects.filter(
      (object) => stringAt(object, ['apiVersion'])?.startsWith(`${GROUP}/`) === true,
    )
    if (own.length === 0 && !objects.some(isQueued)) return []
    return [{ kind: 'kueue', ...(own.length === 0 ? {} : { objects: own }) }]
  },
}

/** A Job that names a queue, or a CronJob whose Jobs do. */
function isQueued(object: JsonObject): boolean {
  const holders = [object, objectAt(object, ['spec', 'jobTemplate'])]
  return holders.some((one) => stringAt(one, ['metadata', 'labels', QUEUE]) !== undefined)
}

function prepare(cluster: Cluster, objects: readonly JsonObject[]): void {
  for (const object of objects) {
    const served = kueueKinds.find(
      (kind) => kind.kind === object['kind'] && object['apiVersion'] === `${GROUP}/${kind.version}`,
    )
    if (served === undefined) continue
    const { group, version, resource, namespaced } = served
    const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
    if (namespaced) {
      const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
      cluster.request({ verb: 'create', resource: NAMESPACES, body: home, user: USER })
    }
    const place = namespaced ? { namespace } : {}
    const id = { group, version, resource }
    cluster.request({ verb: 'create', resource: id, ...place, body: object, user: USER })
  }
}
