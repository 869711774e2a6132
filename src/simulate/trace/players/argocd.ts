import {
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Answer, RequestOptions } from '../../../cluster/api/request.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import { APPLICATIONS, PROJECTS, REFRESH } from '../../engines/argocd/application.ts'
import { applicationKinds, ARGOCD, argocd } from '../../engines/argocd/index.ts'
import { cutValues } from '../answers.ts'
import type { Trace, TraceEvent } from '../format.ts'
import type { TracePlayer } from '../player.ts'
import {
  recordedClock,
  recordedCompareMs,
  recordedComparisons,
  recordedLateDeletes,
  recordedNotices,
  recordedStale,
  recordedTick,
} from './argocd-recorded.ts'
import { gitOf } from './argocd-git.ts'
import { holdActor, holdingScript } from './argocd-hold.ts'
import { replayActors, replayPolicies } from './argocd-replay.ts'
import type { Acts } from './script.ts'
import { playOn, zeroOf } from './stage.ts'

const NAMESPACE = 'argocd'
const USER = 'trace-script'

/** Argo CD: commits, the Application and its operations, what people do beside it. */
export const argocdPlayer: TracePlayer = {
  engine: 'argocd',
  play: (given, tools) => {
    const clock = new Date(recordedClock(given)).toISOString()
    const observed = { ...given.observed, wallClockAtZero: clock }
    const trace = given.observed.wallClockAtZero === undefined ? { ...given, observed } : given
    const namespace = namespaceOf(trace)
    const git = gitOf(trace, tools)
    const errors = new Set<string>()
    const { resyncSeconds, jitterSeconds } = periodsOf(trace)
    const engine = argocd({
      sources: git,
      kinds: applicationKinds,
      resyncSeconds,
      jitterSeconds,
      recorded: {
        stale: recordedStale(trace),
        noticed: recordedNotices(trace),
        compareMs: recordedCompareMs(trace, zeroOf(trace)),
        lateDeletes: () => recordedLateDeletes(trace),
        ...(jitterSeconds === 0
          ? ticksOf(trace, resyncSeconds)
          : { comparisons: recordedComparisons(trace, zeroOf(trace)) }),
      },
    })
    return playOn(
      trace,
      {
        actors: [engine, errorRecorder(errors), holdActor, ...replayActors(trace)],
        restarts: [ARGOCD],
        podScript: holdingScript,
        kinds: applicationKinds,
        namespace,
        acts: actsOf(trace, namespace, (event) => git.commit(event)),
        prepare: (cluster) => prepare(trace, namespace, cluster),
        error: () => (errors.size === 0 ? null : [...errors].join(' || ')),
      },
      tools,
    )
  },
}

/** Without jitter only the phase of the tick is unknown. */
function ticksOf(trace: Trace, periodSeconds: number): { readonly tick?: number } {
  const phase = recordedTick(trace, periodSeconds)
  return phase === undefined ? {} : { tick: zeroOf(trace) + phase * 1000 }
}

function namespaceOf(trace: Trace): string {
  const first = Object.values(applicationsOf(trace))[0]
  return (
    trace.observed.jobs[0]?.namespace ??
    stringAt(first, ['spec', 'destination', 'namespace']) ??
    trace.id
  )
}

function applicationsOf(trace: Trace): { readonly [name: string]: JsonObject | undefined } {
  return (objectAt(trace.engine.settings, ['applications']) ?? {}) as {
    readonly [name: string]: JsonObject | undefined
  }
}

/** `--app-resync 10 --app-resync-jitter 0 (...)`, else Argo CD's defaults. */
function periodsOf({ engine }: Trace): {
  readonly resyncSeconds: number
  readonly jitterSeconds: number
} {
  const flags = stringAt(engine.settings, ['controller']) ?? ''
  return {
    resyncSeconds: Number(/--app-resync (\d+)/.exec(flags)?.[1] ?? 120),
    jitterSeconds: Number(/--app-resync-jitter (\d+)/.exec(flags)?.[1] ?? 60),
  }
}

function prepare(trace: Trace, namespace: string, cluster: Cluster): void {
  const create = (resource: ResourceId, body: JsonObject, where?: string): void => {
    const at = where === undefined ? {} : { namespace: where }
    cluster.request({ verb: 'create', resource, ...at, body, user: USER })
  }
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
  create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  const project = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', spec: {} }
  for (const name of projectsOf(trace)) {
    create(PROJECTS, { ...project, metadata: { name, namespace: NAMESPACE } }, NAMESPACE)
  }
  for (const { resource, body } of replayPolicies(trace)) create(resource, body)
  createEarlierJobs(trace, namespace, (body) => {
    create({ group: 'batch', version: 'v1', resource: 'jobs' }, body, namespace)
  })
}

function projectsOf(trace: Trace): readonly string[] {
  const apps = Object.values(applicationsOf(trace))
  return [
    ...new Set(['default', ...apps.flatMap((app) => stringAt(app, ['spec', 'project']) ?? [])]),
  ]
}

/** Jobs that stood there before the engine came: the manifest of that name, with the image seen. */
function createEarlierJobs(
  trace: Trace,
  namespace: string,
  create: (body: JsonObject) => void,
): void {
  const applied = trace.events.find((event) => event.do === 'apply')?.t ?? 0
  const git = gitOf(trace, {})
  for (const job of trace.observed.jobs) {
    if (job.created >= applied) continue
    const first = Object.keys(trace.files)[0] ?? ''
    const found = git
      .objectsOf(first)
      .find((one) => stringAt(one, ['metadata', 'name']) === job.name)
    if (found === undefined) continue
    const text = JSON.stringify(found).replace(/"image":"[^"]*"/, `"image":"${job.image ?? ''}"`)
    const body = JSON.parse(text) as JsonObject
    create({ ...body, metadata: { ...objectAt(body, ['metadata']), namespace } })
  }
}

function actsOf(trace: Trace, namespace: string, commit: (event: TraceEvent) => void): Acts {
  const apps = Object.keys(applicationsOf(trace))
  const patchApps = (event: TraceEvent, body: JsonObject, io: Io<never>): void => {
    const named = stringAt(event, ['app'])
    for (const name of named === undefined ? apps : [named])
      patch(APPLICATIONS, NAMESPACE, name, body, io)
  }
  const annotated = (value: string): JsonObject => ({
    metadata: { annotations: { [REFRESH]: value } },
  })
  return {
    commit: (event) => {
      commit(event)
      return undefined
    },
    refresh: (event, io) => {
      patchApps(event, annotated('normal'), io)
      return undefined
    },
    hardRefresh: (event, io) => {
      patchApps(event, annotated('hard'), io)
      return undefined
    },
    sync: (event, io) => {
      patchApps(event, { operation: event['operation'] ?? {} }, io)
      return undefined
    },
    apply: (event, io) => applyApplication(trace, event, io),
    patch: (event, io) => patchNamed(trace, event, namespace, io),
    delete: (event, io) => deleteNamed(trace, event, namespace, io),
  }
}

function patch(
  resource: ResourceId,
  namespace: string | undefined,
  name: string,
  body: Json,
  io: Io<never>,
): Answer {
  return io.request({
    verb: 'patch',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { type: 'merge', body },
    options: { fieldManager: USER },
  })
}

function applyApplication(trace: Trace, event: TraceEvent, io: Io<never>): Answer | undefined {
  const [, name = ''] = (stringAt(event, ['object']) ?? '').split('/')
  const app = applicationsOf(trace)[name]
  if (app === undefined) return undefined
  const { spec = {}, metadata: own, ...rest } = app
  const metadata = { ...rest, ...(isObject(own) ? own : {}), name, namespace: NAMESPACE }
  const body = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec }
  return io.request({ verb: 'create', resource: APPLICATIONS, namespace: NAMESPACE, body })
}

function patchNamed(
  trace: Trace,
  event: TraceEvent,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const words = stringAt(event, ['object']) ?? ''
  const [, kind = '', name = '', subresource] =
    /^(\w+)(?:\/(\S+))?(?: (status))?$/.exec(words) ?? []
  const given = event['body'] ?? event['patch'] ?? {}
  // `finalizers removed` was written down in words.
  const body = isObject(given) ? given : { metadata: { finalizers: null } }
  if (kind === 'Application') return patch(APPLICATIONS, NAMESPACE, name, body, io)
  if (kind === 'AppProject') {
    const project = name === '' ? (projectsOf(trace).at(-1) ?? '') : name
    return patch(PROJECTS, NAMESPACE, project, { spec: body }, io)
  }
  if (kind === 'Namespace') {
    const resource = { group: '', version: 'v1', resource: 'namespaces' }
    return patch(resource, undefined, namespace, { metadata: { labels: body } }, io)
  }
  const found = findNamed(kind, name, namespace, io)
  if (found === undefined) return undefined
  if (subresource === undefined) return patch(found, namespace, name, body, io)
  return io.request({
    verb: 'patch',
    resource: found,
    namespace,
    name,
    subresource,
    patch: { type: 'merge', body: { status: body } },
    options: { fieldManager: USER },
  })
}

/** The resource of an object of the namespace, by its name and, if one is given, its kind. */
function findNamed(
  kind: string,
  name: string,
  namespace: string,
  io: Io<never>,
): ResourceId | undefined {
  for (const { resource, object } of io.read.all()) {
    const { metadata } = object
    const isHere = metadata.namespace === namespace && metadata.name === name
    if (isHere && (kind === '' || object.kind === kind)) return resource
  }
  return undefined
}

/** A bare name: an Application of the trace, else whatever object of the namespace is called so. */
function deleteNamed(
  trace: Trace,
  event: TraceEvent,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const parts = (stringAt(event, ['object']) ?? '').split('/')
  const name = parts.at(-1) ?? ''
  const kind = parts.length > 1 ? (parts[0] ?? '') : ''
  const policy = stringAt(event, ['propagationPolicy']) ?? stringAt(event, ['propagation'])
  const options: RequestOptions =
    policy === 'Background' || policy === 'Foreground' || policy === 'Orphan'
      ? { propagationPolicy: policy }
      : {}
  const isApp = kind === 'Application' || (kind === '' && applicationsOf(trace)[name] !== undefined)
  if (isApp) {
    return io.request({
      verb: 'delete',
      resource: APPLICATIONS,
      namespace: NAMESPACE,
      name,
      options,
    })
  }
  const resource = findNamed(kind, name, namespace, io)
  if (resource === undefined) return undefined
  return io.request({ verb: 'delete', resource, namespace, name, options })
}

/** Writes down each error that an Application has ever shown, in the words of `answer.error`. */
function errorRecorder(errors: Set<string>): Actor<undefined, never> {
  return {
    name: 'error-recorder',
    begin: () => undefined,
    observe(_state, { type, resource, object }) {
      if (type === 'DELETED' || resource.resource !== 'applications') return
      for (const condition of listAt(object, ['status', 'conditions'])) {
        const message = stringAt(condition, ['message']) ?? ''
        if (message.startsWith('Failed last sync attempt')) continue
        errors.add(cutValues(`${stringAt(condition, ['type']) ?? ''}: ${message}`))
      }
      const state = objectAt(object, ['status', 'operationState'])
      const phase = stringAt(state, ['phase']) ?? ''
      const message = stringAt(state, ['message']) ?? ''
      const isRetry =
        integerAt(state, ['retryCount']) !== undefined && message.includes('. Retrying attempt #')
      if (message === '' || (phase !== 'Failed' && phase !== 'Error' && !isRetry)) return
      errors.add(
        cutValues(
          message.replace(/\. Retrying attempt #.*$/, '').replace(/ \(retried \d+ times\)\.?$/, ''),
        ),
      )
    },
    wake: () => undefined,
    copy: () => undefined,
  }
}
