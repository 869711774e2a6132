import type { Reader } from '../actor.ts'
import type { Chance } from '../chance.ts'
import type { Instant } from '../time.ts'
import type { ApiServer, ApiServerOptions } from './contract.ts'
import { create } from './create.ts'
import { remove, removeCollection } from './delete.ts'
import type { Call, Host } from './host.ts'
import type { Kind } from './kind.ts'
import { openKind } from './open-kind.ts'
import { patch } from './patch.ts'
import { get, list } from './read.ts'
import { findKind, registryOf, type Registry } from './registry.ts'
import type { Answer, Request, WatchEvent } from './request.ts'
import { methodNotAllowed, Refusal, unknownResource } from './status.ts'
import { Store } from './store.ts'
import { update } from './update.ts'

/** An API server with an empty store. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const store = new Store(options.watchWindow ?? 10_000)
  return new Server(options, store, registryOf(options.kinds), options.chance)
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
    return [...this.registry.kinds.values()]
  }

  copy(chance: Chance): ApiServer {
    return new Server(this.options, this.store.copy(), this.registry, chance)
  }

  handle(request: Request, now: Instant): Answer {
    const kind = this.#kindOf(request)
    const warnings: string[] = []
    const result =
      kind === undefined ? unknownResource() : this.#dispatch({ request, kind, now, warnings })
    if (result instanceof Refusal)
      return { code: result.status.code, body: result.status, warnings }
    return { code: result.code, body: result.body, warnings }
  }

  #kindOf(request: Request): Kind | undefined {
    const kind = findKind(this.registry, request.resource)
    if (kind !== undefined) return kind
    return this.options.openKinds === true ? openKind(request) : undefined
  }

  #dispatch(call: Call): { readonly code: number; readonly body: Answer['body'] } | Refusal {
    switch (call.request.verb) {
      case 'create':
        return create(this, call)
      case 'get':
        return get(this, call)
      case 'list':
        return list(this, call)
      case 'update':
        return update(this, call)
      case 'patch':
        return patch(this, call)
      case 'delete':
        return remove(this, call)
      case 'deletecollection':
        return removeCollection(this, call)
      default:
        return methodNotAllowed()
    }
  }
}
