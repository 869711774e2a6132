import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import {
  fluxOperator,
  IDEALISED_TIMING,
  resourceSetKinds,
  SETS,
} from '../../engines/flux-operator/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { objectsOf } from '../../trace/manifests.ts'
import type { Files, ScenarioEngine } from '../stage.ts'

const USER = 'scenario'

/** flux-operator: the ResourceSets that the events apply. */
export const fluxResourceSet: ScenarioEngine = {
  kinds: ['flux-resourceset'],
  stage: ({ tools }) => ({
    actors: [
      fluxOperator({
        timing: IDEALISED_TIMING,
        ...(tools.cel === undefined ? {} : { cel: tools.cel }),
      }),
    ],
    kinds: [...resourceSetKinds, ...bystanderKinds],
    prepare: () => {},
    commit: (cluster, _revision, files) => {
      for (const object of sets(files)) apply(cluster, object)
    },
  }),
}

function sets(files: Files): readonly JsonObject[] {
  return Object.entries(files)
    .flatMap(([path, text]) => objectsOf(path, text))
    .filter((object) => stringAt(object, ['kind']) === 'ResourceSet')
}

function apply(cluster: Cluster, object: JsonObject): void {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? 'default'
  cluster.request({
    verb: 'patch',
    resource: SETS,
    namespace,
    name: stringAt(metadata, ['name']) ?? '',
    patch: { type: 'apply', body: { ...object, metadata: { ...metadata, namespace } } },
    options: { fieldManager: USER, force: true },
    user: USER,
  })
}
