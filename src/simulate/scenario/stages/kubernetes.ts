import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { refOf } from '../applier.ts'
import { editLive, kindOf } from '../edit.ts'
import type { Files, ScenarioEngine } from '../stage.ts'

const USER = 'person'

/**
 * A plain cluster: at each commit somebody applies the files, and leaves what is no longer there
 * unless `prune: true`; fields are edited with `change`.
 */
export const plainKubernetes: ScenarioEngine = {
  kinds: ['kubernetes-cronjob', 'kubernetes'],
  stage: ({ settings }) => {
    let objects: readonly JsonObject[] = []
    return {
      actors: [],
      kinds: bystanderKinds,
      prepare: () => {},
      commit(cluster, _revision, files) {
        const before = objects
        objects = all(files)
        for (const object of objects) apply(cluster, object)
        if (settings['prune'] !== true) return
        const kept = new Set(objects.map(refOf))
        for (const object of before) if (!kept.has(refOf(object))) remove(cluster, object)
      },
      change: (cluster, event) => editLive(cluster, event, objects),
      bootstrap: (cluster) => {
        for (const object of objects) apply(cluster, object)
      },
    }
  },
}

function all(files: Files): readonly JsonObject[] {
  return Object.entries(files).flatMap(([path, text]) => objectsOf(path, text))
}

function placeOf(cluster: Cluster, object: JsonObject) {
  const kind = kindOf(object, cluster.api.kinds())
  if (kind === undefined) return undefined
  const { group, version, resource, namespaced } = kind
  const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
  return {
    resource: { group, version, resource },
    ...(namespaced ? { namespace } : {}),
    name: stringAt(object, ['metadata', 'name']) ?? '',
    user: USER,
  }
}

/** With generateName there is nothing to apply to: each time another object is made. */
function apply(cluster: Cluster, object: JsonObject): void {
  const place = placeOf(cluster, object)
  if (place === undefined) return
  const { name, ...folder } = place
  if (name === '') {
    cluster.request({ verb: 'create', ...folder, body: object })
    return
  }
  const options = { fieldManager: 'kubectl', force: true }
  cluster.request({ verb: 'patch', ...place, patch: { type: 'apply', body: object }, options })
}

function remove(cluster: Cluster, object: JsonObject): void {
  const place = placeOf(cluster, object)
  if (place === undefined) return
  cluster.request({ verb: 'delete', ...place, options: { propagationPolicy: 'Background' } })
}
