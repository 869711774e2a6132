import type { Actor, Cause, Latencies } from './actor.ts'
import type { ApiServer } from './api/contract.ts'
import type { Answer, Request, WatchEvent } from './api/request.ts'
import type { Chance } from './chance.ts'
import type { KubeObject } from './object.ts'
import type { Instant } from './time.ts'

/** Whoever listens hears everything and can change nothing. */
export interface Listener {
  write?(event: WatchEvent, at: Instant): void
  event?(event: ClusterEvent): void
  cause?(cause: Cause): void
  request?(request: Request, answer: Answer, at: Instant): void
}

export interface ClusterEvent {
  readonly at: Instant
  readonly about: KubeObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly by: string
}

export interface ClusterOptions {
  readonly now: Instant
  readonly api: ApiServer
  readonly chance: Chance
  readonly latencies: Latencies
  readonly actors: readonly AnyActor[]
  readonly listener?: Listener
  /** The API server of a cluster that is built anew: without it `rebuild` is refused. */
  readonly emptyApi?: (now: Instant, chance: Chance) => ApiServer
}

/** All that etcd held at an instant. It can be put back more than once. */
export interface Backup {
  readonly at: Instant
  readonly api: ApiServer
}

/** An actor whose own state and wakes are its own business. */
// oxlint-disable-next-line typescript/no-explicit-any -- each actor gets back what it gave
export type AnyActor = Actor<any, any>
