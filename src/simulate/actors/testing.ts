import type { JsonObject } from '../../core/json.ts'
import type { Cause } from '../../cluster/actor.ts'
import type { Admission } from '../../cluster/api/admission.ts'
import type { Kind } from '../../cluster/api/kind.ts'
import type { Request } from '../../cluster/api/request.ts'
import type { AnyActor, Cluster } from '../../cluster/cluster.ts'
import { controllerManager } from '../../cluster/controllers/index.ts'
import { createCluster } from '../../cluster/index.ts'
import { annotationScript } from '../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../cluster/kubelet/kubelet.ts'
import type { PodScript } from '../../cluster/kubelet/script.ts'
import type { KubeObject, ResourceId } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Files } from '../scenario/stage.ts'
import { registryOf, type Push, type Registry } from './registry.ts'
import type { ActorTools, GitCommit, SecondActor } from './second-actor.ts'

export const ZERO: Instant = Date.UTC(2026, 0, 5)
export const MINUTE = 60_000
export const HOUR: number = 60 * MINUTE

export const NAMESPACES: ResourceId = { group: '', version: 'v1', resource: 'namespaces' }
export const CONFIGMAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }
export const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }
export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const CRONJOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'cronjobs' }

export interface SceneOptions {
  readonly second?: readonly (readonly [SecondActor, JsonObject])[]
  readonly engines?: readonly AnyActor[]
  readonly kinds?: readonly Kind[]
  readonly script?: PodScript
  readonly registry?: Registry
  readonly files?: Files
  /** The engine hears of a commit. */
  readonly commit?: (files: Files, revision: string, scene: Scene) => void
  readonly minor?: number
}

/** A cluster with second actors on it, in idealised mode, that tells who did what when. */
export class Scene {
  readonly cluster: Cluster
  /** `name seconds` of each Job that was created. */
  readonly created: string[] = []
  /** The first pod of each Job, and each later one. */
  readonly pods: string[] = []
  readonly causes: Cause[] = []
  readonly commits: GitCommit[] = []
  files: Files
  #revision = 0

  constructor(options: SceneOptions) {
    this.files = options.files ?? {}
    const tools: ActorTools = {
      minor: options.minor ?? 36,
      registry: options.registry ?? registryOf([]),
      git: {
        files: () => this.files,
        commit: (change) => {
          this.commits.push(change)
          this.#take(change.files, options)
        },
      },
      isRunning: (name) => this.cluster.isRunning(name),
    }
    const parts = (options.second ?? []).map(([second, settings]) => second.actor(settings, tools))
    const admission: readonly Admission[] = parts.flatMap(({ webhooks = [] }) => webhooks)
    this.cluster = createCluster({
      now: ZERO,
      kinds: [...(options.kinds ?? []), ...parts.flatMap(({ kinds }) => kinds)],
      admission,
      actors: [
        ...controllerManager(),
        kubelet(options.script ?? annotationScript),
        ...(options.engines ?? []),
        ...parts.flatMap(({ actors }) => actors),
      ],
      listener: {
        write: ({ type, resource, object }, at) => {
          if (type !== 'ADDED') return
          const line = `${object.metadata.name} ${(at - ZERO) / 1000}`
          if (resource.resource === 'jobs') this.created.push(line)
          if (resource.resource === 'pods') this.pods.push(line)
        },
        cause: (cause) => this.causes.push(cause),
      },
    })
    this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
    for (const part of parts) part.prepare?.(this.cluster)
    this.#options = options
  }

  readonly #options: SceneOptions

  /** A person commits. */
  commit(files: Files): this {
    this.#take(files, this.#options)
    return this
  }

  #take(files: Files, { commit }: SceneOptions): void {
    this.files = files
    this.#revision += 1
    commit?.(files, `r${this.#revision}`, this)
  }

  until(seconds: number): this {
    this.cluster.runUntil(ZERO + seconds * 1000)
    return this
  }

  send(request: Omit<Request, 'user'>): KubeObject {
    const answer = this.cluster.request({ user: 'person', ...request })
    if (answer.code >= 300) throw new Error(JSON.stringify(answer.body))
    return answer.body as KubeObject
  }

  create(object: JsonObject): KubeObject {
    const kind = this.cluster.api
      .kinds()
      .find(
        (one) =>
          one.kind === object['kind'] &&
          object['apiVersion'] === (one.group === '' ? one.version : `${one.group}/${one.version}`),
      )
    if (kind === undefined) throw new Error(`no kind for ${JSON.stringify(object)}`)
    const namespace = (object['metadata'] as JsonObject)['namespace'] ?? 'shop'
    const place = kind.namespaced ? { namespace: namespace as string } : {}
    const { group, version, resource } = kind
    return this.send({
      verb: 'create',
      resource: { group, version, resource },
      ...place,
      body: object,
    })
  }

  patch(resource: ResourceId, name: string, body: JsonObject, namespace = 'shop'): KubeObject {
    const place = resource.resource === 'namespaces' ? {} : { namespace }
    return this.send({ verb: 'patch', resource, ...place, name, patch: { type: 'merge', body } })
  }

  get(resource: ResourceId, name: string, namespace = 'shop'): KubeObject | undefined {
    return this.cluster.api.read.get(resource, namespace, name)
  }

  /** `RL-5 created Job: Job shop/work`, of the causes of one actor. */
  told(actor: string): readonly string[] {
    return this.causes
      .filter((cause) => cause.actor === actor)
      .map(({ rule, effect, object = '' }) => `${rule} ${effect}: ${object}`)
  }

  /** Seconds at which Jobs of that name were created. */
  runs(name: string): readonly number[] {
    return this.created
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => Number(line.split(' ')[1]))
  }
}

export interface JobParts {
  readonly name?: string
  readonly image?: string
  readonly seconds?: number
  readonly annotations?: JsonObject
  readonly labels?: JsonObject
  readonly template?: JsonObject
  readonly spec?: JsonObject
  readonly container?: JsonObject
}

function jobSpec(parts: JobParts = {}): JsonObject {
  const { image = 'registry.example.test/shop/work:1.0.0', seconds = 1, container } = parts
  const play = { 'play/duration': String(seconds * 1000) }
  return {
    backoffLimit: 0,
    ...parts.spec,
    template: {
      metadata: { annotations: { ...play, ...parts.template } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image, ...container }] },
    },
  }
}

export function job(parts: JobParts = {}): JsonObject {
  const { name = 'work', annotations = {}, labels = {} } = parts
  const metadata = { name, namespace: 'shop', annotations, labels }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobSpec(parts) }
}

export function cronJob(parts: JobParts & { readonly cron?: JsonObject } = {}): JsonObject {
  const { name = 'nightly', annotations = {}, labels = {} } = parts
  const spec = {
    schedule: '0 3 * * *',
    ...parts.cron,
    jobTemplate: { metadata: { labels }, spec: jobSpec(parts) },
  }
  const metadata = { name, namespace: 'shop', annotations }
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec }
}

export function configMap(value: string, annotations: JsonObject = {}): JsonObject {
  const metadata = { name: 'settings', namespace: 'shop', annotations }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } }
}

/** Reads the ConfigMap `settings`. */
export const READS: JsonObject = { envFrom: [{ configMapRef: { name: 'settings' } }] }

export function pushes(...list: readonly (readonly [number, string, string?])[]): Registry {
  return registryOf(
    list.map(([seconds, image, digest]): Push => {
      const at = ZERO + seconds * 1000
      return digest === undefined ? { at, image } : { at, image, digest }
    }),
  )
}
