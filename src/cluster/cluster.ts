import type { Io, Latencies } from './actor.ts'
import type { ApiServer } from './api/contract.ts'
import type { Answer, Request } from './api/request.ts'
import type { Chance } from './chance.ts'
import type { AnyActor, Backup, ClusterOptions, Listener } from './contract.ts'
import { ioFor } from './io.ts'
import { CONNECTION_REFUSED } from './outage.ts'
import { Queue, type Timer } from './queue.ts'
import { tellReplacement, type Replacement } from './replacement.ts'
import { timestamp, type Instant } from './time.ts'

export type { AnyActor, Backup, ClusterEvent, ClusterOptions, Listener } from './contract.ts'

interface Running {
  readonly actor: AnyActor
  readonly io: Io<unknown>
  /** Undefined while its process is down. */
  state: { readonly value: unknown } | undefined
}

/** Who plans the cluster's own wakes. */
const API_SERVER = 'kube-apiserver'

type OwnWake = { readonly do: 'up' } | { readonly do: 'lose'; readonly name: string }

/**
 * A cluster in virtual time: an API server, the actors on it, and the queue that wakes them.
 * Nothing ticks: time jumps from one planned instant to the next. The same options give the same
 * run, byte for byte.
 */
export class Cluster {
  #now: Instant
  #api: ApiServer
  #isDown = false
  /** Processes that start as soon as the API server answers. */
  readonly #waiting = new Set<string>()
  readonly #queue: Queue
  readonly #chance: Chance
  readonly #latencies: Latencies
  readonly #actors: Map<string, Running>
  readonly #listener: Listener | undefined
  readonly #emptyApi: ClusterOptions['emptyApi']

  constructor(options: ClusterOptions) {
    this.#now = options.now
    this.#api = options.api
    this.#queue = new Queue()
    this.#chance = options.chance
    this.#latencies = options.latencies
    this.#listener = options.listener
    this.#emptyApi = options.emptyApi
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
    if (this.#isDown) {
      this.#waiting.add(name)
      return
    }
    this.#waiting.delete(name)
    running.state = { value: running.actor.begin(running.io) }
    this.#tell()
  }

  /** A process ends: its memory and its plans are gone. */
  stop(name: string): void {
    const { actor, io, state } = this.#running(name)
    if (state !== undefined && !this.#isDown) actor.settle?.(state.value, io)
    this.#end(name)
    this.#tell()
  }

  #end(name: string): void {
    this.#running(name).state = undefined
    this.#waiting.delete(name)
    this.#queue.cancelAll(name)
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /**
   * The API server cannot be reached from now on, until `until` or `up`. Every request is answered
   * as a refused connection, so nothing is written and nothing is told; time goes on, and what runs
   * on nodes runs on. Who elects a leader ends after its renew deadline (K-91).
   */
  down(until?: Instant): void {
    if (until !== undefined) {
      this.#queue.cancel(API_SERVER, 'up')
      this.#planOwn(until, { do: 'up' }, 'up')
    }
    if (this.#isDown) return
    this.#isDown = true
    for (const [name, { actor, state }] of this.#actors) {
      if (state === undefined || actor.renewDeadlineMs === undefined) continue
      this.#planOwn(this.#now + actor.renewDeadlineMs, { do: 'lose', name }, `lose ${name}`)
    }
  }

  /** The API server answers again: ended processes start, the others list anew. */
  up(): void {
    if (!this.#isDown) return
    this.#isDown = false
    this.#queue.cancelAll(API_SERVER)
    for (const [name, { actor, io, state }] of this.#actors) {
      if (this.#waiting.has(name)) this.start(name)
      else if (state !== undefined) actor.relist?.(state.value, io)
      this.#tell()
    }
  }

  /** What etcd holds now, to be put back later. */
  backup(): Backup {
    return { at: this.#now, api: this.#api.copy(this.#chance.copy()) }
  }

  /**
   * Etcd is put back to an earlier state, and all processes start anew, as the documents ask for. The
   * nodes are the same: what runs on them is compared with what is stored (K-92). Revisions go back,
   * too. An outage ends with it.
   */
  restore({ at, api }: Backup): void {
    const words = `somebody put etcd back to its state of ${timestamp(at)}`
    this.#replace(api.copy(this.#chance), { rule: 'K-92', effect: 'restored etcd', words }, true)
  }

  /** A new, empty cluster of the same version with the same processes (K-93). */
  rebuild(): void {
    if (this.#emptyApi === undefined) throw new Error('this cluster cannot be built anew')
    const api = this.#emptyApi(this.#now, this.#chance)
    const words = 'somebody built the cluster anew'
    this.#replace(api, { rule: 'K-93', effect: 'built the cluster anew', words }, false)
  }

  isRunning(name: string): boolean {
    return this.#actors.get(name)?.state !== undefined
  }

  /** Wakes an actor now: a person types a command, or what it reads outside of the cluster changed. */
  wake(name: string, wake: unknown): void {
    if (this.#running(name).state === undefined) return
    this.#queue.plan({ at: this.#now, owner: name, wake })
  }

  /** What an actor remembers, for its own questions; undefined while it is down. */
  stateOf(name: string): unknown {
    return this.#actors.get(name)?.state?.value
  }

  /** Runs all that is planned up to `until`, inclusive, and ends there. */
  runUntil(until: Instant): void {
    for (let at = this.#queue.next(); at !== undefined && at <= until; at = this.#queue.next()) {
      this.#step()
    }
    this.#now = Math.max(this.#now, until)
  }

  /** Runs all that is planned before `at`, and stands at `at` with its own wakes still to come. */
  runBefore(at: Instant): void {
    for (
      let next = this.#queue.next();
      next !== undefined && next < at;
      next = this.#queue.next()
    ) {
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
      ...(this.#emptyApi === undefined ? {} : { emptyApi: this.#emptyApi }),
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
    this.#isDown = other.#isDown
    for (const name of other.#waiting) this.#waiting.add(name)
  }

  /** Another content of etcd, of which listeners hear as informers would that list anew. */
  #replace(
    api: ApiServer,
    why: Pick<Replacement, 'rule' | 'effect' | 'words'>,
    hasSameNodes: boolean,
  ): void {
    const before = this.#api.read
    api.takeEvents()
    this.#api = api
    this.#isDown = false
    this.#queue.cancelAll(API_SERVER)
    const events = tellReplacement(this.#listener, {
      ...why,
      before,
      after: api.read,
      now: this.#now,
    })
    for (const [name, running] of this.#actors) {
      const { actor, io, state } = running
      if (state === undefined) continue
      if (hasSameNodes && actor.relist !== undefined) {
        for (const event of events) actor.observe?.(state.value, event, io)
        actor.relist(state.value, io)
      } else {
        this.#end(name)
        this.#waiting.add(name)
      }
    }
    for (const name of this.#waiting) this.start(name)
    this.#tell()
  }

  #planOwn(at: Instant, wake: OwnWake, key: string): void {
    this.#queue.plan({ at: Math.max(at, this.#now), owner: API_SERVER, wake, key })
  }

  #wakeOwn(wake: OwnWake): void {
    if (wake.do === 'up') {
      this.up()
      return
    }
    this.stop(wake.name)
    this.#waiting.add(wake.name)
  }

  #step(): void {
    const timer = this.#queue.take()
    if (timer === undefined) return
    this.#now = Math.max(this.#now, timer.at)
    if (timer.owner === API_SERVER) {
      this.#wakeOwn(timer.wake as OwnWake)
      return
    }
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
    const answer = this.#isDown ? CONNECTION_REFUSED : this.#api.handle(request, this.#now)
    this.#listener?.request?.(request, answer, this.#now)
    return answer
  }

  #running(name: string): Running {
    const running = this.#actors.get(name)
    if (running === undefined) throw new Error(`there is no actor ${name} in this cluster`)
    return running
  }

  #ioOf(owner: string): Io<unknown> {
    return ioFor(owner, {
      now: () => this.#now,
      read: () => this.#api.read,
      request: (request) => this.#request(request),
      queue: this.#queue,
      chance: this.#chance,
      latencies: this.#latencies,
      listener: this.#listener,
    })
  }
}
