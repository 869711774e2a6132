import { stringAt, type JsonObject } from '../../core/json.ts'
import { IDEALISED, type Latencies } from '../actor.ts'
import type { Admission } from '../api/admission.ts'
import { succeeded, type Answer, type Request } from '../api/request.ts'
import type { AnyActor, Cluster, ClusterEvent, Listener } from '../cluster.ts'
import { createCluster } from '../index.ts'
import { annotationScript } from '../kubelet/annotation-script.ts'
import { kubelet } from '../kubelet/kubelet.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { cronJobController } from './cronjob.ts'
import { deploymentController } from './deployment.ts'
import { garbageCollector } from './garbage-collector.ts'
import { jobController } from './job/index.ts'
import { namespaceController } from './namespace.ts'
import { replicaSetController } from './replicaset.ts'
import { ttlAfterFinished } from './ttl-after-finished.ts'

/** What the tests of the controllers share: a cluster, played pods, and a record of what happened. */
export interface World {
  readonly cluster: Cluster
  readonly zero: number
  /** Every Job and pod that was seen, in the order of creation. */
  readonly lives: readonly Life[]
  readonly events: readonly ClusterEvent[]
  readonly requests: readonly RequestRecord[]
  ask(request: Omit<Request, 'user'> & { readonly user?: string }): Answer
  create(manifest: JsonObject): KubeObject
  get(resource: ResourceId, name: string): KubeObject | undefined
  merge(resource: ResourceId, name: string, body: JsonObject, subresource?: string): Answer
  remove(resource: ResourceId, name: string, propagationPolicy?: string): Answer
  /** Runs until so many seconds after the beginning. */
  until(seconds: number): void
  /** `created` of each Job by name, in seconds since the beginning. */
  jobs(): readonly string[]
}

/** Seconds since the beginning. */
export interface Life {
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly created: number
  started?: number
  ended?: string
  deletionRequested?: number
  deleted?: number
}

export interface RequestRecord {
  readonly at: number
  readonly by: string
  readonly what: string
  readonly code: number
}

export interface WorldOptions {
  readonly at?: string
  readonly latencies?: Latencies
  readonly minor?: number
  readonly admission?: readonly Admission[]
  readonly actors?: readonly AnyActor[]
  readonly openKinds?: boolean
  readonly seed?: number
}

export const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }
export const NAMESPACES: ResourceId = { group: '', version: 'v1', resource: 'namespaces' }
export const CONFIGMAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }

export function world(options: WorldOptions = {}): World {
  const zero = Date.parse(options.at ?? '2026-01-05T10:00:10Z')
  const rules = { minor: options.minor ?? 36 }
  const since = (at: number): number => Math.round(at - zero) / 1000
  const lives = new Map<string, Life>()
  const events: ClusterEvent[] = []
  const requests: RequestRecord[] = []
  const listener: Listener = {
    event: (event) => events.push(event),
    write: ({ type, object }, at) =>
      record(lives, { object, isGone: type === 'DELETED' }, since(at)),
    request: ({ verb, resource, name, subresource, user, body }, answer, at) => {
      const asked = name ?? (body as KubeObject | undefined)?.metadata?.name ?? ''
      const path = [resource.resource, asked, subresource].filter(Boolean).join('/')
      requests.push({ at: since(at), by: user, what: `${verb} ${path}`, code: answer.code })
    },
  }
  const cluster = createCluster({
    now: zero,
    seed: options.seed ?? 1,
    minor: rules.minor,
    latencies: options.latencies ?? IDEALISED,
    ...(options.admission === undefined ? {} : { admission: options.admission }),
    ...(options.openKinds === undefined ? {} : { openKinds: options.openKinds }),
    actors: [
      cronJobController(rules),
      garbageCollector(),
      deploymentController(rules),
      replicaSetController(rules),
      jobController({ rules }),
      namespaceController(rules),
      ttlAfterFinished,
      kubelet(annotationScript),
      ...(options.actors ?? []),
    ],
    listener,
  })
  const ask: World['ask'] = (request) =>
    cluster.request({ user: 'somebody', namespace: 'default', ...request })
  return {
    cluster,
    zero,
    get lives() {
      return [...lives.values()]
    },
    events,
    requests,
    ask,
    create: (body) => bodyOf(ask({ verb: 'create', resource: resourceOf(body), body })),
    get: (resource, name) => cluster.api.read.get(resource, 'default', name),
    merge: (resource, name, body, subresource) =>
      ask({
        verb: 'patch',
        resource,
        name,
        patch: { type: 'merge', body },
        ...(subresource === undefined ? {} : { subresource }),
      }),
    remove: (resource, name, propagationPolicy) =>
      ask({
        verb: 'delete',
        resource,
        name,
        ...(propagationPolicy === undefined
          ? {}
          : { body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy } }),
      }),
    until: (seconds) => cluster.runUntil(zero + seconds * 1000),
    jobs: () =>
      [...lives.values()]
        .filter(({ kind }) => kind === 'Job')
        .map(({ name, created }) => `${name} @${created}`),
  }
}

export function bodyOf(answer: Answer): KubeObject {
  if (succeeded(answer)) return answer.body
  throw new Error(`${answer.code}: ${JSON.stringify(answer.body)}`)
}

function resourceOf(manifest: JsonObject): ResourceId {
  const apiVersion = stringAt(manifest, ['apiVersion']) ?? ''
  const kind = stringAt(manifest, ['kind']) ?? ''
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  return { group, version, resource: `${kind.toLowerCase()}s` }
}

function record(
  lives: Map<string, Life>,
  { object, isGone }: { readonly object: KubeObject; readonly isGone: boolean },
  at: number,
): void {
  if (object.kind !== 'Job' && object.kind !== 'Pod') return
  const { uid, name, deletionTimestamp } = object.metadata
  const life: Life = lives.get(uid) ?? { kind: object.kind, name, uid, created: at }
  lives.set(uid, life)
  const status = object['status'] as { readonly [key: string]: unknown } | undefined
  const phase = status?.['phase']
  if (phase === 'Running') life.started ??= at
  if (deletionTimestamp !== undefined) life.deletionRequested ??= at
  const conditions = (status?.['conditions'] ?? []) as readonly { type: string; status: string }[]
  const end = conditions.find(({ type, status: is }) => ENDS.has(type) && is === 'True')
  if (object.kind === 'Job' && end !== undefined) life.ended ??= `${end.type} @${at}`
  if (phase === 'Succeeded' || phase === 'Failed') life.ended ??= `${phase} @${at}`
  if (isGone) life.deleted ??= at
}

const ENDS = new Set(['Complete', 'Failed'])

export interface CronOptions {
  readonly name?: string
  readonly schedule?: string
  readonly spec?: JsonObject
  readonly job?: JsonObject
  /** `play/…` annotations of the pods. */
  readonly play?: Played
}

export interface Played {
  readonly [annotation: string]: string
}

/** A CronJob named `tick` of every minute, whose pods play the given annotations. */
export function cronManifest(options: CronOptions = {}): JsonObject {
  const { name = 'tick', schedule = '* * * * *', spec = {}, job = {}, play = {} } = options
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { schedule, ...spec, jobTemplate: { spec: jobSpec(play, job) } },
  }
}

export function jobSpec(play: Played = {}, more: JsonObject = {}): JsonObject {
  const annotations = Object.fromEntries(
    Object.entries(play).map(([key, value]) => [`play/${key}`, value]),
  )
  const containers = [{ name: 'main', image: 'registry.example.test/one:1', command: ['run'] }]
  return {
    ...more,
    template: { metadata: { annotations }, spec: { restartPolicy: 'Never', containers } },
  }
}

/** The Job of the tick at 10:`minute`. */
export function job(minute: number, cron = 'tick'): string {
  return `${cron}-${Date.parse('2026-01-05T10:00:00Z') / 60_000 + minute}`
}

export function reasons(given: World, name = 'tick'): readonly string[] {
  return given.events
    .filter(({ about }) => about.kind === 'CronJob' && about.metadata.name === name)
    .map(({ at, reason }) => `${reason} @${(at - given.zero) / 1000}`)
}

export function life(given: World, name: string): Life {
  const found = given.lives.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no ${name} among ${given.jobs().join()}`)
  return found
}

/** A patch that changes nothing that matters. */
export const touch: JsonObject = { metadata: { annotations: { touched: 'yes' } } }

export function play(seconds: number): { readonly play: Played } {
  return { play: { duration: String(seconds * 1000) } }
}
