import type { Json, JsonObject } from '../../core/json.ts'
import type { Cluster } from '../cluster.ts'
import { createCluster, type CreateClusterOptions } from '../index.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import type { Answer, PatchType, Request, RequestOptions } from './request.ts'
import { DEFINITIONS, NAMESPACES } from './well-known.ts'

export { DEFINITIONS, NAMESPACES }

export const CONFIGMAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }
export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }

export const START: number = Date.UTC(2026, 0, 1)

type More = Partial<Omit<Request, 'verb' | 'resource'>>

/** A cluster without controllers and the shortest way to ask it. */
export class Asking {
  readonly cluster: Cluster
  readonly resource: ResourceId
  readonly namespace: string | undefined

  constructor(resource: ResourceId, cluster: Cluster, namespace?: string) {
    this.resource = resource
    this.cluster = cluster
    this.namespace = namespace
  }

  create(body: Json, more: More = {}): Answer {
    return this.#ask({ verb: 'create', body, ...more })
  }

  get(name: string, more: More = {}): Answer {
    return this.#ask({ verb: 'get', name, ...more })
  }

  list(options: RequestOptions = {}, more: More = {}): Answer {
    return this.#ask({ verb: 'list', options, ...more })
  }

  update(name: string, body: Json, more: More = {}): Answer {
    return this.#ask({ verb: 'update', name, body, ...more })
  }

  patch(name: string, type: PatchType, body: Json, more: More = {}): Answer {
    return this.#ask({ verb: 'patch', name, patch: { type, body }, ...more })
  }

  merge(name: string, body: Json, more: More = {}): Answer {
    return this.patch(name, 'merge', body, more)
  }

  apply(name: string, body: JsonObject, fieldManager = 'test', more: More = {}): Answer {
    const { options, ...rest } = more
    return this.patch(name, 'apply', body, { options: { fieldManager, ...options }, ...rest })
  }

  delete(name: string, more: More = {}): Answer {
    return this.#ask({ verb: 'delete', name, ...more })
  }

  stored(name: string): KubeObject | undefined {
    return this.cluster.api.read.get(this.resource, this.namespace, name)
  }

  #ask(request: Omit<Request, 'resource' | 'user'>): Answer {
    const { resource, namespace } = this
    return this.cluster.request({
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      user: 'tester',
      ...request,
    })
  }
}

export function asking(resource: ResourceId, options: CreateClusterOptions = {}): Asking {
  const cluster = createCluster({ now: START, actors: [], ...options })
  const isClusterWide = resource === NAMESPACES || resource === DEFINITIONS
  return new Asking(resource, cluster, isClusterWide ? undefined : 'default')
}

export function configMap(name: string, data?: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    ...(data === undefined ? {} : { data }),
  }
}

export function job(name: string, metadata: JsonObject = {}): JsonObject {
  const container = { name: 'main', image: 'registry.example/shop:1' }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  }
}

/** The message of a Status, or undefined. */
export function messageOf({ body }: Answer): unknown {
  return body['message']
}
