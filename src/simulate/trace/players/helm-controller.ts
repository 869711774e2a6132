import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Answer } from '../../../cluster/api/request.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import { renderChart } from '../../go-template/chart.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import {
  HELM_CONTROLLER,
  HELM_RELEASES,
  helmController,
  helmControllerKinds,
  SOURCE_RESOURCES,
  type ControllerOptions,
} from '../../engines/helm-controller/index.ts'
import type { Trace, TraceEvent } from '../format.ts'
import { objectsOf } from '../manifests.ts'
import type { TracePlayer } from '../player.ts'
import { errorsOf } from './helm-controller-errors.ts'
import { fighterOf, policiesOf, replayOf } from './helm-controller-scripts.ts'
import { recordedRank, recordedTiming } from './helm-controller-recorded.ts'
import type { Acts } from './script.ts'
import { playOn, zeroOf } from './stage.ts'

const USER = 'trace-script'
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const SECRETS = { group: '', version: 'v1', resource: 'secrets' }
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' }

type Charts = Map<string, { readonly [path: string]: string }>

/** HelmReleases, the sources of their charts, and what people do beside them. */
export const helmControllerPlayer: TracePlayer = {
  engine: HELM_CONTROLLER,
  play: (given, tools) => {
    const trace = startedBy(given)
    const namespace = namespaceOf(trace)
    const charts: Charts = new Map()
    const errors = errorsOf(trace, zeroOf(trace))
    return playOn(
      trace,
      {
        actors: [
          helmController(optionsOf(trace, namespace, charts)),
          errors.keeper,
          replayOf(trace),
          fighterOf(trace, zeroOf(trace)),
        ],
        restarts: [HELM_CONTROLLER],
        kinds: [...helmControllerKinds, ...bystanderKinds],
        namespace,
        // Measured from the start of the process to the first write (section 4).
        startMs: 380,
        acts: actsOf(trace, namespace, charts),
        prepare: (cluster) => prepare(trace, cluster),
        event: errors.event,
        error: errors.answer,
      },
      tools,
    )
  },
}

/** Where a recording names the start of its controller, there was none before. */
function startedBy(trace: Trace): Trace {
  const first = trace.events.find(({ do: word }) => word === 'startEngine' || word === 'stopEngine')
  if (first?.do !== 'startEngine') return trace
  return { ...trace, events: [{ t: -0.5, do: 'stopEngine' }, ...trace.events] }
}

function optionsOf(trace: Trace, namespace: string, charts: Charts): ControllerOptions {
  const controller = stringAt(trace.engine.settings, ['controller']) ?? ''
  const isOn = (gate: string): boolean => controller.includes(`${gate}=true`)
  const terminations = trace.events.flatMap((event) =>
    event.do === 'stopEngine' && event['signal'] === 'SIGTERM'
      ? [zeroOf(trace) + event.t * 1000]
      : [],
  )
  return {
    artifact: (_source, { digest }) => charts.get(digest),
    concurrency: Number(/^--concurrent=(\d+)/.exec(controller)?.[1] ?? 4),
    retriesByDefault: isOn('DefaultToRetryOnFailure'),
    cancelsHealthChecks: isOn('CancelHealthCheckOnNewRevision'),
    terminations,
    timing: recordedTiming(trace, zeroOf(trace)),
    rank: recordedRank(trace, namespace),
  }
}

/** Recorders gave each trace a namespace of its own, which every message names. */
function namespaceOf(trace: Trace): string {
  const [first] = trace.observed.jobs
  if (first !== undefined) return first.namespace
  const text = JSON.stringify(trace.observed.engine ?? [])
  return /for release ([a-z0-9-]+)\//.exec(text)?.[1] ?? trace.id
}

function prepare(trace: Trace, cluster: Cluster): void {
  for (const { resource, body } of policiesOf(trace)) {
    cluster.request({ verb: 'create', resource, body, user: USER })
  }
}

function actsOf(trace: Trace, namespace: string, charts: Charts): Acts {
  return {
    commit: (event, io) => commit(event, trace, namespace, charts, io),
    apply: (event, io) => apply(event, trace, namespace, io),
    patch: (event, io) => patch(event, namespace, io),
    delete: (event, io) => remove(event, namespace, io),
    note: (event, io) => note(event, namespace, io),
  }
}

/** What source-controller would have stored; the digest is the archive's. */
function commit(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  charts: Charts,
  io: Io<never>,
): Answer | undefined {
  const key = stringAt(event, ['files']) ?? ''
  const files = trace.files[key]
  const [kind = '', name = ''] = (stringAt(event, ['source']) ?? '').split('/')
  const resource = SOURCE_RESOURCES.get(kind)
  if (resource === undefined || files === undefined || typeof files === 'string') return undefined
  const digest = `sha256:${sha256Hex(JSON.stringify(files))}`
  charts.set(digest, files)
  const artifact = { revision: stringAt(event, ['revision']) ?? '', digest }
  if (io.read.get(resource, namespace, name) === undefined) {
    const apiVersion = 'source.toolkit.fluxcd.io/v1'
    const body = { apiVersion, kind, metadata: { name, namespace }, spec: {} }
    io.request({ verb: 'create', resource, namespace, body })
  }
  const ready = { type: 'Ready', status: 'True', reason: 'Succeeded', message: 'stored artifact' }
  const status = { artifact, observedGeneration: 1, conditions: [ready] }
  return io.request({
    verb: 'patch',
    resource,
    namespace,
    name,
    subresource: 'status',
    patch: { type: 'merge', body: { status } },
    options: { fieldManager: 'source-controller' },
  })
}

function apply(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const [kind = '', name = ''] = (stringAt(event, ['object']) ?? '').split('/')
  const spec = objectAt(event, ['spec'])
  if (kind === 'HelmRelease' && spec !== undefined) {
    const body = {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind,
      metadata: { name, namespace },
      spec,
    }
    return io.request({ verb: 'create', resource: HELM_RELEASES, namespace, body })
  }
  return kind === 'Job' ? createJob(event, trace, namespace, name, io) : undefined
}

/** A Job of the chart's template with another image, made before the chart is installed. */
function createJob(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  name: string,
  io: Io<never>,
): Answer | undefined {
  const commits = trace.events.filter(({ do: word }) => word === 'commit')
  const files = trace.files[stringAt(commits[0], ['files']) ?? '']
  if (files === undefined || typeof files === 'string') return undefined
  const release = { name: 'app', namespace, revision: 1, isInstall: true }
  const rendered = renderChart(files, { image: event['image'] ?? '' }, release)
  if ('fault' in rendered) return undefined
  const body = rendered.files
    .flatMap(({ path, text }) => objectsOf(path, text))
    .find((object) => object['kind'] === 'Job' && nameOf(object) === name)
  if (body === undefined) return undefined
  const options = { fieldManager: 'kubectl-create' }
  return io.request({ verb: 'create', resource: JOBS, namespace, body, options })
}

function nameOf(object: JsonObject): string | undefined {
  return stringAt(object, ['metadata', 'name'])
}

const RESOURCES: ReadonlyMap<string, ResourceId> = new Map([
  ['Job', JOBS],
  ['Secret', SECRETS],
  ['HelmRelease', HELM_RELEASES],
])

interface Named {
  readonly resource: ResourceId
  readonly namespace: string
  readonly name: string
}

/** `Job/NAMESPACE/NAME`, `HelmRelease/NAME`. */
function namedOf(event: TraceEvent, namespace: string): Named | undefined {
  const [kind = '', ...rest] = (stringAt(event, ['object']) ?? '').split('/')
  const name = rest.at(-1)
  const resource = RESOURCES.get(kind)
  if (name === undefined || resource === undefined) return undefined
  return { resource, namespace: rest.length > 1 ? (rest[0] ?? namespace) : namespace, name }
}

function patch(event: TraceEvent, namespace: string, io: Io<never>): Answer | undefined {
  const named = namedOf(event, namespace)
  const body = event['patch']
  if (named === undefined || !isObject(body)) return undefined
  const fieldManager = stringAt(event, ['by']) === undefined ? USER : 'kubectl-edit'
  return io.request({
    verb: 'patch',
    ...named,
    patch: { type: 'merge', body },
    options: { fieldManager },
  })
}

function remove(event: TraceEvent, namespace: string, io: Io<never>): Answer | undefined {
  const named = namedOf(event, namespace)
  if (named === undefined) return undefined
  const policy = stringAt(event, ['propagationPolicy'])
  const isPolicy = policy === 'Background' || policy === 'Foreground' || policy === 'Orphan'
  return io.request({
    verb: 'delete',
    ...named,
    ...(isPolicy ? { options: { propagationPolicy: policy } } : {}),
  })
}

/** `replay switched on for the namespace`; everything else is a remark, or a script's beginning. */
function note(event: TraceEvent, namespace: string, io: Io<never>): Answer | undefined {
  if (stringAt(event, ['text']) !== 'replay switched on for the namespace') return undefined
  return io.request({
    verb: 'patch',
    resource: NAMESPACES,
    name: namespace,
    patch: { type: 'merge', body: { metadata: { labels: { 'semel.dev/replay': 'on' } } } },
  })
}
