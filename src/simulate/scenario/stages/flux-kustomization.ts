import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { fluxKinds, kustomizeController } from '../../engines/kustomize-controller/index.ts'
import { KUSTOMIZATIONS, SOURCE_RESOURCES } from '../../engines/kustomize-controller/kinds.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { withField } from '../play.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'

/** Settings of the scenario that are fields of the Kustomization. */
const FIELDS = new Set([
  'interval',
  'force',
  'wait',
  'prune',
  'timeout',
  'retryInterval',
  'suspend',
])
const USER = 'scenario'

/** Flux: the Kustomizations of the folder, their sources, and what Git holds. */
export const fluxKustomization: ScenarioEngine = {
  kinds: ['flux-kustomization'],
  stage(input) {
    const revisions = new Map<string, Files>()
    const engine = kustomizeController({ artifact: (revision) => revisions.get(revision) })
    const kustomizations = input.carriers
      .filter((object) => stringAt(object, ['kind']) === 'Kustomization')
      .filter(
        (object) => stringAt(object, ['apiVersion'])?.startsWith('kustomize.toolkit') === true,
      )
      .map((object) => withSettings(object, input))
    return {
      actors: [engine],
      kinds: [...fluxKinds, ...bystanderKinds],
      prepare: (cluster) => prepare(cluster, kustomizations),
      commit(cluster, revision, files) {
        const full = `main@sha1:${revision}`
        revisions.set(full, files)
        publish(cluster, kustomizations, full)
      },
    }
  },
}

function withSettings(object: JsonObject, { settings, changes }: StageInput): JsonObject {
  let made = object
  for (const [key, value] of Object.entries(settings)) {
    if (FIELDS.has(key)) made = withField(made, ['spec', key], value)
  }
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith('spec.')) made = withField(made, key.split('.'), value)
  }
  return made
}

function prepare(cluster: Cluster, kustomizations: readonly JsonObject[]): void {
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
  for (const object of kustomizations) {
    const metadata = objectAt(object, ['metadata']) ?? {}
    const namespace = stringAt(metadata, ['namespace']) ?? 'flux-system'
    for (const name of [namespace, stringAt(object, ['spec', 'targetNamespace'])]) {
      if (name === undefined) continue
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
      cluster.request({ verb: 'create', resource: namespaces, body, user: USER })
    }
    const source = sourceOf(object)
    if (source !== undefined) {
      const { resource, name, kind } = source
      const apiVersion = 'source.toolkit.fluxcd.io/v1'
      const body = { apiVersion, kind, metadata: { name, namespace: source.namespace }, spec: {} }
      const place = { resource, namespace: source.namespace }
      cluster.request({ verb: 'create', ...place, body, user: USER })
    }
    const body = { ...object, metadata: { ...metadata, namespace } }
    cluster.request({ verb: 'create', resource: KUSTOMIZATIONS, namespace, body, user: USER })
  }
}

function sourceOf(object: JsonObject) {
  const ref = objectAt(object, ['spec', 'sourceRef'])
  const kind = stringAt(ref, ['kind']) ?? ''
  const resource = SOURCE_RESOURCES.get(kind)
  if (resource === undefined || !isObject(ref)) return undefined
  const own = stringAt(object, ['metadata', 'namespace']) ?? 'flux-system'
  return {
    kind,
    resource,
    name: stringAt(ref, ['name']) ?? '',
    namespace: stringAt(ref, ['namespace']) ?? own,
  }
}

function publish(cluster: Cluster, kustomizations: readonly JsonObject[], revision: string): void {
  for (const object of kustomizations) {
    const source = sourceOf(object)
    if (source === undefined) continue
    cluster.request({
      verb: 'patch',
      resource: source.resource,
      namespace: source.namespace,
      name: source.name,
      subresource: 'status',
      patch: { type: 'merge', body: { status: { artifact: { revision } } } },
      options: { fieldManager: 'source-controller' },
      user: USER,
    })
  }
}
