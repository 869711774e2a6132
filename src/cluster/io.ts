import type { Io, Latencies, Reader } from './actor.ts'
import type { Answer, Request } from './api/request.ts'
import type { Chance } from './chance.ts'
import type { Listener } from './contract.ts'
import type { Queue } from './queue.ts'
import type { Instant } from './time.ts'

/** What of a cluster its actors can reach. */
export interface Inside {
  readonly now: () => Instant
  /** Asked each time: another content of etcd has another reader. */
  readonly read: () => Reader
  readonly request: (request: Request) => Answer
  readonly queue: Queue
  readonly chance: Chance
  readonly latencies: Latencies
  readonly listener: Listener | undefined
}

/** All that the actor `owner` can do: its requests, wakes and events carry its name. */
export function ioFor(owner: string, inside: Inside): Io<unknown> {
  const { queue, chance, latencies, listener } = inside
  return {
    get now() {
      return inside.now()
    },
    chance,
    latencies,
    get read() {
      return inside.read()
    },
    request: (request) => inside.request({ user: owner, ...request }),
    wakeAt: (at, wake, key) => {
      const named = key === undefined ? {} : { key }
      queue.plan({ at: Math.max(at, inside.now()), owner, wake, ...named })
    },
    cancel: (key) => queue.cancel(owner, key),
    event: (about, type, reason, message) => {
      listener?.event?.({ at: inside.now(), about, type, reason, message, by: owner })
    },
    cause: (cause) => listener?.cause?.(cause),
  }
}
