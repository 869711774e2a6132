import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import {
  announce,
  jobOfManifest,
  jobsOf,
  providerOf,
  readHcl,
  stateFile,
  terraform,
  type Config,
  type JobResource,
} from '../../engines/terraform/index.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { editLive } from '../edit.ts'
import { withFields } from '../applier.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'
import { startsOf } from './kubectl-schedule.ts'

const FILE = stateFile('default')

/**
 * `terraform apply` over the `kubernetes_job` resources of the `.tf` files (or of YAML Jobs): at each
 * commit, or by `every` or `schedule`. `provider`: its version; default the newest.
 */
export const terraformStage: ScenarioEngine = {
  kinds: ['terraform'],
  stage(input) {
    const { settings, changes, timing } = input
    const known = new Map<number, string>()
    const provider = stringAt(changes, ['provider']) ?? stringAt(settings, ['provider'])
    let config: Config = []
    const publish = (cluster: Cluster, revision: string): void => {
      known.set(cluster.now, revision)
      const asking = {
        read: cluster.api.read,
        request: (request: Parameters<Cluster['request']>[0]) => cluster.request(request),
      }
      announce(asking, FILE, `${revision} ${cluster.now}`)
    }
    return {
      actors: [
        terraform({
          configAt: () => config,
          starts: startsOf(input, known),
          provider: providerOf(provider),
          file: FILE,
          skipsIdle: true,
          lingers: timing === 'idealised',
        }),
      ],
      kinds: bystanderKinds,
      prepare: () => {},
      commit(cluster, revision, files) {
        config = configOf(withFolder(files, input), input)
        if (!('fault' in config)) for (const one of config) createNamespace(cluster, one)
        publish(cluster, revision)
      },
      sync: (cluster) => publish(cluster, ''),
      change(cluster, event) {
        const objects = 'fault' in config ? [] : config.map(({ object }) => object)
        editLive(cluster, event, objects)
      },
    }
  },
}

/** Somebody made it before, as for every engine. */
function createNamespace(cluster: Cluster, { object }: JobResource): void {
  const name = stringAt(object, ['metadata', 'namespace']) ?? 'default'
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  if (cluster.api.read.get(resource, undefined, name) !== undefined) return
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  cluster.request({ verb: 'create', resource, body, user: 'person' })
}

/** A configuration that no event applies is there from the start. */
function withFolder(files: Files, { files: all }: StageInput): Files {
  const isTf = (path: string): boolean => path.endsWith('.tf')
  if (Object.keys(files).some(isTf)) return files
  const own = Object.entries(all).filter(([path]) => isTf(path) && !path.startsWith('commits/'))
  return { ...Object.fromEntries(own), ...files }
}

function configOf(files: Files, input: StageInput): Config {
  const resources: JobResource[] = []
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith('.tf')) {
      const read = readHcl(text)
      if ('what' in read) return { fault: `${path}:${read.line}: ${read.what}` }
      resources.push(...jobsOf(read))
    } else if (/\.ya?ml$/.test(path)) {
      const jobs = objectsOf(path, text).filter((one) => stringAt(one, ['kind']) === 'Job')
      resources.push(...jobs.map(jobOfManifest))
    }
  }
  return resources.map((resource) => withChanges(resource, input.changes))
}

/** `job.spec.x` of a variant; a YAML Job has it already. */
function withChanges(resource: JobResource, changes: JsonObject): JobResource {
  const own = Object.entries(changes).flatMap(([key, value]) =>
    key.startsWith('job.') ? [[key.slice('job.'.length), value] as const] : [],
  )
  if (own.length === 0) return resource
  return { ...resource, object: withFields(resource.object, Object.fromEntries(own)) }
}
