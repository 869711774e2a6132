import { listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cause } from '../../../cluster/actor.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { bystanderKinds, kindFinder } from '../kinds.ts'
import { fluxOperator, resourceSetKinds, SETS, type OperatorOptions } from './index.ts'

/** A cluster with the operator on it, in idealised mode, that tells of its Jobs. */
export interface Scene {
  readonly cluster: Cluster
  /** `JOB` by name, in the order of creation, with seconds since the start. */
  readonly runs: (name?: string) => readonly number[]
  /** Requests of the operator for objects of sets: `dry migrate 422`. */
  readonly requests: string[]
  /** Why it acted, and forgets it: `0 O-6 created Job <- Job shop/one`. */
  readonly told: () => readonly string[]
  readonly causes: Cause[]
  apply(object: JsonObject): void
  patch(resource: ResourceId, name: string, body: JsonObject): void
  remove(resource: ResourceId, name: string): void
  until(seconds: number): void
  get(resource: ResourceId, name: string): KubeObject | undefined
  /** `Ready=True ReconciliationSucceeded`, and its message. */
  ready(name?: string): string
  message(name?: string): string
}

export const SHOP = 'shop'
export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const MAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }
const START = Date.UTC(2026, 0, 1)

export function scene(options: OperatorOptions = {}): Scene {
  const created: { readonly name: string; readonly t: number }[] = []
  const requests: string[] = []
  const causes: Cause[] = []
  const cluster = createCluster({
    now: START,
    kinds: [...resourceSetKinds, ...bystanderKinds],
    actors: [...controllerManager(), kubelet(annotationScript), fluxOperator(options)],
    listener: {
      cause: (cause) => {
        if (cause.carrier === 'ResourceSet shop/app') causes.push(cause)
      },
      write: ({ type, resource, object }, at) => {
        if (type !== 'ADDED' || resource.resource !== 'jobs') return
        created.push({ name: object.metadata.name, t: (at - START) / 1000 })
      },
      request: (request, answer) => {
        if (request.user !== 'flux-operator' || request.resource.group === SETS.group) return
        const isDry = request.options?.dryRun === true
        const what = isDry ? 'dry' : (request.patch?.type ?? request.verb)
        requests.push(`${what} ${request.name ?? ''} ${answer.code}`)
      },
    },
  })
  const find = kindFinder(resourceSetKinds)
  const send = (request: Omit<Parameters<Cluster['request']>[0], 'user'>): void => {
    const answer = cluster.request({ ...request, user: 'person' })
    if (answer.code >= 300) throw new Error(JSON.stringify(answer.body))
  }
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SHOP } }
  send({ verb: 'create', resource: namespaces, body })
  const get = (resource: ResourceId, name: string): KubeObject | undefined =>
    cluster.api.read.get(resource, SHOP, name)
  const ready = (name: string): JsonObject => {
    const conditions = listAt(get(SETS, name), ['status', 'conditions'])
    return (conditions.find((one) => stringAt(one, ['type']) === 'Ready') ?? {}) as JsonObject
  }
  return {
    cluster,
    requests,
    causes,
    told: () => causes.splice(0).map(lineOf),
    runs: (name) =>
      created.filter((one) => name === undefined || one.name === name).map(({ t }) => t),
    apply(object) {
      const text = (path: string): string => stringAt(object, [path]) ?? ''
      const resource = find(text('apiVersion'), text('kind'), cluster.api.read)
      if (resource === undefined) throw new Error(`no kind ${text('kind')}`)
      const name = stringAt(object, ['metadata', 'name']) ?? ''
      const patch = { type: 'apply' as const, body: object }
      const own = { fieldManager: 'person', force: true }
      send({ verb: 'patch', resource, namespace: SHOP, name, patch, options: own })
    },
    patch(resource, name, change) {
      const patch = { type: 'merge' as const, body: change }
      const own = { fieldManager: 'person' }
      send({ verb: 'patch', resource, namespace: SHOP, name, patch, options: own })
    },
    remove(resource, name) {
      const own = { propagationPolicy: 'Background' as const }
      send({ verb: 'delete', resource, namespace: SHOP, name, options: own })
    },
    until: (seconds) => cluster.runUntil(START + seconds * 1000),
    get,
    ready: (name = 'app') => {
      const condition = ready(name)
      const [status, reason] = ['status', 'reason'].map((key) => stringAt(condition, [key]) ?? '')
      return `Ready=${status ?? ''} ${reason ?? ''}`
    },
    message: (name = 'app') => stringAt(ready(name), ['message']) ?? '',
  }
}

function lineOf({ at, rule, effect, object, carrier, trigger }: Cause): string {
  const second = Math.floor((at - START) / 1000)
  if (trigger !== undefined) {
    return `${second} ${rule} ${effect}, because ${trigger.words} (${trigger.kind})`
  }
  return `${second} ${rule} ${effect}${object === carrier ? '' : ` <- ${object ?? ''}`}`
}

export interface SetText {
  readonly name?: string
  readonly every?: string
  /** Marks of the set itself, without their group. */
  readonly marks?: { readonly [name: string]: string }
  readonly spec: JsonObject
}

export function set({ name = 'app', every = '1h', marks = {}, spec }: SetText): JsonObject {
  const all = { reconcileEvery: every, ...marks }
  return {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name, namespace: SHOP, annotations: marked(all) },
    spec,
  }
}

function marked(marks: { readonly [name: string]: string }): JsonObject {
  const named = Object.entries(marks).map(([key, value]) => [
    `fluxcd.controlplane.io/${key}`,
    value,
  ])
  return Object.fromEntries(named) as JsonObject
}

export interface JobText {
  readonly name?: string
  readonly image?: string
  readonly ttl?: number
  readonly seconds?: number
  readonly exit?: number
  readonly suspend?: boolean
  readonly marks?: { readonly [name: string]: string }
  readonly template?: { readonly [name: string]: string }
}

export function job(text: JobText = {}): JsonObject {
  const { name = 'one', image = '1', ttl, seconds = 1, exit = 0, suspend, marks = {} } = text
  const play = { 'play/duration': String(seconds * 1000), 'play/exit': String(exit) }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: SHOP, annotations: marked(marks) },
    spec: {
      backoffLimit: 0,
      ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
      ...(suspend === undefined ? {} : { suspend }),
      template: {
        metadata: { annotations: { ...play, ...marked(text.template ?? {}) } },
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: `registry.example.test/one:${image}` }],
        },
      },
    },
  }
}

export function map(name: string, value: string, labels?: JsonObject): JsonObject {
  const metadata = { name, namespace: SHOP, ...(labels === undefined ? {} : { labels }) }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } }
}

/** Two steps: what is waited for, and what comes after it. */
export function steps(first: readonly JsonObject[], timeout?: string): JsonObject {
  const pre = { name: 'pre', ...(timeout === undefined ? {} : { timeout }), resources: first }
  return { wait: true, steps: [pre, { name: 'deploy', resources: [map('deployed', '1')] }] }
}
