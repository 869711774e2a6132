import type { Actor, Io } from '../actor.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import type { Instant } from '../time.ts'

/** The memory of a controller that only knows which objects failed how often. */
export interface QueueState {
  readonly failures: Map<string, number>
  /** A process that has just started works from here on. */
  readonly readyAt: Instant
}

export interface QueueWake {
  /** `namespace/name` */
  readonly key: string
}

export interface Keyed extends Pick<Actor<QueueState, QueueWake>, 'name' | 'observe'> {
  readonly resource: ResourceId
  /** What a new or changed object, or one that is found at the start, plans; default: `soon`. */
  readonly plan?: (state: QueueState, object: KubeObject, io: Io<QueueWake>) => void
  /** False when something was refused: it is tried again, later each time. */
  readonly sync: (object: KubeObject, io: Io<QueueWake>, key: string) => boolean
}

/**
 * A controller of one kind whose memory is its queue: each object that is there at its start, is
 * written (where `observe` does not say otherwise) or is due is synced.
 */
export function keyedController(keyed: Keyed): Actor<QueueState, QueueWake> {
  const { name, resource, plan = soon, sync } = keyed
  return {
    name,
    begin(io) {
      const state = newQueue(io)
      for (const object of io.read.list(resource)) plan(state, object, io)
      return state
    },
    observe(state, event, io) {
      if (!isOf(resource, event.resource)) keyed.observe?.(state, event, io)
      else if (event.type !== 'DELETED') plan(state, event.object, io)
    },
    wake(state, { key }, io) {
      const [namespace, own = ''] = key.split('/')
      const object = io.read.get(resource, namespace, own)
      if (object === undefined || sync(object, io, key)) state.failures.delete(key)
      else again(state, key, io)
    },
    copy: copyQueue,
  }
}

/** Versions of a resource are one resource. */
function isOf(one: ResourceId, other: ResourceId): boolean {
  return one.resource === other.resource && one.group === other.group
}

function newQueue(io: Io<QueueWake>): QueueState {
  return { failures: new Map(), readyAt: io.now + io.latencies.controllerStart }
}

function copyQueue({ failures, readyAt }: QueueState): QueueState {
  return { failures: new Map(failures), readyAt }
}

/** After an event: at once, and once for all events of one instant. */
export function soon(state: QueueState, { metadata }: KubeObject, io: Io<QueueWake>): void {
  const key = `${metadata.namespace ?? ''}/${metadata.name}`
  io.wakeAt(Math.max(io.now, state.readyAt), { key }, `now ${key}`)
}

/** In the delaying queue an object waits once, and the earlier time stays. */
export function later(key: string, at: Instant, io: Io<QueueWake>): void {
  io.wakeAt(at, { key }, `later ${key}`)
}

/** As `client-go` retries: 5 ms, doubling up to 1,000 s. */
function again(state: QueueState, key: string, io: Io<QueueWake>): void {
  const failures = state.failures.get(key) ?? 0
  state.failures.set(key, failures + 1)
  later(key, io.now + Math.min(5 * 2 ** failures, 1_000_000), io)
}
