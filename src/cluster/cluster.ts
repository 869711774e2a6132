import type { Actor, Cause, Io, Latencies } from './actor.ts'
import type { ApiServer } from './api/contract.ts'
import type { Answer, Request, WatchEvent } from './api/request.ts'
import type { Chance } from './chance.ts'
import type { KubeObject } from './object.ts'
import { Queue, type Timer } from './queue.ts'
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
}

/** An actor whose own state and wakes are its own business. */
// oxlint-disable-next-line typescript/no-explicit-any -- each actor gets back what it gave
export type AnyActor = Actor<any, any>

interface Running {
  readonly actor: AnyActor
  readonly io: Io<unknown>
  /** Undefined while its process is down. */
  state: { readonly value: unknown } | undefined
}

/**
 * A cluster in virtual time: an API server, the actors on it, and the queue that wakes them.
 * Nothing ticks: time jumps from one planned instant to the next. The same options give the same
 * run, byte for byte.
 */
export class Cluster {
  #now: Instant
  readonly #api: ApiServer
  readonly #queue: Queue
  readonly #chance: Chance
  readonly #latencies: Latencies
  readonly #actors: Map<string, Running>
  readonly #listener: Listener | undefined

  constructor(options: ClusterOptions) {
    this.#now = options.now
    this.#api = options.api
    this.#queue = new Queue()
    this.#chance = options.chance
    this.#latencies = options.latencies
    this.#listener = options.listener
    this.#actors = new Map()
    for (const actor of options.actors) {
      this.#actors.set(actor.name, { actor, io: this.#ioOf(actor.name), state: undefined })
    }
    for (const actor of options.actors) this.start(actor.name)
  }

  get now(): Instant {
    return this.#now
  }

  get api(): ApiServer {
    return this.#api
  }

  /** A request from outside, at the present instant. */
  request(request: Request): Answer {
    const answer = this.#request(request)
    this.#tell()
    return answer
  }

  /** A process comes up (again): it reads what there is and plans anew. */
  start(name: string): void {
    const running = this.#running(name)
    if (running.state !== undefined) return
    running.state = { value: running.actor.begin(running.io) }
    this.#tell()
  }

  /** A process ends: its memory and its plans are gone. */
  stop(name: string): void {
    this.#running(name).state = undefined
    this.#queue.cancelAll(name)
  }

  isRunning(name: string): boolean {
    return this.#actors.get(name)?.state !== undefined
  }

  /** What an actor remembers, for its own questions; undefined while it is down. */
  stateOf(name: string): unknown {
    return this.#actors.get(name)?.state?.value
  }

  /** Runs all that is planned up to `until`, inclusive, and ends there. */
  runUntil(until: Instant): void {
    for (;;) {
      const at = this.#queue.next()
      if (at === undefined || at > until) break
      this.#step()
    }
    this.#now = Math.max(this.#now, until)
  }

  /** Runs all that is planned before `at`, and stands at `at` with its own wakes still to come. */
  runBefore(at: Instant): void {
    for (;;) {
      const next = this.#queue.next()
      if (next === undefined || next >= at) break
      this.#step()
    }
    this.#now = Math.max(this.#now, at)
  }

  /** Runs the next instant's first wake; false when nothing is planned. */
  step(): boolean {
    if (this.#queue.next() === undefined) return false
    this.#step()
    return true
  }

  /** When something happens next. */
  nextAt(): Instant | undefined {
    return this.#queue.next()
  }

  /** All that waits for its instant, in order. */
  planned(): readonly Timer[] {
    return this.#queue.list()
  }

  /** Another cluster in the same state; both go on alike, and neither touches the other. */
  copy(listener?: Listener): Cluster {
    const chance = this.#chance.copy()
    const twin = new Cluster({
      now: this.#now,
      api: this.#api.copy(chance),
      chance,
      latencies: this.#latencies,
      actors: [],
      ...(listener === undefined ? {} : { listener }),
    })
    twin.#take(this)
    return twin
  }

  #take(other: Cluster): void {
    for (const [name, { actor, state }] of other.#actors) {
      const copied = state === undefined ? undefined : { value: actor.copy(state.value) as unknown }
      this.#actors.set(name, { actor, io: this.#ioOf(name), state: copied })
    }
    this.#queue.takeAll(other.#queue)
  }

  #step(): void {
    const timer = this.#queue.take()
    if (timer === undefined) return
    this.#now = Math.max(this.#now, timer.at)
    const running = this.#actors.get(timer.owner)
    if (running?.state === undefined) return
    running.actor.wake(running.state.value, timer.wake, running.io)
    this.#tell()
  }

  /** Tells all actors what was written; what they plan comes later, so nothing nests. */
  #tell(): void {
    const events = this.#api.takeEvents()
    for (const event of events) {
      this.#listener?.write?.(event, this.#now)
      for (const { actor, io, state } of this.#actors.values()) {
        if (state !== undefined) actor.observe?.(state.value, event, io)
      }
    }
  }

  #request(request: Request): Answer {
    const answer = this.#api.handle(request, this.#now)
    this.#listener?.request?.(request, answer, this.#now)
    return answer
  }

  #running(name: string): Running {
    const running = this.#actors.get(name)
    if (running === undefined) throw new Error(`there is no actor ${name} in this cluster`)
    return running
  }

  #ioOf(owner: string): Io<unknown> {
    const clock = (): Instant => this.#now
    return {
      get now() {
        return clock()
      },
      chance: this.#chance,
      latencies: this.#latencies,
      read: this.#api.read,
      request: (request) => this.#request({ user: owner, ...request }),
      wakeAt: (at, wake, key) => {
        this.#queue.plan({
          at: Math.max(at, this.#now),
          owner,
          wake,
          ...(key === undefined ? {} : { key }),
        })
      },
      cancel: (key) => this.#queue.cancel(owner, key),
      event: (about, type, reason, message) => {
        this.#listener?.event?.({ at: this.#now, about, type, reason, message, by: owner })
      },
      cause: (cause) => this.#listener?.cause?.(cause),
    }
  }
}
