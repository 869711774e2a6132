import { sha256Hex } from '../../../core/hash.ts'
import { objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import {
  HELM_RELEASES,
  helmController,
  helmControllerKinds,
  IDEALISED_TIMING,
  SOURCE_RESOURCES,
} from '../../engines/helm-controller/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { withField } from '../play.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'

const USER = 'scenario'

/** Flux helm-controller: the HelmReleases of the folder, with its chart behind all of them. */
export const fluxHelmRelease: ScenarioEngine = {
  kinds: ['flux-helmrelease'],
  stage(input) {
    const charts = new Map<string, Files>()
    const releases = input.carriers
      .filter((object) => stringAt(object, ['kind']) === 'HelmRelease')
      .map((object) => withChart(withSettings(object, input)))
    return {
      actors: [
        helmController({
          artifact: (_source, { digest }) => charts.get(digest),
          timing: IDEALISED_TIMING,
        }),
      ],
      kinds: [...helmControllerKinds, ...bystanderKinds],
      prepare: () => {},
      commit: (cluster, revision, files) => {
        for (const object of releases) publish(cluster, object, revision, files, charts)
      },
      change(cluster, event) {
        if (event['install'] === true) {
          for (const object of releases) {
            publish(cluster, object, '1.0.0', chartOf(input.files), charts)
            create(cluster, object)
          }
        }
        const values = objectAt(event, ['values'])
        for (const object of values === undefined ? [] : releases) {
          patch(cluster, object, { spec: { values } })
        }
      },
    }
  },
}

function withSettings(object: JsonObject, { settings }: StageInput): JsonObject {
  const { interval, driftDetection } = settings
  let made = object
  if (interval !== undefined) made = withField(made, ['spec', 'interval'], interval)
  if (driftDetection !== undefined) {
    made = withField(made, ['spec', 'driftDetection', 'mode'], driftDetection)
  }
  return made
}

/** A chart that the release describes itself becomes the HelmChart that Flux would make of it. */
function withChart(object: JsonObject): JsonObject {
  const spec = objectAt(object, ['spec']) ?? {}
  if (spec['chart'] === undefined) return object
  const { chart: _, ...rest } = spec
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  return { ...object, spec: { ...rest, chartRef: { kind: 'HelmChart', name } } }
}

/** The files below the one Chart.yaml, without its folder. */
function chartOf(files: Files): Files {
  const place = Object.keys(files).find((path) => /(^|\/)Chart\.yaml$/.test(path))
  if (place === undefined) return {}
  const folder = place.slice(0, -'Chart.yaml'.length)
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.startsWith(folder))
      .map(([path, text]) => [path.slice(folder.length), text]),
  )
}

function publish(
  cluster: Cluster,
  object: JsonObject,
  revision: string,
  files: Files,
  charts: Map<string, Files>,
): void {
  const ref = objectAt(object, ['spec', 'chartRef'])
  const kind = stringAt(ref, ['kind']) ?? ''
  const resource = SOURCE_RESOURCES.get(kind)
  if (resource === undefined) return
  const digest = `sha256:${sha256Hex(JSON.stringify(files))}`
  charts.set(digest, files)
  const namespace = stringAt(ref, ['namespace']) ?? namespaceOf(object)
  const name = stringAt(ref, ['name']) ?? ''
  const place = { resource, namespace }
  const body = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: { name, namespace },
    spec: {},
  }
  cluster.request({ verb: 'create', ...place, body, user: USER })
  const ready = { type: 'Ready', status: 'True', reason: 'Succeeded', message: 'stored artifact' }
  const artifact = { revision, digest }
  const status = { artifact, observedGeneration: 1, conditions: [ready] }
  cluster.request({
    verb: 'patch',
    ...place,
    name,
    subresource: 'status',
    patch: { type: 'merge', body: { status } },
    options: { fieldManager: 'source-controller' },
    user: USER,
  })
}

function namespaceOf(object: JsonObject): string {
  return stringAt(object, ['metadata', 'namespace']) ?? 'default'
}

function create(cluster: Cluster, object: JsonObject): void {
  const place = { resource: HELM_RELEASES, namespace: namespaceOf(object) }
  cluster.request({ verb: 'create', ...place, body: object, user: USER })
}

function patch(cluster: Cluster, object: JsonObject, body: Json): void {
  cluster.request({
    verb: 'patch',
    resource: HELM_RELEASES,
    namespace: namespaceOf(object),
    name: stringAt(object, ['metadata', 'name']) ?? '',
    patch: { type: 'merge', body },
    user: USER,
  })
}
