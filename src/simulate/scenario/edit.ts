import { isObject, stringAt, type JsonObject } from '../../core/json.ts'
import type { Kind } from '../../cluster/api/kind.ts'
import { apiVersionOf } from '../../cluster/api/registry.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { chosenBy, withFields } from './applier.ts'

const USER = 'person'

/**
 * Somebody edits live objects: `change: {spec.suspend: true}`, of `object: CronJob/vault/backup` or
 * of every Job and CronJob among those that were applied.
 */
export function editLive(
  cluster: Cluster,
  event: JsonObject,
  objects: readonly JsonObject[],
): void {
  const { change } = event
  if (!isObject(change)) return
  const isWork = (object: JsonObject): boolean =>
    /^(?:Cron)?Job$/.test(stringAt(object, ['kind']) ?? '')
  const meant = event['object'] === undefined ? objects.filter(isWork) : chosenBy(event, objects)
  for (const object of meant) {
    const kind = kindOf(object, cluster.api.kinds())
    if (kind === undefined) continue
    const { group, version, resource, namespaced } = kind
    const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
    cluster.request({
      verb: 'patch',
      resource: { group, version, resource },
      ...(namespaced ? { namespace } : {}),
      name: stringAt(object, ['metadata', 'name']) ?? '',
      patch: { type: 'merge', body: withFields({}, change) },
      options: { fieldManager: 'kubectl-edit' },
      user: USER,
    })
  }
}

export function kindOf(object: JsonObject, kinds: readonly Kind[]): Kind | undefined {
  const apiVersion = stringAt(object, ['apiVersion'])
  return kinds.find(
    (kind) => apiVersionOf(kind) === apiVersion && kind.kind === stringAt(object, ['kind']),
  )
}
