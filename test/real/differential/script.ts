import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { PatchType, Request, RequestOptions } from '../../../src/cluster/api/request.ts'
import type { ResourceId } from '../../../src/cluster/object.ts'

/**
 * One behaviour, as the requests that show it. The title says what the real server does; `code` of
 * a step is the real server's too, so that a title cannot say what no longer holds.
 */
export interface Script {
  readonly title: string
  readonly steps: readonly Step[]
  /** Kubernetes 1.x from which on it holds; older servers are not asked. */
  readonly since?: number
}

/**
 * A request as data. Texts may hold `$(namespace)`, the namespace of this script alone, and
 * `$(LABEL:PATH)`, what the answer of an earlier step has at a path (`$(first:metadata.uid)`). An
 * object `{ $of: LABEL, $merge: CHANGES }` is that answer's whole object with a merge patch on it.
 */
export interface Step {
  readonly request: Request
  /** Keeps the answer under this name. */
  readonly as?: string
  readonly code?: number
  /** Something works only a moment after it is stored: the real server is asked until both agree. */
  readonly eventually?: true
}

export const USER = 'tester'
const NAMESPACE = '$(namespace)'

export const NAMESPACES: ResourceId = { group: '', version: 'v1', resource: 'namespaces' }
export const CONFIGMAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }
export const SECRETS: ResourceId = { group: '', version: 'v1', resource: 'secrets' }
export const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }
export const SERVICES: ResourceId = { group: '', version: 'v1', resource: 'services' }
export const ACCOUNTS: ResourceId = { group: '', version: 'v1', resource: 'serviceaccounts' }
export const EVENTS: ResourceId = { group: '', version: 'v1', resource: 'events' }
export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const CRONJOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'cronjobs' }
export const DEPLOYMENTS: ResourceId = { group: 'apps', version: 'v1', resource: 'deployments' }
export const REPLICASETS: ResourceId = { group: 'apps', version: 'v1', resource: 'replicasets' }
export const STATEFULSETS: ResourceId = { group: 'apps', version: 'v1', resource: 'statefulsets' }
export const DAEMONSETS: ResourceId = { group: 'apps', version: 'v1', resource: 'daemonsets' }
export const LEASES: ResourceId = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
}
export const DEFINITIONS: ResourceId = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
}

const CLUSTER_WIDE: ReadonlySet<string> = new Set([
  'namespaces',
  'customresourcedefinitions',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
])

/** What may be said beside the usual of a step. */
export interface More {
  readonly as?: string
  /** Undefined: whatever it is. */
  readonly code?: number | undefined
  readonly eventually?: true
  readonly options?: RequestOptions
  readonly subresource?: string
  /** `null`: across all namespaces, or without one. */
  readonly namespace?: string | null
  readonly name?: string
  readonly body?: Json
}

export function create(resource: ResourceId, body: Json, more: More = {}): Step {
  return step({ verb: 'create', resource, body }, { code: 201, ...more })
}

export function get(resource: ResourceId, name: string, more: More = {}): Step {
  return step({ verb: 'get', resource, name }, { code: 200, ...more })
}

export function list(resource: ResourceId, options: RequestOptions = {}, more: More = {}): Step {
  return step({ verb: 'list', resource }, { code: 200, options, ...more })
}

export function update(resource: ResourceId, name: string, body: Json, more: More = {}): Step {
  return step({ verb: 'update', resource, name, body }, { code: 200, ...more })
}

export function patch(
  resource: ResourceId,
  name: string,
  [type, body]: readonly [PatchType, Json],
  more: More = {},
): Step {
  return step({ verb: 'patch', resource, name, patch: { type, body } }, { code: 200, ...more })
}

export function merge(resource: ResourceId, name: string, body: Json, more: More = {}): Step {
  return patch(resource, name, ['merge', body], more)
}

/** Server-side apply; the object's own name is the path's. */
export function apply(
  resource: ResourceId,
  body: JsonObject,
  fieldManager: string,
  { options, ...more }: More = {},
): Step {
  const { name } = (body['metadata'] ?? {}) as { readonly name?: string }
  return patch(resource, name ?? '', ['apply', body], {
    options: { fieldManager, ...options },
    ...more,
  })
}

export function remove(resource: ResourceId, name: string, more: More = {}): Step {
  return step({ verb: 'delete', resource, name }, { code: 200, ...more })
}

export function removeAll(resource: ResourceId, more: More = {}): Step {
  return step({ verb: 'deletecollection', resource }, { code: 200, ...more })
}

/** The object of an earlier answer, with a merge patch on it. */
export function changed(label: string, changes: JsonObject = {}): JsonObject {
  return { $of: label, $merge: changes }
}

function step(request: Omit<Request, 'user'>, more: More): Step {
  const { as, code, eventually, namespace, ...rest } = more
  const place = CLUSTER_WIDE.has(request.resource.resource) ? null : NAMESPACE
  const where = namespace === undefined ? place : namespace
  return {
    request: { user: USER, ...request, ...(where === null ? {} : { namespace: where }), ...rest },
    ...(as === undefined ? {} : { as }),
    ...(code === undefined ? {} : { code }),
    ...(eventually === undefined ? {} : { eventually }),
  }
}
