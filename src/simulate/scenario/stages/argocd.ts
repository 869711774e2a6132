import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { APPLICATIONS, PROJECTS, REFRESH } from '../../engines/argocd/application.ts'
import {
  applicationKinds,
  argocd,
  IDEALISED_DELAYS,
  type Rendered,
  type Sources,
} from '../../engines/argocd/index.ts'
import { below, chartObjects, plainObjects } from '../../engines/argocd/repo-server.ts'
import { spanSeconds } from '../span.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'

const NAMESPACE = 'argocd'
const USER = 'scenario'

/** Argo CD: the Applications of the folder, with one repository behind all of them. */
export const argocdStage: ScenarioEngine = {
  kinds: ['argocd'],
  stage(input) {
    const commits = new Map<string, Files>()
    let head: string | undefined
    const cacheSeconds = spanSeconds(stringAt(input.settings, ['manifestCache']) ?? '24h') ?? 0
    const plain = new WeakMap<Files, Map<string, Rendered>>()
    const sources: Sources = {
      resolve: (_repo, revision) => (commits.has(revision) ? revision : head),
      render(source, revision, now) {
        const files = commits.get(revision) ?? {}
        const path = stringAt(source, ['path']) ?? '.'
        const known = plain.get(files)?.get(path)
        if (known !== undefined) return known
        const rendered = render(below(files, path), source, now)
        if ('objects' in rendered && rendered.isTimeless === true) {
          plain.set(files, new Map([...(plain.get(files) ?? []), [path, rendered]]))
        }
        return rendered
      },
      nextChange: () => undefined,
    }
    const refresh = spanSeconds(stringAt(input.settings, ['refresh']) ?? '180s') ?? 180
    const applications = input.carriers
      .filter((object) => stringAt(object, ['kind']) === 'Application')
      .map((object) => withPolicy(object, input))
    return {
      actors: [
        argocd({
          sources,
          kinds: applicationKinds,
          resyncSeconds: refresh,
          jitterSeconds: 0,
          headCacheSeconds: 0,
          manifestCacheSeconds: cacheSeconds,
          delays: IDEALISED_DELAYS,
        }),
      ],
      kinds: applicationKinds,
      prepare: (cluster) => prepare(cluster),
      commit(cluster, revision, files) {
        commits.set(revision, files)
        const isFirst = head === undefined
        head = revision
        for (const object of applications) {
          if (isFirst) create(cluster, object)
          else refreshNow(cluster, object)
        }
      },
      sync(cluster) {
        for (const object of applications) operate(cluster, object, head)
      },
    }
  },
}

/** `selfHeal`, `prune` and `automated` of the scenario count before those of the file. */
function withPolicy(object: JsonObject, { settings }: StageInput): JsonObject {
  const spec = objectAt(object, ['spec']) ?? {}
  const policy = objectAt(spec, ['syncPolicy']) ?? {}
  if (settings['automated'] === false) {
    const { automated: _, ...manual } = policy
    return { ...object, spec: { ...spec, syncPolicy: manual } }
  }
  const automated: { [key: string]: JsonObject[string] } = {
    ...objectAt(policy, ['automated']),
  }
  for (const key of ['selfHeal', 'prune']) {
    if (settings[key] !== undefined) automated[key] = settings[key]
  }
  return { ...object, spec: { ...spec, syncPolicy: { ...policy, automated } } }
}

function prepare(cluster: Cluster): void {
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
  cluster.request({ verb: 'create', resource: namespaces, body, user: USER })
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: NAMESPACE },
    spec: {},
  }
  const place = { resource: PROJECTS, namespace: NAMESPACE }
  cluster.request({ verb: 'create', ...place, body: project, user: USER })
}

function create(cluster: Cluster, object: JsonObject): void {
  const place = { resource: APPLICATIONS, namespace: NAMESPACE }
  cluster.request({ verb: 'create', ...place, body: object, user: USER })
}

function refreshNow(cluster: Cluster, object: JsonObject): void {
  patch(cluster, object, { metadata: { annotations: { [REFRESH]: 'normal' } } })
}

function operate(cluster: Cluster, object: JsonObject, revision: string | undefined): void {
  const sync = revision === undefined ? {} : { revision }
  patch(cluster, object, { operation: { initiatedBy: { username: 'person' }, sync } })
}

function patch(cluster: Cluster, object: JsonObject, body: JsonObject): void {
  cluster.request({
    verb: 'patch',
    resource: APPLICATIONS,
    namespace: NAMESPACE,
    name: stringAt(object, ['metadata', 'name']) ?? '',
    patch: { type: 'merge', body },
    user: USER,
  })
}

function render(files: Files, source: JsonObject, now: number): Rendered {
  if (files['Chart.yaml'] === undefined) return { objects: plainObjects(files), isTimeless: true }
  return chartObjects(files, source, objectAt(source, ['helm', 'valuesObject']) ?? {}, now)
}
