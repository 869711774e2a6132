import type { Json } from '../../core/json.ts'
import type { PatchType, Request, RequestOptions } from './request.ts'

/** A request as HTTP carries it to a real API server. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the query. */
  readonly path: string
  readonly contentType?: string
  /** Undefined where nothing is sent. */
  readonly body?: Json
  /** The server takes the manager of a write that names none from this. */
  readonly userAgent: string
}

const METHODS = {
  create: 'POST',
  get: 'GET',
  list: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
} as const

const PATCHES: { readonly [type in PatchType]: string } = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

/** The HTTP form of a request, for whoever sends the same to the model and to a real server. */
export function toHttp(request: Request): HttpRequest {
  const { verb, patch, body, user } = request
  const method = METHODS[verb]
  const sent = verb === 'patch' ? patch?.body : body
  const contentType = patch === undefined ? 'application/json' : PATCHES[patch.type]
  const hasBody = sent !== undefined && method !== 'GET'
  return {
    method,
    path: pathOf(request) + queryOf(request),
    ...(hasBody ? { contentType, body: sent } : {}),
    userAgent: user,
  }
}

function pathOf({ resource, namespace, name, subresource }: Request): string {
  const { group, version } = resource
  const steps = group === '' ? ['api', version] : ['apis', group, version]
  if (namespace !== undefined) steps.push('namespaces', namespace)
  steps.push(resource.resource)
  if (name !== undefined) steps.push(name)
  if (subresource !== undefined) steps.push(subresource)
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('')
}

function queryOf({ options = {} }: Request): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(valuesOf(options))) {
    if (value !== undefined) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

function valuesOf(options: RequestOptions): { readonly [name: string]: string | undefined } {
  const { dryRun, force, limit, ...texts } = options
  return {
    ...texts,
    dryRun: dryRun === true ? 'All' : undefined,
    force: force === undefined ? undefined : String(force),
    limit: limit === undefined ? undefined : String(limit),
  }
}
