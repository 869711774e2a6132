import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Answer } from '../../../cluster/api/request.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import {
  fluxKinds,
  kustomizeController,
  REALISTIC_TIMING,
  type State,
  type Wake,
} from '../../engines/kustomize-controller/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { KUSTOMIZATIONS, SOURCE_RESOURCES } from '../../engines/kustomize-controller/kinds.ts'
import type { Trace, TraceEvent, TraceFiles } from '../format.ts'
import type { TracePlayer } from '../player.ts'
import { alikeErrors, errorKeeper, type Kept } from './flux-errors.ts'
import { kubectlApplies, otherPatch, patchManager } from './flux-people.ts'
import { recordedTiming } from './flux-recorded.ts'
import { admissionOf, replayWriter } from './flux-replay.ts'
import type { Acts } from './script.ts'
import { playOn, zeroOf } from './stage.ts'

const NAME = 'kustomize-controller'
const USER = 'trace-script'
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' }

/** Kustomizations, their sources and what people do beside them. */
export const kustomizeControllerPlayer: TracePlayer = {
  engine: NAME,
  play: (trace, tools) => {
    const namespace = namespaceOf(trace)
    const revisions = new Map<string, { readonly [path: string]: string }>()
    const timing = { ...REALISTIC_TIMING, ...recordedTiming(trace, zeroOf(trace)) }
    const engine: Actor<State, Wake> = kustomizeController({
      artifact: (revision) => revisions.get(revision),
      concurrency: concurrencyOf(trace),
      timing,
      minor: Number(trace.engine.version?.split('.')[1] ?? 9),
    })
    const played = playOn(
      trace,
      {
        actors: [engine, errorKeeper, replayWriter(trace)],
        restarts: [NAME],
        kinds: [...fluxKinds, ...bystanderKinds],
        namespace,
        // The recorder wrote down when the workers had started.
        startMs: 0,
        acts: actsOf(trace, namespace, revisions),
        prepare: (cluster) => prepare(trace, namespace, cluster),
        error: (cluster) => alikeErrors(cluster.stateOf(errorKeeper.name) as Kept, trace),
      },
      tools,
    )
    return played
  },
}

/** Where the Kustomizations are: Jobs carry it as a label. */
function namespaceOf(trace: Trace): string {
  for (const job of trace.observed.jobs) {
    const labels = objectAt(job as unknown as JsonObject, ['labels'])
    const own = labels?.['kustomize.toolkit.fluxcd.io/namespace']
    if (typeof own === 'string') return own
  }
  return targetsOf(trace)[0] ?? trace.id
}

function concurrencyOf({ engine }: Trace): number {
  const flags = stringAt(engine.settings, ['controller']) ?? ''
  return Number(/--concurrent=(\d+)/.exec(flags)?.[1] ?? 4)
}

/** Every spec of a Kustomization in the trace: from the settings, and as people changed it. */
function specsOf(trace: Trace): readonly JsonObject[] {
  const settings = objectAt(trace.engine.settings, ['kustomizations']) ?? {}
  const changed = trace.events.flatMap((event) => [
    objectAt(event, ['spec']),
    objectAt(event, ['patch', 'spec']),
  ])
  return [...Object.values(settings), ...changed].filter((spec) => isObject(spec))
}

function targetsOf(trace: Trace): readonly string[] {
  return specsOf(trace).flatMap((spec) => stringAt(spec, ['targetNamespace']) ?? [])
}

/** The namespaces and sources that stood there before the first event. */
function prepare(trace: Trace, namespace: string, cluster: Cluster): void {
  const create = (resource: ResourceId, body: JsonObject, where?: string): void => {
    const at = where === undefined ? {} : { namespace: where }
    cluster.request({ verb: 'create', resource, ...at, body, user: USER })
  }
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
  for (const name of new Set(targetsOf(trace))) {
    create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  for (const { kind, name, resource } of sourcesOf(trace)) {
    const apiVersion = 'source.toolkit.fluxcd.io/v1'
    create(resource, { apiVersion, kind, metadata: { name, namespace }, spec: {} }, namespace)
  }
  for (const { resource, body } of admissionOf(trace, namespace)) create(resource, body)
}

interface NamedSource {
  readonly kind: string
  readonly name: string
  readonly resource: ResourceId
}

function sourcesOf(trace: Trace): readonly NamedSource[] {
  const found = new Map<string, NamedSource>()
  for (const spec of specsOf(trace)) {
    const kind = stringAt(spec, ['sourceRef', 'kind']) ?? ''
    const name = stringAt(spec, ['sourceRef', 'name']) ?? ''
    const resource = SOURCE_RESOURCES.get(kind)
    if (resource !== undefined) found.set(`${kind}/${name}`, { kind, name, resource })
  }
  return [...found.values()]
}

function actsOf(
  trace: Trace,
  namespace: string,
  revisions: Map<string, { readonly [path: string]: string }>,
): Acts {
  return {
    commit: (event, io) => commit(event, trace, namespace, revisions, io),
    apply: (event, io) => apply(event, trace, namespace, io),
    patch: (event, io) => patch(event, trace, namespace, io),
    delete: (event, io) => remove(event, namespace, io),
  }
}

/** A commit of one source, or of all where the event names none. */
function commit(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  revisions: Map<string, { readonly [path: string]: string }>,
  io: Io<never>,
): Answer | undefined {
  const key = stringAt(event, ['files']) ?? ''
  const revision = stringAt(event, ['revision']) ?? `main@sha1:${key}`
  revisions.set(revision, filesOf(key, trace.files[key]))
  const only = stringAt(event, ['source']) ?? stringAt(event, ['object'])
  let answer: Answer | undefined
  for (const { kind, name, resource } of sourcesOf(trace)) {
    if (only !== undefined && only !== name && only !== `${kind}/${name}`) continue
    answer = io.request({
      verb: 'patch',
      resource,
      namespace,
      name,
      subresource: 'status',
      patch: { type: 'merge', body: { status: { artifact: { revision } } } },
      options: { fieldManager: 'source-controller' },
    })
  }
  return answer
}

function filesOf(name: string, files: TraceFiles | undefined): { readonly [path: string]: string } {
  return typeof files === 'string' ? { [name]: files } : (files ?? {})
}

/** A Kustomization, or a ConfigMap; kubectl's applies are read from its requests. */
function apply(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const [kind = '', name = ''] = (stringAt(event, ['object']) ?? '').split('/')
  if (stringAt(event, ['by'])?.startsWith('kubectl') === true) {
    return kubectlApplies(event, trace, namespace, io)
  }
  const spec = objectAt(event, ['spec'])
  if (kind === 'Kustomization' && spec !== undefined) {
    const apiVersion = 'kustomize.toolkit.fluxcd.io/v1'
    const body = { apiVersion, kind, metadata: { name, namespace }, spec }
    return applied(KUSTOMIZATIONS, body, namespace, name, io)
  }
  const data = objectAt(event, ['data'])
  if (kind !== 'ConfigMap' || data === undefined) return undefined
  const labels = isWatched(event, trace) ? { 'reconcile.fluxcd.io/watch': 'Enabled' } : {}
  const body = { apiVersion: 'v1', kind, metadata: { name, namespace, labels }, data }
  return applied(CONFIG_MAPS, body, namespace, name, io)
}

/**
 * The events do not tell which ConfigMaps carry the label of F-1: those after whose change a
 * reconcile was recorded at once.
 */
function isWatched(event: TraceEvent, trace: Trace): boolean {
  const object = stringAt(event, ['object'])
  const changes = trace.events.filter((one) => stringAt(one, ['object']) === object).slice(1)
  const starts = (trace.observed.engine ?? []).flatMap((one) => {
    const message = stringAt(one, ['Reconciling', 'message'])
    return message?.startsWith('Fetching') === true ? [Number(one['t'])] : []
  })
  return changes.some(({ t }) => starts.some((start) => start >= t && start < t + 1))
}

function applied(
  resource: ResourceId,
  body: JsonObject,
  namespace: string,
  name: string,
  io: Io<never>,
): Answer {
  return io.request({
    verb: 'patch',
    resource,
    namespace,
    name,
    patch: { type: 'apply', body },
    options: { fieldManager: USER, force: true },
  })
}

interface Named {
  readonly resource: ResourceId
  readonly namespace: string
  readonly name: string
}

/** `Job/NAMESPACE/NAME`, `Job/NAME`, `Kustomization/NAME`. */
function namedOf(text: string, namespace: string): Named | undefined {
  const [kind = '', ...rest] = text.split(' ')[0]?.split('/') ?? []
  const name = rest.at(-1)
  const resource = RESOURCES.get(kind) ?? SOURCE_RESOURCES.get(kind)
  if (name === undefined || resource === undefined) return undefined
  return { resource, namespace: rest.length > 1 ? (rest[0] ?? namespace) : namespace, name }
}

const RESOURCES: ReadonlyMap<string, ResourceId> = new Map([
  ['Job', { group: 'batch', version: 'v1', resource: 'jobs' }],
  ['CronJob', { group: 'batch', version: 'v1', resource: 'cronjobs' }],
  ['ConfigMap', CONFIG_MAPS],
  ['Kustomization', KUSTOMIZATIONS],
])

function patch(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const text = stringAt(event, ['object']) ?? ''
  const named = namedOf(text, namespace)
  if (named === undefined) return undefined
  if (text.endsWith('status.artifact removed')) {
    return io.request({
      verb: 'patch',
      ...named,
      subresource: 'status',
      patch: { type: 'merge', body: { status: { artifact: null } } },
      options: { fieldManager: 'source-controller' },
    })
  }
  const body = isObject(event['patch']) ? event['patch'] : otherPatch(stringAt(event, ['patch']))
  if (body === undefined) return undefined
  return io.request({
    verb: 'patch',
    ...named,
    patch: { type: 'merge', body },
    options: { fieldManager: patchManager(event, trace) },
  })
}

function remove(event: TraceEvent, namespace: string, io: Io<never>): Answer | undefined {
  const named = namedOf(stringAt(event, ['object']) ?? '', namespace)
  if (named === undefined) return undefined
  const policy = stringAt(event, ['propagationPolicy']) ?? stringAt(event, ['propagation'])
  const isPolicy = policy === 'Background' || policy === 'Foreground' || policy === 'Orphan'
  return io.request({
    verb: 'delete',
    ...named,
    ...(isPolicy ? { options: { propagationPolicy: policy } } : {}),
  })
}
