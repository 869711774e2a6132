import { objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { succeeded } from '../../../cluster/api/request.ts'
import type { Cause } from '../../../cluster/actor.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import { Observer } from '../../trace/observe.ts'
import { APPLICATIONS, PROJECTS, REFRESH } from './application.ts'
import { applicationKinds, ARGOCD, argocd, IDEALISED_DELAYS, type ArgoOptions } from './index.ts'

export const ZERO: number = Date.UTC(2026, 0, 1)
export const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

interface JobOptions {
  readonly name?: string
  readonly image?: string
  readonly annotations?: JsonObject
  readonly play?: JsonObject
  readonly spec?: JsonObject
}

/** A Job that works for 0.3 s. */
export function job({
  name = 'work',
  image = 'work:1',
  annotations,
  play,
  spec,
}: JobOptions = {}): JsonObject {
  const containers = [{ name: 'main', image, command: ['run'] }]
  const template = {
    metadata: { annotations: play ?? {} },
    spec: { restartPolicy: 'Never', containers },
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    spec: { backoffLimit: 0, ...spec, template },
  }
}

export function configMap(value: string, name = 'conf', annotations?: JsonObject): JsonObject {
  const metadata = { name, ...(annotations === undefined ? {} : { annotations }) }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { v: value } }
}

export const hook = (phase: string, more: JsonObject = {}): JsonObject => ({
  'argocd.argoproj.io/hook': phase,
  ...more,
})
export const FORCE_REPLACE = { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' }

/** A cluster with one app `shop`, whose repository is a list of commits by time. */
export class Stage {
  readonly cluster: Cluster
  readonly observer: Observer = new Observer(ZERO)
  /** What the controller told: `10 A-4 synced: Application argocd/shop, because ... (revision)`. */
  readonly causes: string[] = []
  readonly #commits: JsonObject[][] = []

  constructor(policy: JsonObject, options: Partial<ArgoOptions> = {}, seed = 1) {
    const nameOf = (at: number): string => String(at + 1).padStart(40, '0')
    const engine = argocd({
      sources: {
        resolve: () => (this.#commits.length === 0 ? undefined : nameOf(this.#commits.length - 1)),
        render: (_source, revision) => ({
          objects: this.#commits[Number(revision) - 1] ?? NO_OBJECTS,
          isTimeless: true,
        }),
        nextChange: () => undefined,
      },
      kinds: applicationKinds,
      delays: IDEALISED_DELAYS,
      ...options,
    })
    this.cluster = createCluster({
      now: ZERO,
      seed,
      kinds: applicationKinds,
      actors: [...controllerManager(), kubelet(annotationScript), engine],
      listener: {
        write: (event, at) => {
          this.observer.write(event, at)
          this.#see(event, at)
        },
        cause: (cause) => {
          if (cause.actor === 'argocd-application-controller') this.causes.push(toldAs(cause))
        },
      },
    })
    for (const name of ['argocd', 'shop']) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
      const resource = { group: '', version: 'v1', resource: 'namespaces' }
      this.cluster.request({ verb: 'create', resource, body, user: 'person' })
    }
    this.#policy = policy
  }

  readonly #policy: JsonObject
  #last = ''

  /** Writes of the Application by the controller, but for the time of the comparison. */
  readonly statuses: string[] = []

  #see({ resource, object }: WatchEvent, at: number): void {
    if (resource.resource !== APPLICATIONS.resource) return
    const { reconciledAt: _, ...status } = objectAt(object, ['status']) ?? {}
    const text = JSON.stringify([status, object['operation'] ?? null])
    if (text !== this.#last) this.statuses.push(`${(at - ZERO) / 1000} ${text}`)
    this.#last = text
  }

  /** Each Job with its times. */
  lives(): readonly string[] {
    return this.observer.jobs.map((one) => JSON.stringify([one.name, one.created, one.deleted]))
  }

  /** A commit that nobody tells Argo CD of. */
  push(...objects: JsonObject[]): this {
    this.#commits.push(objects)
    this.cluster.wake(ARGOCD, { kind: 'sources' })
    return this
  }

  deny(schedule: string, duration: string): this {
    const windows = [{ kind: 'deny', schedule, duration, applications: ['*'] }]
    const spec = { syncWindows: windows }
    const metadata = { name: 'default', namespace: 'argocd' }
    const body = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec }
    const place = { resource: PROJECTS, namespace: 'argocd' }
    this.cluster.request({ verb: 'create', ...place, body, user: 'person' })
    return this
  }

  commit(...objects: JsonObject[]): this {
    this.#commits.push(objects)
    if (this.#commits.length > 1) this.patch({ metadata: { annotations: { [REFRESH]: 'normal' } } })
    return this
  }

  start(): this {
    const source = { repoURL: 'git://git.example.test/shop', targetRevision: 'main', path: '.' }
    const spec = { project: 'default', source, destination: { namespace: 'shop' }, ...this.#policy }
    const body = { ...APP, metadata: { name: 'shop', namespace: 'argocd' }, spec }
    const answer = this.cluster.request({
      verb: 'create',
      resource: APPLICATIONS,
      namespace: 'argocd',
      body,
      user: 'person',
    })
    if (!succeeded(answer)) throw new Error(JSON.stringify(answer.body))
    return this
  }

  patch(body: Json): this {
    const place = { resource: APPLICATIONS, namespace: 'argocd', name: 'shop' }
    this.cluster.request({
      verb: 'patch',
      ...place,
      patch: { type: 'merge', body },
      user: 'person',
    })
    return this
  }

  sync(): this {
    return this.patch({ operation: { sync: { syncStrategy: { hook: {} } } } })
  }

  until(seconds: number): this {
    this.cluster.runUntil(ZERO + seconds * 1000)
    return this
  }

  get app(): JsonObject {
    return this.cluster.api.read.get(APPLICATIONS, 'argocd', 'shop') ?? {}
  }

  /** When each Job of that name was created, in whole seconds. */
  created(name = 'work'): readonly number[] {
    return this.observer.jobs
      .filter((one) => one.name === name)
      .map((one) => Math.round(one.created))
  }

  state(...path: string[]): string | undefined {
    return stringAt(this.app, ['status', ...path])
  }
}

/** Comparisons are told without a trigger: what they start tells it. */
function toldAs({ at, rule, effect, object, carrier, trigger, data }: Cause): string {
  const seconds = Math.round((at - ZERO) / 1000)
  const why = trigger === undefined ? '' : `, because ${trigger.words} (${trigger.kind})`
  const whose = carrier === object ? '' : ` for ${carrier ?? 'nobody'}`
  const phase = typeof data?.['hook'] === 'string' ? ` [${data['hook']}]` : ''
  return `${seconds} ${rule} ${effect}: ${object ?? ''}${whose}${phase}${why}`
}

const NO_OBJECTS: JsonObject[] = []
const APP = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' }
export const AUTO = { syncPolicy: { automated: {} } }
export const HEALING = { syncPolicy: { automated: { selfHeal: true, prune: true } } }
