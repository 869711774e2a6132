import type { Io } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import { absentStatus, fluxStatus, kstatus, type Health } from '../../health/index.ts'
import { keyOf, liveOf, shown, type Desired } from './objects.ts'
import type { Wait, Wake } from './state.ts'

export type Outcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly message: string }

/** One look at everything that is waited for. */
export function look(wait: Wait, minor: number, io: Io<never>): Outcome {
  const found = wait.objects.map((desired) => ({
    desired,
    health: healthOf(wait, desired, minor, io),
  }))
  const open = found.filter(({ health }) => health.status !== 'Current')
  if (open.length === 0) return { kind: 'passed' }
  const failed = open.filter(({ health }) => health.status === 'Failed')
  if (wait.for === 'health' && failed.length > 0) {
    return { kind: 'failed', message: `failed early due to stalled resources: [${told(failed)}]` }
  }
  if (io.now >= wait.until) {
    return { kind: 'failed', message: `timeout waiting for: [${told(open)}]` }
  }
  return { kind: 'waiting' }
}

function told(found: readonly { readonly desired: Desired; readonly health: Health }[]): string {
  return found
    .map(({ desired, health }) => `${shown(desired)} status: '${health.status}'`)
    .join(', ')
}

/** F-15, F-16 (from 1.8 on); the stages of definitions and namespaces know no Jobs. */
function healthOf({ for: goal }: Wait, desired: Desired, minor: number, io: Io<never>): Health {
  const live = liveOf(desired, io)
  if (live === undefined) return absentStatus(minor < 8 ? undefined : desired.object)
  return goal === 'health' ? fluxStatus(live, io.now) : kstatus(live, io.now)
}

/** The next look at or after an instant: at once, then every `everyMs`. */
export function nextLook({ since, everyMs }: Wait, from: Instant): Instant {
  return since + Math.max(0, Math.ceil((from - since) / everyMs)) * everyMs
}

/**
 * Plans the end of the wait, and no look in between: a change of what is waited for plans the look
 * that sees it.
 */
export function planWait(key: string, wait: Wait, io: Io<Wake>): void {
  if (Number.isFinite(wait.until)) io.wakeAt(wait.until, { kind: 'poll', key }, `poll ${key}`)
}

/** A wait that begins now. */
export function waitFor(
  goal: Wait['for'],
  objects: readonly Desired[],
  { everyMs, timeoutMs }: { readonly everyMs: number; readonly timeoutMs: number },
  now: Instant,
): Wait {
  const keys = new Set(objects.map(keyOf).filter((key) => key !== undefined))
  return { for: goal, since: now, everyMs, until: now + timeoutMs, objects, keys }
}
