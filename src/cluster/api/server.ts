import type { Reader } from '../actor.ts'
import type { Chance } from '../chance.ts'
import type { Instant } from '../time.ts'
import type { ApiServer, ApiServerOptions } from './contract.ts'
import { create } from './create.ts'
import { followDefinitions } from './custom-resources.ts'
import { remove, removeCollection } from './delete.ts'
import type { Call, Host, Result } from './host.ts'
import type { Kind } from './kind.ts'
import { list } from './list.ts'
import { openKind } from './open-kind.ts'
import { patch } from './patch.ts'
import { get } from './read.ts'
import { findKind, registryOf, type Registry } from './registry.ts'
import type { Answer, Request, Verb, WatchEvent } from './request.ts'
import { methodNotAllowed, notFound, Refusal, unknownResource } from './status.ts'
import { Store } from './store.ts'
import { subresource } from './subresources.ts'
import { update } from './update.ts'

/** Events that a watch may come back to. */
const WATCH_WINDOW = 10_000

const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** An API server as it is after its first start: it holds the system namespaces, nothing else. */
export function createApiServer(options: ApiServerOptions, startedAt: Instant): ApiServer {
  const store = new Store(options.watchWindow ?? WATCH_WINDOW)
  const registry = registryOf(options.kinds)
  // Nobody has written a policy yet when these are made.
  const starting = new Server({ ...options, admission: [] }, store, registry, options.chance)
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  for (const name of SYSTEM_NAMESPACES) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    starting.handle({ verb: 'create', resource, body, user: 'kube-apiserver' }, startedAt)
  }
  store.takeEvents()
  return new Server(options, store, registry, options.chance)
}

class Server implements ApiServer, Host {
  readonly options: ApiServerOptions
  readonly store: Store
  readonly chance: Chance
  registry: Registry

  constructor(options: ApiServerOptions, store: Store, registry: Registry, chance: Chance) {
    this.options = options
    this.store = store
    this.registry = registry
    this.chance = chance
  }

  get read(): Reader {
    return this.store
  }

  get resourceVersion(): number {
    return this.store.version
  }

  takeEvents(): readonly WatchEvent[] {
    return this.store.takeEvents()
  }

  eventsSince(resourceVersion: number): readonly WatchEvent[] | undefined {
    return this.store.eventsSince(resourceVersion)
  }

  kinds(): readonly Kind[] {
    return this.registry.kinds
  }

  copy(chance: Chance): ApiServer {
    return new Server(this.options, this.store.copy(), this.registry, chance)
  }

  handle(request: Request, now: Instant): Answer {
    const warnings: string[] = []
    const { written } = this.store
    const result = this.#result(request, now, warnings)
    if (this.store.written !== written) this.#follow(written, now)
    if (result instanceof Refusal) {
      return { code: result.status.code, body: result.status, warnings: [...new Set(warnings)] }
    }
    const distinct = warnings.length > 1 ? [...new Set(warnings)] : warnings
    return { code: result.code, body: result.body, warnings: distinct }
  }

  #result(request: Request, now: Instant, warnings: string[]): Result | Refusal {
    const kind = this.#kindOf(request)
    if (kind === undefined) return unknownResource()
    const fault = pathFault(request, kind)
    if (fault !== undefined) return fault
    return dispatch(this, { request, kind, now, warnings })
  }

  /** What was written may concern a definition: its own write, and removals of its objects. */
  #follow(from: number, now: Instant): void {
    followDefinitions(this, this.store.eventsFrom(from), now)
  }

  #kindOf(request: Request): Kind | undefined {
    const kind = findKind(this.registry, request.resource)
    if (kind !== undefined) return kind
    return this.options.openKinds === true ? openKind(this.store, request) : undefined
  }
}

const ON_COLLECTION: ReadonlySet<Verb> = new Set(['create', 'list', 'deletecollection'])
const ON_STATUS: ReadonlySet<Verb> = new Set(['get', 'update', 'patch'])

/** A path that is not served is 404, a verb that the path does not know 405. */
function pathFault(
  { verb, namespace, name, subresource: part }: Request,
  kind: Kind,
): Refusal | undefined {
  if (part !== undefined) {
    const isServed = part === 'status' ? kind.hasStatus : kind.subresources?.includes(part) === true
    if (!isServed && name !== undefined && kind.schema !== undefined) return notFound(kind, name)
    if (!isServed || name === undefined) return unknownResource()
    return part === 'status' && !ON_STATUS.has(verb) ? methodNotAllowed() : undefined
  }
  if (kind.namespaced && namespace === undefined && verb !== 'list') return methodNotAllowed()
  const isNamed = name !== undefined && name !== ''
  if (!kind.namespaced && namespace !== undefined && !(isNamed && kind.resource === 'namespaces')) {
    return unknownResource()
  }
  if (verb === 'deletecollection' && kind.deletesCollection === false) return methodNotAllowed()
  return ON_COLLECTION.has(verb) === isNamed ? methodNotAllowed() : undefined
}

function dispatch(host: Host, call: Call): Result | Refusal {
  const { verb, subresource: part } = call.request
  if (part !== undefined && part !== 'status') return subresource(host, call, part)
  switch (verb) {
    case 'create':
      return create(host, call)
    case 'get':
      return get(host, call)
    case 'list':
      return list(host, call)
    case 'update':
      return update(host, call)
    case 'patch':
      return patch(host, call)
    case 'delete':
      return remove(host, call)
    case 'deletecollection':
      return removeCollection(host, call)
    default:
      return verb satisfies never
  }
}
