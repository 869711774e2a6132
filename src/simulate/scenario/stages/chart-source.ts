import { sha256Hex } from '../../../core/hash.ts'
import { listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { SOURCE_RESOURCES } from '../../engines/helm-controller/kinds.ts'
import { sourceOf } from '../../engines/helm-controller/settings.ts'
import { isSatisfied } from '../../engines/flux-operator/semver.ts'
import { mergeValues } from '../../go-template/chart.ts'
import { objectsOf } from '../../trace/manifests.ts'
import type { Files } from '../stage.ts'
import { metadataOf, type Charts } from './charts.ts'

export const SOURCE_CONTROLLER = 'source-controller'

/** What stands in Git and in the registry, for whoever fetches charts from there. */
export interface ChartStore {
  readonly charts: Charts
  /** Of the last commit. */
  revision: string
  isAvailable: boolean
  /** The HelmReleases whose charts are wanted. */
  releases: readonly JsonObject[]
  /** Files by the digest of their archive. */
  readonly archives: Map<string, Files>
  /** Digests that came under a version that was there already. */
  readonly skipped: Set<string>
}

const AGAIN_MS = 10_000

/**
 * source-controller, as far as charts go: it keeps the HelmChart or OCIRepository of every
 * HelmRelease at what the store holds, at once and not at its own interval.
 */
export function chartSource(store: ChartStore): Actor<undefined, 'look'> {
  return {
    name: SOURCE_CONTROLLER,
    begin(io) {
      io.wakeAt(io.now, 'look', 'look')
      return undefined
    },
    wake(_state, _wake, io) {
      if (!store.isAvailable) return
      const done = store.releases.map((release) => publish(release, store, io))
      if (done.includes(false)) io.wakeAt(io.now + AGAIN_MS, 'look', 'look')
    },
    copy: () => undefined,
  }
}

/** False when the API server did not take it. */
function publish(release: JsonObject, store: ChartStore, io: Io<'look'>): boolean {
  const { kind, namespace, name } = sourceOf(release as KubeObject)
  const resource = SOURCE_RESOURCES.get(kind)
  const chart = store.charts.at(chartPlace(release))
  if (resource === undefined || chart === undefined) return true
  const artifact = artifactOf(release, chart, kind, store)
  if (artifact === undefined) return true
  const live = io.read.get(resource, namespace, name)
  const there = stringAt(live, ['status', 'artifact', 'revision'])
  if (live === undefined) {
    const body = {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind,
      metadata: { name, namespace },
      spec: {},
    }
    const made = io.request({ verb: 'create', resource, namespace, body })
    if (made.code >= 500) return false
  }
  if (there === artifact.revision) {
    const digest = stringAt(live, ['status', 'artifact', 'digest'])
    if (digest === artifact.digest || store.skipped.has(artifact.digest)) return true
    store.skipped.add(artifact.digest)
    tellSame(release, artifact.revision, io)
    return true
  }
  store.archives.set(artifact.digest, artifact.files)
  const ready = { type: 'Ready', status: 'True', reason: 'Succeeded', message: 'stored artifact' }
  const { revision, digest } = artifact
  const status = {
    artifact: { revision, digest },
    observedGeneration: 1,
    conditions: [ready],
  }
  const answer = io.request({
    verb: 'patch',
    resource,
    namespace,
    name,
    subresource: 'status',
    patch: { type: 'merge', body: { status } },
    options: { fieldManager: SOURCE_CONTROLLER },
  })
  return answer.code < 500
}

/** A chart that changes under the same version is no new chart: nobody hears of it. */
function tellSame(release: JsonObject, version: string, io: Io<'look'>): void {
  const { namespace, name } = sourceOf(release as KubeObject)
  const effect = `skipped the changed chart: its version ${version} is the one before`
  const object = `HelmChart ${namespace}/${name}`
  io.cause({ at: io.now, actor: SOURCE_CONTROLLER, rule: 'R-1', effect, object, carrier: object })
}

interface Artifact {
  readonly revision: string
  readonly digest: string
  readonly files: Files
}

/** Undefined when no version of the chart is in the range that is asked for. */
function artifactOf(
  release: JsonObject,
  given: Files,
  kind: string,
  { revision: commit }: ChartStore,
): Artifact | undefined {
  const spec = objectAt(release, ['spec', 'chart', 'spec'])
  const range = stringAt(spec, ['version'])
  const metadata = metadataOf(given)
  const plain = stringAt(metadata, ['version']) ?? '0.0.0'
  if (range !== undefined && range !== '*' && !isSatisfied(plain, range)) return undefined
  const isByCommit = stringAt(spec, ['reconcileStrategy']) === 'Revision'
  const version = isByCommit ? `${plain}+${sha256Hex(commit).slice(0, 12)}` : plain
  const files: Files = {
    ...withValueFiles(given, spec),
    'Chart.yaml': JSON.stringify({ ...metadata, version }),
  }
  const digest = `sha256:${sha256Hex(JSON.stringify(files))}`
  return { revision: kind === 'OCIRepository' ? `${version}@${digest}` : version, digest, files }
}

/** `valuesFiles` of the chart become its values. */
function withValueFiles(files: Files, spec: JsonObject | undefined): Files {
  const named = listAt(spec, ['valuesFiles']).filter((one) => typeof one === 'string')
  if (named.length === 0) return files
  const values = named.map(
    (path) => objectsOf(path, files[path.replace(/^\.\//, '')] ?? '')[0] ?? {},
  )
  return { ...files, 'values.yaml': JSON.stringify(values.reduce(mergeValues, {})) }
}

/** `./charts/app` in Git, the name of a chart in a repository, or the name of an OCIRepository. */
function chartPlace(release: JsonObject): string | undefined {
  return (
    stringAt(release, ['spec', 'chart', 'spec', 'chart']) ??
    stringAt(release, ['spec', 'chartRef', 'name'])
  )
}
