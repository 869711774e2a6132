import { listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cause } from '../../../cluster/actor.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { bystanderKinds } from '../kinds.ts'
import { fluxKinds, kustomizeController, type ControllerOptions } from './index.ts'
import { KUSTOMIZATIONS, SOURCE_RESOURCES } from './kinds.ts'

/** A cluster with the controller on it, in idealised mode, that tells of its Jobs. */
export interface Scene {
  readonly cluster: Cluster
  /** Requests that reached the server, by verb and name; dry runs with `dry`. */
  readonly requests: string[]
  /** What the controller told: `600 F-1 reconciled Kustomization shop/apps (interval: its ...)`. */
  readonly causes: string[]
  /** Each final state that the controller wrote, where it differs from the one before. */
  readonly statuses: string[]
  /** Seconds at which a Job of that name was created. */
  runs(name?: string): readonly number[]
  commit(files: { readonly [path: string]: string }, revision?: string): void
  /** Seconds since the start. */
  until(seconds: number): void
  apply(spec: JsonObject, name?: string): void
  patch(name: string, body: JsonObject, kind?: 'Job' | 'Kustomization'): void
  remove(name: string, kind?: 'Job' | 'Kustomization'): void
  job(name: string): KubeObject | undefined
  /** `Ready=True ReconciliationSucceeded`. */
  ready(name?: string): string
  message(name?: string): string
}

const SHOP = 'shop'
const START = Date.UTC(2026, 0, 1)
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const SOURCES = SOURCE_RESOURCES.get('GitRepository') as ResourceId

export function scene(options: Partial<ControllerOptions> = {}): Scene {
  const revisions = new Map<string, { readonly [path: string]: string }>()
  const created: { readonly name: string; readonly t: number }[] = []
  const requests: string[] = []
  const causes: string[] = []
  const statuses: string[] = []
  let last = ''
  const see = (object: KubeObject, at: number): void => {
    const conditions = listAt(object, ['status', 'conditions']).map((one) => [
      stringAt(one, ['type']),
      stringAt(one, ['status']),
      stringAt(one, ['reason']),
    ])
    // An idle reconcile begins, too, and comes to the same end.
    if (conditions.some(([type, , reason]) => type === 'Ready' && reason === 'Progressing')) return
    const text = JSON.stringify(conditions)
    if (text !== last) statuses.push(`${(at - START) / 1000} ${text}`)
    last = text
  }
  const engine = kustomizeController({ artifact: (name) => revisions.get(name), ...options })
  const cluster = createCluster({
    now: START,
    kinds: [...fluxKinds, ...bystanderKinds],
    actors: [...controllerManager(), kubelet(annotationScript), engine],
    listener: {
      write: ({ type, resource, object }: WatchEvent, at) => {
        if (resource.resource === KUSTOMIZATIONS.resource) see(object, at)
        if (type !== 'ADDED' || resource.resource !== 'jobs') return
        created.push({ name: object.metadata.name, t: (at - START) / 1000 })
      },
      cause: (cause) => {
        if (cause.actor === 'kustomize-controller') causes.push(toldAs(cause))
      },
      request: (request, answer) => {
        if (request.user !== 'kustomize-controller' || request.subresource !== undefined) return
        if (request.resource.resource === KUSTOMIZATIONS.resource) return
        const kind =
          request.options?.dryRun === true ? 'dry' : (request.patch?.type ?? request.verb)
        requests.push(`${kind} ${request.name ?? ''} ${answer.code}`)
      },
    },
  })
  const send = (request: Omit<Parameters<Cluster['request']>[0], 'user'>): void => {
    const answer = cluster.request({ ...request, user: 'person' })
    if (answer.code >= 300) throw new Error(JSON.stringify(answer.body))
  }
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SHOP } }
  send({ verb: 'create', resource: namespaces, body })
  const source = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', spec: {} }
  const metadata = { name: 'src', namespace: SHOP }
  send({ verb: 'create', resource: SOURCES, namespace: SHOP, body: { ...source, metadata } })
  let commits = 0
  const at = (name: string): { namespace: string; name: string } => ({ namespace: SHOP, name })
  const resourceOf = (kind: 'Job' | 'Kustomization'): ResourceId =>
    kind === 'Job' ? JOBS : KUSTOMIZATIONS
  const condition = (name: string): JsonObject | undefined => {
    const status = cluster.api.read.get(KUSTOMIZATIONS, SHOP, name)?.['status'] as JsonObject
    const list = (status?.['conditions'] ?? []) as readonly JsonObject[]
    return list.find(({ type }) => type === 'Ready')
  }
  return {
    cluster,
    requests,
    causes,
    statuses,
    runs: (name) =>
      created.filter((one) => name === undefined || one.name === name).map(({ t }) => t),
    commit(files, revision = `r${(commits += 1)}`) {
      revisions.set(revision, files)
      const patch = { type: 'merge' as const, body: { status: { artifact: { revision } } } }
      send({ verb: 'patch', resource: SOURCES, ...at('src'), subresource: 'status', patch })
    },
    until: (seconds) => cluster.runUntil(START + seconds * 1000),
    apply(spec, name = 'apps') {
      const sourceRef = { kind: 'GitRepository', name: 'src' }
      const full = { interval: '10m', path: './', targetNamespace: SHOP, sourceRef, ...spec }
      const apiVersion = 'kustomize.toolkit.fluxcd.io/v1'
      const object = { apiVersion, kind: 'Kustomization', metadata: at(name), spec: full }
      send({ verb: 'create', resource: KUSTOMIZATIONS, namespace: SHOP, body: object })
    },
    patch(name, change, kind = 'Job') {
      const patch = { type: 'merge' as const, body: change }
      const options = { fieldManager: 'kubectl-edit' }
      send({ verb: 'patch', resource: resourceOf(kind), ...at(name), patch, options })
    },
    remove(name, kind = 'Job') {
      const options = { propagationPolicy: 'Background' as const }
      send({ verb: 'delete', resource: resourceOf(kind), ...at(name), options })
    },
    job: (name) => cluster.api.read.get(JOBS, SHOP, name),
    ready: (name = 'apps') => {
      const found = condition(name)
      return found === undefined
        ? 'none'
        : `Ready=${stringAt(found, ['status']) ?? ''} ${stringAt(found, ['reason']) ?? ''}`
    },
    message: (name = 'apps') => stringAt(condition(name), ['message']) ?? '',
  }
}

function toldAs({ at, rule, effect, object, carrier, trigger }: Cause): string {
  const seconds = Math.round((at - START) / 1000)
  const why = trigger === undefined ? '' : `, because ${trigger.words} (${trigger.kind})`
  const whose = carrier === object ? '' : ` for ${carrier ?? 'nobody'}`
  return `${seconds} ${rule} ${effect}: ${object ?? ''}${whose}${why}`
}

/** A scene whose first commit holds these manifests. */
export function started(spec: JsonObject, ...texts: readonly string[]): Scene {
  const shop = scene()
  shop.commit(Object.fromEntries(texts.map((text, at) => [`${at}.yaml`, text])))
  shop.apply(spec)
  return shop
}

export interface JobText {
  readonly name?: string
  readonly image?: string
  readonly ttl?: number
  readonly seconds?: number
  readonly exit?: number
  readonly annotations?: { readonly [key: string]: string }
  readonly suspend?: boolean
}

/** A Job's manifest. */
export function jobText(job: JobText = {}): string {
  const { name = 'one', image = '1', ttl, seconds = 1, exit = 0, annotations, suspend } = job
  const lines = [
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata:',
    `  name: ${name}`,
    ...(annotations === undefined ? [] : [`  annotations: ${JSON.stringify(annotations)}`]),
    'spec:',
    '  backoffLimit: 0',
    ...(ttl === undefined ? [] : [`  ttlSecondsAfterFinished: ${ttl}`]),
    ...(suspend === undefined ? [] : [`  suspend: ${suspend}`]),
    '  template:',
    '    metadata:',
    `      annotations: {play/duration: "${seconds * 1000}", play/exit: "${exit}"}`,
    '    spec:',
    '      restartPolicy: Never',
    `      containers: [{name: main, image: "registry.example.test/one:${image}"}]`,
  ]
  return `${lines.join('\n')}\n`
}

export function configMapText(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  v: "${value}"\n`
}
