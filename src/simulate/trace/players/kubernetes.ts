import { isList, isObject, stringAt, type JsonObject } from '../../../core/json.ts'
import { REALISTIC, type Cause } from '../../../cluster/actor.ts'
import { discoveryOf, type Discovery } from '../../../cluster/clients/discovery.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { typeOf } from '../../../cluster/fields/schema.ts'
import { createCluster } from '../../../cluster/index.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { compareAnswer } from '../answers.ts'
import type { Trace } from '../format.ts'
import { objectsOfFiles } from '../manifests.ts'
import { Observer } from '../observe.ts'
import type { EventAnswer, Played, TracePlayer } from '../player.ts'
import { requestTime } from '../request-time.ts'
import { scriptActor } from './script.ts'

/** Jobs, CronJobs and kubectl on a plain cluster: API calls, controllers that stop and start. */
export const kubernetesPlayer: TracePlayer = { engine: 'kubernetes', play }

function play(trace: Trace): Played {
  const zero = Date.parse(trace.observed.wallClockAtZero ?? '2026-01-01T00:00:00Z')
  const namespace = trace.observed.jobs[0]?.namespace ?? trace.id
  const observer = new Observer(zero)
  const causes: Cause[] = []
  const answers: EventAnswer[] = []
  const manager = controllerManager()
  const objects = new Map<string, readonly JsonObject[]>()
  for (const [files, texts] of Object.entries(trace.files))
    objects.set(files, objectsOfFiles(texts))
  let discovery: Discovery | undefined
  const script = scriptActor({
    events: trace.events,
    namespace,
    objectsOf: (files) => objects.get(files) ?? [],
    find: (name) =>
      [...objects.values()].flat().find((one) => stringAt(one, ['metadata', 'name']) === name),
    at: (event) => zero + requestTime(trace, event) * 1000,
    discovery: () =>
      discovery ??
      discoveryOf(
        () => [],
        () => undefined,
      ),
    answered: (event, answer) => {
      const compared = compareAnswer(trace, event, answer)
      if (compared !== undefined) answers.push(compared)
    },
  })
  const cluster = createCluster({
    // A second before the first event, so that whole seconds of creation times are right.
    now: zero - 1000,
    minor: Number(trace.kubernetes.split('.')[1] ?? 36),
    latencies: REALISTIC,
    actors: [...manager, kubelet(annotationScript), script],
    listener: {
      write: (event, at) => observer.write(event, at),
      cause: (cause) => causes.push(cause),
    },
  })
  discovery = discoveryOf(
    () => cluster.api.kinds(),
    ({ type }) => (type === undefined ? undefined : typeOf(type)),
  )
  createNamespace(namespace, cluster.request.bind(cluster))
  const endSeconds = endOf(trace)
  for (const [at, isStart] of restartsOf(trace)) {
    cluster.runUntil(zero + at * 1000 + (isStart ? REALISTIC.controllerStart : 0))
    for (const { name } of manager) {
      if (isStart) cluster.start(name)
      else cluster.stop(name)
    }
  }
  cluster.runUntil(zero + (endSeconds + 5 + trace.tolerance.seconds) * 1000)
  return { jobs: observer.jobs, answers, causes, endSeconds }
}

function createNamespace(
  name: string,
  request: (given: Parameters<ReturnType<typeof createCluster>['request']>[0]) => unknown,
): void {
  request({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'namespaces' },
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    user: 'trace-script',
  })
}

/** When the controller manager stopped (false) and started (true), in order. */
function restartsOf(trace: Trace): readonly (readonly [number, boolean])[] {
  return trace.events.flatMap(({ do: what, t }) => {
    if (what !== 'stopEngine' && what !== 'startEngine') return []
    return [[t, what === 'startEngine'] as const]
  })
}

/** The last time that stands anywhere in the recording. */
function endOf(trace: Trace): number {
  let end = 0
  const look = (value: unknown): void => {
    if (isList(value as never)) for (const item of value as unknown[]) look(item)
    else if (isObject(value as never)) {
      for (const [key, item] of Object.entries(value as object)) {
        if (typeof item === 'number' && TIMES.has(key)) end = Math.max(end, item)
        else look(item)
      }
    }
  }
  look(trace.events)
  look(trace.observed.jobs)
  look(trace.observed.engine)
  look(trace.observed.requests)
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
])
