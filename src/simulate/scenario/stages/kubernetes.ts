import { isObject, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { apiVersionOf } from '../../../cluster/api/registry.ts'
import { defaultKinds } from '../../../cluster/kinds/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { withField } from '../play.ts'
import type { Files, ScenarioEngine } from '../stage.ts'

const KINDS = [...defaultKinds, ...bystanderKinds]
const USER = 'scenario'

/** A plain cluster: somebody applies the files, and edits fields (`change: {spec.suspend: true}`). */
export const plainKubernetes: ScenarioEngine = {
  kinds: ['kubernetes-cronjob', 'kubernetes', 'kubectl'],
  stage: () => {
    let objects: readonly JsonObject[] = []
    return {
      actors: [],
      kinds: bystanderKinds,
      prepare: () => {},
      commit(cluster, _revision, files) {
        objects = all(files)
        for (const object of objects) apply(cluster, object)
      },
      change(cluster, event) {
        const change = event['change']
        if (!isObject(change)) return
        for (const object of objects) {
          const made = Object.entries(change).reduce<JsonObject>(
            (next, [path, value]) => withField(next, path.split('.'), value),
            {},
          )
          patch(cluster, object, made)
        }
      },
    }
  },
}

function all(files: Files): readonly JsonObject[] {
  return Object.entries(files).flatMap(([path, text]) => objectsOf(path, text))
}

function kindOf(object: JsonObject): Kind | undefined {
  const apiVersion = stringAt(object, ['apiVersion'])
  return KINDS.find(
    (kind) => apiVersionOf(kind) === apiVersion && kind.kind === stringAt(object, ['kind']),
  )
}

function apply(cluster: Cluster, object: JsonObject): void {
  send(cluster, object, { type: 'apply', body: object })
}

function patch(cluster: Cluster, object: JsonObject, body: JsonObject): void {
  if (stringAt(object, ['kind']) !== 'CronJob' && stringAt(object, ['kind']) !== 'Job') return
  send(cluster, object, { type: 'merge', body })
}

function send(
  cluster: Cluster,
  object: JsonObject,
  patched: { readonly type: 'apply' | 'merge'; readonly body: JsonObject },
): void {
  const kind = kindOf(object)
  if (kind === undefined) return
  const { group, version, resource, namespaced } = kind
  const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
  cluster.request({
    verb: 'patch',
    resource: { group, version, resource },
    ...(namespaced ? { namespace } : {}),
    name: stringAt(object, ['metadata', 'name']) ?? '',
    patch: patched,
    options: {
      fieldManager: USER,
      ...(patched.type === 'apply' ? { force: true } : {}),
    },
    user: USER,
  })
}
