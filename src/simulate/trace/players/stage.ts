import { isList, isObject, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import { REALISTIC, type Cause, type Latencies } from '../../../cluster/actor.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import { discoveryOf, type Discovery } from '../../../cluster/clients/discovery.ts'
import type { AnyActor, Cluster, ClusterEvent } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { typeOf } from '../../../cluster/fields/schema.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import type { PodScript } from '../../../cluster/kubelet/script.ts'
import { compareAnswer } from '../answers.ts'
import type { PlayedSoFar } from '../busy.ts'
import type { Trace } from '../format.ts'
import { objectsOfFiles } from '../manifests.ts'
import { Observer } from '../observe.ts'
import type { EventAnswer, Played, PlayTools } from '../player.ts'
import { clientLimitOf, restartsOf } from '../processes.ts'
import { dueSeconds, requestTime } from '../request-time.ts'
import { quotasOf } from './quotas.ts'
import { scriptActor, type Acts } from './script.ts'

/** What an engine brings to the stage on which all traces are played. */
export interface Setting {
  /** Besides the controller manager, the kubelet and the script. */
  readonly actors: readonly AnyActor[]
  /** Names of the actors that `stopEngine` and `startEngine` are about. */
  readonly restarts: readonly string[]
  readonly kinds?: readonly Kind[]
  readonly acts?: Acts
  readonly namespace?: string
  /** What pods do; default: what their annotations say. */
  readonly podScript?: PodScript
  /** Of the controllers; default: as measured on an idle machine. */
  readonly latencies?: (played: () => PlayedSoFar) => Latencies
  /** Milliseconds from a start of the process to its first act. */
  readonly startMs?: number
  /** Once the cluster is there, before the first event. */
  readonly prepare?: (cluster: Cluster) => void
  /** Each Kubernetes Event that an actor writes. */
  readonly event?: (event: ClusterEvent) => void
  /** At the end: the error that the engine reports, in the words of `answer.error`. */
  readonly error?: (cluster: Cluster) => string | null
}

/** Plays the events of a trace on a cluster in realistic mode and writes down what it does. */
export function playOn(trace: Trace, setting: Setting, { cel }: PlayTools = {}): Played {
  const zero = zeroOf(trace)
  const namespace = setting.namespace ?? trace.observed.jobs[0]?.namespace ?? trace.id
  const observer = new Observer(zero)
  const causes: Cause[] = []
  const answers: EventAnswer[] = []
  const objects = new Map<string, readonly JsonObject[]>()
  for (const [files, texts] of Object.entries(trace.files)) {
    objects.set(files, objectsOfFiles(texts))
  }
  const manager = managerOf(trace)
  let discovery: Discovery | undefined
  const script = scriptActor({
    events: trace.events,
    namespace,
    objectsOf: (files) => objects.get(files) ?? [],
    find: (name) =>
      [...objects.values()].flat().find((one) => stringAt(one, ['metadata', 'name']) === name),
    at: (event) => zero + requestTime(trace, event) * 1000,
    due: (event) => zero + dueSeconds(trace, event, observer.jobs) * 1000,
    earlyMs: trace.tolerance.seconds * 1000,
    discovery: () =>
      discovery ??
      discoveryOf(
        () => [],
        () => undefined,
      ),
    ...(setting.acts === undefined ? {} : { acts: setting.acts }),
    answered: (event, answer) => {
      const compared = compareAnswer(trace, event, answer)
      if (compared !== undefined) answers.push(compared)
    },
  })
  let running: Cluster | undefined
  const soFar = (): PlayedSoFar => ({ now: running?.now ?? zero, zero, jobs: observer.jobs })
  const cluster = createCluster({
    // Before the first event, so that nothing of it is already old.
    now: zero - 1000,
    minor: minorOf(trace),
    latencies: setting.latencies?.(soFar) ?? REALISTIC,
    ...(setting.kinds === undefined ? {} : { kinds: setting.kinds }),
    ...(cel === undefined ? {} : { cel }),
    actors: [...manager, kubelet(setting.podScript ?? annotationScript), ...setting.actors, script],
    listener: {
      write: (event, at) => observer.write(event, at),
      cause: (cause) => causes.push(cause),
      ...(setting.event === undefined ? {} : { event: setting.event }),
    },
  })
  running = cluster
  discovery = discoveryOf(
    () => cluster.api.kinds(),
    ({ type }) => (type === undefined ? undefined : typeOf(type)),
  )
  createNamespace(namespace, cluster)
  for (const body of quotasOf(trace)) {
    const resource = { group: '', version: 'v1', resource: 'resourcequotas' }
    cluster.request({ verb: 'create', resource, namespace, body, user: 'trace-script' })
  }
  setting.prepare?.(cluster)
  const endSeconds = endOf(trace)
  const startSeconds = (setting.startMs ?? REALISTIC.controllerStart) / 1000
  for (const { t, isStart } of restartsOf(trace.events, startSeconds)) {
    cluster.runUntil(zero + t * 1000)
    for (const name of setting.restarts) {
      if (isStart) cluster.start(name)
      else cluster.stop(name)
    }
  }
  cluster.runUntil(zero + (endSeconds + 5 + trace.tolerance.seconds) * 1000)
  const played = { jobs: observer.jobs, answers, causes, endSeconds }
  return setting.error === undefined ? played : { ...played, error: setting.error(cluster) }
}

function managerOf(trace: Trace): readonly AnyActor[] {
  const limit = clientLimitOf(trace)
  const rules = { minor: minorOf(trace) }
  return controllerManager(limit === undefined ? { rules } : { rules, limit })
}

function minorOf(trace: Trace): number {
  return Number(trace.kubernetes.split('.')[1] ?? 36)
}

export function zeroOf(trace: Trace): number {
  return Date.parse(trace.observed.wallClockAtZero ?? '2026-01-01T00:00:00Z')
}

function createNamespace(name: string, cluster: Cluster): void {
  cluster.request({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'namespaces' },
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    user: 'trace-script',
  })
}

/** The last time that stands anywhere in the recording. */
function endOf(trace: Trace): number {
  let end = 0
  const look = (value: Json | undefined): void => {
    if (isList(value)) for (const item of value) look(item)
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (typeof item === 'number' && TIMES.has(key)) end = Math.max(end, item)
        else look(item)
      }
    }
  }
  look(trace.events)
  look(trace.observed as unknown as JsonObject)
  return end
}

const TIMES = new Set([
  't',
  'created',
  'started',
  'ended',
  'deleted',
  'deletionRequested',
  'answered',
  'until',
])
