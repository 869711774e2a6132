import { stringAt } from '../../../core/json.ts'
import type { Instant } from '../../../cluster/time.ts'
import { REALISTIC_TIMING, type Timing } from '../../engines/helm-controller/index.ts'
import type { Trace } from '../format.ts'

/** A machine under load began up to this much later than an idle one. */
const LATEST_MS = 2500
/** Less is no lateness. */
const LEAST_MS = 100

interface Recorded {
  readonly release: string
  /** `start` of a reconcile, or the action whose first request it was. */
  readonly what: string
  /** Milliseconds since the start of the trace. */
  readonly ms: number
}

/**
 * How late the recorder's machine was, which is no matter of rules. Intervals go by the rule, in the
 * middle of their jitter; whether a first look came too early is a race too (R-3, trace 100).
 */
export function recordedTiming(trace: Trace, zero: Instant): Timing {
  const recorded = recordedBegins(trace)
  return {
    ...REALISTIC_TIMING,
    jitter: 0,
    looksEarly: (key, now) => tookLong(trace, key, now - zero),
    late(key, due, what) {
      const at = due - zero
      const [nearest] = recorded
        .filter((one) => one.what === what && key.endsWith(`/${one.release}`))
        .map(({ ms }) => ms - at)
        .filter((late) => Math.abs(late) <= LATEST_MS)
        .sort((one, other) => Math.abs(one) - Math.abs(other))
      return nearest === undefined || nearest < LEAST_MS ? 0 : nearest
    },
  }
}

/** Whether the action that waits at that time ended with a later look than the first. */
function tookLong({ observed }: Trace, key: string, ms: number): boolean {
  for (const state of observed.engine ?? []) {
    const release = stringAt(state, ['helmRelease'])
    const t = Number(state['t']) * 1000
    const reason = stringAt(state, ['Ready', 'reason']) ?? ''
    const isOf = release !== undefined && key.endsWith(`/${release}`) && t > ms - LATEST_MS / 2
    if (isOf && /(Succeeded|Failed|AwaitingTests)$/.test(reason)) return t - ms > LATEST_MS
  }
  return false
}

/** From `Running ... action` in the status to the first request of Helm after it. */
function recordedBegins({ observed }: Trace): readonly Recorded[] {
  const requests = (observed.requests ?? [])
    .filter((request) => stringAt(request, ['by']) === 'Go-http-client')
    .map((request) => Math.round(Number(request['t']) * 1000))
  const found: Recorded[] = []
  const before = new Map<string, string>()
  for (const state of observed.engine ?? []) {
    const release = stringAt(state, ['helmRelease'])
    if (release === undefined) continue
    const message = stringAt(state, ['Reconciling', 'message']) ?? ''
    if (before.get(release) === message) continue
    before.set(release, message)
    const ms = Math.round(Number(state['t']) * 1000)
    if (message === 'Fulfilling prerequisites') found.push({ release, what: 'start', ms })
    const action = /^Running '(\w+)' action/.exec(message)?.[1]
    const first = requests.find((request) => request >= ms - 20)
    if (action !== undefined && first !== undefined)
      found.push({ release, what: action, ms: first })
  }
  return found
}

/** The order in which HelmReleases that waited for a worker got one: a race (trace 077). */
export function recordedRank(trace: Trace, namespace: string): (key: string) => number {
  const ranks = new Map<string, number>()
  for (const { release } of recordedBegins(trace)) {
    const key = `${namespace}/${release}`
    if (!ranks.has(key)) ranks.set(key, ranks.size)
  }
  return (key) => ranks.get(key) ?? ranks.size
}
