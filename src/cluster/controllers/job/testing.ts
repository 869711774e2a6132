import type { JsonObject } from '../../../core/json.ts'
import { IDEALISED, REALISTIC, type Latencies } from '../../actor.ts'
import type { Admission } from '../../api/admission.ts'
import { succeeded, type Answer, type Request } from '../../api/request.ts'
import type { AnyActor, Cluster, ClusterEvent, Listener } from '../../cluster.ts'
import { createCluster } from '../../index.ts'
import { annotationScript } from '../../kubelet/annotation-script.ts'
import { kubelet } from '../../kubelet/kubelet.ts'
import type { PodScript } from '../../kubelet/script.ts'
import type { KubeObject } from '../../object.ts'
import { asPod, PODS, type Pod } from '../../pod.ts'
import { garbageCollector } from '../garbage-collector.ts'
import { ttlAfterFinished } from '../ttl-after-finished.ts'
import { jobController } from './index.ts'
import { asJob, JOBS, type Job } from './job.ts'
import type { ClientLimit } from './limits.ts'

/** What the tests of the Job controller share: a cluster with Jobs, played pods, and a record. */
export interface World {
  readonly cluster: Cluster
  readonly zero: number
  readonly pods: readonly PodRecord[]
  readonly events: readonly ClusterEvent[]
  /** Every condition that a Job was seen with: `one FailureTarget=True BackoffLimitExceeded @1.0`. */
  readonly conditions: readonly string[]
  /** Every request of an actor or a person. */
  readonly requests: readonly Request[]
  create(manifest: JsonObject): Answer
  job(name?: string): Job
  podsNow(): readonly Pod[]
  patch(name: string, body: JsonObject, subresource?: string): Answer
  /** Runs until so many seconds after the beginning. */
  until(seconds: number): void
  now(): number
}

/** Seconds since the beginning. */
export interface PodRecord {
  readonly name: string
  readonly job: string | undefined
  readonly index: string | undefined
  readonly created: number
  started?: number
  ended?: number
  phase?: string
  deletionRequested?: number
  deleted?: number
}

export interface WorldOptions {
  readonly latencies?: Latencies
  readonly script?: PodScript
  /** Milliseconds of the first second that have passed already. */
  readonly offsetMs?: number
  readonly minor?: number
  readonly limit?: ClientLimit
  readonly admission?: readonly Admission[]
  readonly actors?: readonly AnyActor[]
  readonly seed?: number
}

export const REAL: WorldOptions = { latencies: REALISTIC }

export function world(options: WorldOptions = {}): World {
  const zero = Date.UTC(2026, 0, 5) + (options.offsetMs ?? 0)
  const pods = new Map<string, PodRecord>()
  const events: ClusterEvent[] = []
  const conditions: string[] = []
  const seen = new Set<string>()
  const requests: Request[] = []
  const rules = { minor: options.minor ?? 36 }
  const since = (at: number): number => Math.round(at - zero) / 1000
  const listener: Listener = {
    event: (event) => events.push(event),
    request: (request) => requests.push(request),
    write: ({ type, object, resource }, at) => {
      if (resource.resource === 'pods') recordPod(pods, { type, pod: asPod(object) }, since(at))
      if (resource.resource !== 'jobs') return
      for (const one of asJob(object).status?.conditions ?? []) {
        const { name, uid } = object.metadata
        const what = `${name} ${one.type}=${one.status} ${one.reason ?? ''}`
        if (seen.has(`${uid} ${what}`)) continue
        seen.add(`${uid} ${what}`)
        conditions.push(`${what} @${since(at)}`)
      }
    },
  }
  const cluster = createCluster({
    now: zero,
    seed: options.seed ?? 1,
    minor: rules.minor,
    latencies: options.latencies ?? IDEALISED,
    ...(options.admission === undefined ? {} : { admission: options.admission }),
    actors: [
      jobController({ rules, ...(options.limit === undefined ? {} : { limit: options.limit }) }),
      ttlAfterFinished,
      garbageCollector(),
      kubelet(options.script ?? annotationScript),
      ...(options.actors ?? []),
    ],
    listener,
  })
  const ask = (request: Omit<Request, 'user' | 'namespace'>): Answer =>
    cluster.request({ namespace: 'default', user: 'somebody', ...request })
  return {
    cluster,
    zero,
    get pods() {
      return [...pods.values()]
    },
    events,
    conditions,
    requests,
    create: (body) => ask({ verb: 'create', resource: resourceOf(body), body }),
    job: (name = 'one') => asJob(there(cluster.api.read.get(JOBS, 'default', name))),
    podsNow: () => cluster.api.read.list(PODS, 'default').map(asPod),
    patch: (name, body, subresource) =>
      ask({
        verb: 'patch',
        resource: JOBS,
        name,
        patch: { type: 'merge', body },
        ...(subresource === undefined ? {} : { subresource }),
      }),
    until: (seconds) => cluster.runUntil(zero + seconds * 1000),
    now: () => since(cluster.now),
  }
}

export interface JobOptions {
  readonly name?: string
  readonly spec?: JsonObject
  readonly play?: { readonly [annotation: string]: string }
  readonly restartPolicy?: string
  readonly template?: JsonObject
  /** More of the pod's spec. */
  readonly pod?: JsonObject
}

/** A Job named `one` with one container, whose pods play the given annotations. */
export function jobManifest(options: JobOptions = {}): JsonObject {
  const { name = 'one', spec = {}, play = {}, restartPolicy = 'Never' } = options
  const { template = {}, pod = {} } = options
  const annotations: JsonObject = Object.fromEntries(
    Object.entries(play).map(([key, value]) => [`play/${key}`, value]),
  )
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      ...spec,
      template: {
        metadata: { annotations, ...template },
        spec: {
          restartPolicy,
          containers: [{ name: 'main', image: 'registry.example.test/one:1', command: ['run'] }],
          ...pod,
        },
      },
    },
  }
}

export function deletePod(given: World, name: string): Answer {
  return given.cluster.request({
    verb: 'delete',
    resource: PODS,
    namespace: 'default',
    name,
    user: 'somebody',
  })
}

export function deleteJob(given: World, name: string, propagationPolicy: string): Answer {
  return given.cluster.request({
    verb: 'delete',
    resource: JOBS,
    namespace: 'default',
    name,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy },
    user: 'somebody',
  })
}

export function bodyOf(answer: Answer): KubeObject {
  if (succeeded(answer)) return answer.body
  throw new Error(`${answer.code}: ${JSON.stringify(answer.body)}`)
}

function recordPod(
  pods: Map<string, PodRecord>,
  { type, pod }: { readonly type: string; readonly pod: Pod },
  at: number,
): void {
  const { uid, name, ownerReferences = [], annotations = {} } = pod.metadata
  const record: PodRecord = pods.get(uid) ?? {
    name,
    job: ownerReferences[0]?.name,
    index: annotations['batch.kubernetes.io/job-completion-index'],
    created: at,
  }
  pods.set(uid, record)
  const phase = pod.status?.phase
  if (phase === 'Running') record.started ??= at
  if (phase === 'Succeeded' || phase === 'Failed') {
    record.ended ??= at
    record.phase = phase
  }
  if (pod.metadata.deletionTimestamp !== undefined) record.deletionRequested ??= at
  if (type === 'DELETED') record.deleted ??= at
}

function resourceOf({ kind }: JsonObject): typeof JOBS {
  return kind === 'Job' ? JOBS : PODS
}

function there(object: KubeObject | undefined): KubeObject {
  if (object === undefined) throw new Error('there is no such object')
  return object
}
