import { stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import { REALISTIC, type Cause } from '../../../cluster/actor.ts'
import type { Cel } from '../../../cluster/api/contract.ts'
import type { Answer } from '../../../cluster/api/request.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { kro, kroKinds, REALISTIC_TIMING } from './index.ts'
import { DEFINITIONS_OF_KRO } from './kinds.ts'

export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }
export const CONFIG_MAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }
export const LABS: ResourceId = { group: 'kro.run', version: 'v1alpha1', resource: 'labs' }

/** A cluster with kro on it, for its tests; seconds count from its beginning. */
export interface Lab {
  readonly cluster: Cluster
  readonly causes: readonly Cause[]
  /** `name created deleted` of each Job, in the order of creation. */
  readonly jobs: readonly { name: string; created: number; deleted?: number }[]
  until(seconds: number): void
  define(resources: readonly JsonObject[], spec?: JsonObject): void
  instance(name: string, spec?: JsonObject): void
  ask(request: Omit<Parameters<Cluster['request']>[0], 'user'>): Answer
  remove(resource: ResourceId, name: string, propagationPolicy?: 'Background' | 'Foreground'): void
  get(resource: ResourceId, name: string): KubeObject | undefined
  /** State and message of an instance. */
  state(name: string): string
}

export type Mode = 'idealised' | 'realistic'

/** The evaluator is handed in, as everywhere. */
export function labWith(cel: Cel): (mode?: Mode) => Lab {
  return (mode = 'idealised') => build(cel, mode)
}

function build(cel: Cel, mode: Mode): Lab {
  const causes: Cause[] = []
  const jobs: { name: string; created: number; deleted?: number }[] = []
  const isRealistic = mode === 'realistic'
  const zero = Date.UTC(2026, 0, 1)
  const cluster = createCluster({
    now: zero,
    cel,
    kinds: kroKinds,
    ...(isRealistic ? { latencies: REALISTIC } : {}),
    actors: [
      ...controllerManager({ rules: { minor: 36 } }),
      kubelet(annotationScript),
      kro({ cel, ...(isRealistic ? { timing: REALISTIC_TIMING } : {}) }),
    ],
    listener: {
      cause: (cause) => causes.push(cause),
      write({ type, resource, object: { metadata } }, at) {
        if (resource.resource !== 'jobs') return
        const t = (at - zero) / 1000
        if (type === 'ADDED') jobs.push({ name: metadata.name, created: t })
        const job = jobs.findLast(({ name }) => name === metadata.name)
        if (type === 'DELETED' && job !== undefined) job.deleted = t
      },
    },
  })
  const ask: Lab['ask'] = (request) => cluster.request({ user: 'test', ...request })
  ask({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'namespaces' },
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } },
  })
  const apply = (resource: ResourceId, body: JsonObject, namespace?: string): void => {
    const answer = ask({
      verb: 'patch',
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      name: stringAt(body, ['metadata', 'name']) ?? '',
      patch: { type: 'apply', body },
      options: { fieldManager: 'kubectl', force: true },
    })
    if (answer.code >= 300) throw new Error(JSON.stringify(answer.body))
  }
  const get: Lab['get'] = (resource, name) => cluster.api.read.get(resource, 'lab', name)
  return {
    cluster,
    causes,
    jobs,
    until: (seconds) => cluster.runUntil(zero + seconds * 1000),
    define(resources, spec = { image: 'string | default="task:1"' }) {
      apply(DEFINITIONS_OF_KRO, {
        apiVersion: 'kro.run/v1alpha1',
        kind: 'ResourceGraphDefinition',
        metadata: { name: 'lab' },
        spec: { schema: { apiVersion: 'v1alpha1', kind: 'Lab', spec }, resources },
      })
    },
    instance(name, spec = {}) {
      const metadata = { name, namespace: 'lab' }
      apply(LABS, { apiVersion: 'kro.run/v1alpha1', kind: 'Lab', metadata, spec }, 'lab')
    },
    ask,
    remove(resource, name, propagationPolicy) {
      const options = propagationPolicy === undefined ? {} : { options: { propagationPolicy } }
      ask({ verb: 'delete', resource, namespace: 'lab', name, ...options })
    },
    get,
    state(name) {
      const status = get(LABS, name)?.['status']
      const conditions = (status as JsonObject | undefined)?.['conditions'] as
        | readonly Json[]
        | undefined
      const resources = conditions?.find((one) => stringAt(one, ['type']) === 'ResourcesReady')
      const message = stringAt(resources, ['message']) ?? ''
      return `${stringAt(status, ['state']) ?? 'none'}: ${message}`
    },
  }
}

export interface JobShape {
  readonly name?: string
  readonly node?: JsonObject
  readonly spec?: JsonObject
  readonly metadata?: JsonObject
  readonly command?: readonly string[]
  readonly play?: JsonObject
}

/** A node with a Job that takes a second. */
export function jobNode(id: string, shape: JobShape = {}): JsonObject {
  return {
    id,
    ...shape.node,
    template: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: shape.name ?? `\${schema.metadata.name}-${id}`, ...shape.metadata },
      spec: {
        backoffLimit: 0,
        ...shape.spec,
        template: {
          metadata: { annotations: { 'play/duration': '1000', ...shape.play } },
          spec: {
            restartPolicy: 'Never',
            containers: [
              {
                name: 'task',
                image: '${schema.spec.image}',
                command: shape.command ?? ['task'],
              },
            ],
          },
        },
      },
    },
  }
}

export function mapNode(id: string, value: string, node: JsonObject = {}): JsonObject {
  return {
    id,
    ...node,
    template: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `\${schema.metadata.name}-${id}` },
      data: { value },
    },
  }
}
