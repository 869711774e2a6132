import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { Instant } from '../../../cluster/time.ts'

/**
 * When something is run: at given instants, in a period from a first one on, or as `next` says (the
 * first at or after an instant).
 */
export type Starts =
  | { readonly at: readonly Instant[] }
  | { readonly from: Instant; readonly everyMs: number; readonly until?: Instant }
  | {
      readonly next: (from: Instant) => Instant | undefined
      readonly trigger: (at: Instant) => Trigger
    }

export function nextStart(starts: Starts, from: Instant): Instant | undefined {
  if ('next' in starts) return starts.next(from)
  if ('at' in starts) {
    const later = starts.at.filter((at) => at >= from)
    return later.length === 0 ? undefined : Math.min(...later)
  }
  const { from: first, everyMs, until = Infinity } = starts
  if (!(everyMs > 0)) return first >= from && first <= until ? first : undefined
  const passed = Math.max(0, Math.ceil((from - first) / everyMs))
  const at = first + passed * everyMs
  return at <= until ? at : undefined
}

/** Why a start is one. */
export function triggerOf(starts: Starts, at: Instant): Trigger {
  if ('next' in starts) return starts.trigger(at)
  if ('at' in starts || !(starts.everyMs > 0)) return { kind: 'request', words: 'a person ran it' }
  return { kind: 'interval', words: `it runs every ${spanText(starts.everyMs)}` }
}

/** `24h`, `1h30m`, `45s`. */
export function spanText(ms: number): string {
  const seconds = ms / 1000
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join('')
}

export interface StartWake {
  readonly kind: 'start'
  readonly hops: number
}

/** Of those before `from`, nobody makes up for. */
export function planNext(starts: Starts, from: Instant, io: Io<StartWake>): void {
  const at = nextStart(starts, from)
  if (at !== undefined) io.wakeAt(at, { kind: 'start', hops: 0 }, 'start')
}

/**
 * With idealised timing, what happens at the very second of a start comes before it, and its chain
 * (a TTL, the collector, finalizers) takes a few wakes of that second.
 */
const MOST_HOPS = 16

/** Whether the start lets others of the same instant go first. */
export function lingers({ hops }: StartWake, io: Io<StartWake>): boolean {
  if (hops >= MOST_HOPS) return false
  io.wakeAt(io.now, { kind: 'start', hops: hops + 1 }, 'start')
  return true
}

/** Kinds whose objects decide whether the server accepts others. */
export function mayLiftRefusal({ resource: { group, resource } }: WatchEvent): boolean {
  return (
    group === 'admissionregistration.k8s.io' ||
    group === 'apiextensions.k8s.io' ||
    ['namespaces', 'resourcequotas', 'limitranges'].includes(resource)
  )
}
