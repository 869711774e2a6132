import type { Chance } from '../chance.ts'
import type { Instant } from '../time.ts'
import type { ApiServerOptions } from './contract.ts'
import type { Kind } from './kind.ts'
import type { Registry } from './registry.ts'
import type { Answer, Request } from './request.ts'
import type { Store } from './store.ts'

/** What the verbs work on: the server's parts. */
export interface Host {
  readonly options: ApiServerOptions
  readonly store: Store
  readonly chance: Chance
  registry: Registry
}

/** One request on its way. `warnings` collects the Warning headers. */
export interface Call {
  readonly request: Request
  readonly kind: Kind
  readonly now: Instant
  readonly warnings: string[]
}

export interface Result {
  readonly code: number
  readonly body: Answer['body']
}
