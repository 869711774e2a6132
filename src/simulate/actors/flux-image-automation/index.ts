import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { NAMESPACES } from '../../../cluster/api/well-known.ts'
import type { SecondActor } from '../second-actor.ts'
import { imageAutomation } from './automation.ts'
import { GROUP, imageKinds } from './kinds.ts'
import { imageReflector } from './reflector.ts'

const USER = 'scenario'

/**
 * Flux image automation (IA-1 to IA-7; unconfirmed: read from image-reflector-controller and
 * image-automation-controller 1.2, never recorded): a new tag becomes a commit, the commit a revision,
 * and the revision a Job that is refused, or replaced under `force`.
 */
export const fluxImageAutomation: SecondActor = {
  kinds: ['flux-image-automation'],
  settings: ['objects'],
  actor: (settings, { registry, git }) => ({
    actors: [imageReflector(registry), imageAutomation(git)],
    kinds: imageKinds,
    prepare: (cluster) => prepare(cluster, listAt(settings, ['objects']).filter(isObject)),
  }),
  foundIn(objects) {
    const own = objects.filter(
      (object) => stringAt(object, ['apiVersion'])?.startsWith(`${GROUP}/`) === true,
    )
    return own.length === 0 ? [] : [{ kind: 'flux-image-automation', objects: own }]
  },
}

function prepare(cluster: Cluster, objects: readonly JsonObject[]): void {
  for (const object of objects) {
    const served = imageKinds.find(({ kind }) => kind === object['kind'])
    if (served === undefined) continue
    const { group, version, resource } = served
    const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'flux-system'
    const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    cluster.request({ verb: 'create', resource: NAMESPACES, body: home, user: USER })
    const metadata = { ...objectAt(object, ['metadata']), namespace }
    const body = { ...object, apiVersion: `${group}/${version}`, metadata }
    const place = { resource: { group, version, resource }, namespace }
    cluster.request({ verb: 'create', ...place, body, user: USER })
  }
}
