import { stringAt } from '../../../core/json.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Timing } from '../../engines/kustomize-controller/index.ts'
import { REALISTIC_TIMING } from '../../engines/kustomize-controller/index.ts'
import type { Trace } from '../format.ts'

/** A machine under load started a reconcile up to this much later than an idle one. */
const LATEST_MS = 2500

interface Recorded {
  readonly kustomization: string
  /** Milliseconds since the start of the trace. */
  readonly startMs: number
  readonly buildMs: number
}

/**
 * How long the recorder's machine took, which is no matter of rules: when a triggered reconcile
 * began, and how long it fetched and built. Ticks of the interval go by the rule, in the middle of
 * their jitter (F-1).
 */
export function recordedTiming(trace: Trace, zero: Instant): Partial<Timing> {
  const recorded = recordedReconciles(trace)
  const after = (key: string, at: Instant, usualMs: number): number => {
    const found = recorded.find(
      ({ kustomization, startMs }) =>
        key.endsWith(`/${kustomization}`) &&
        startMs >= at - zero - 5 &&
        startMs <= at - zero + usualMs + LATEST_MS,
    )
    return found === undefined ? usualMs : Math.max(0, found.startMs - (at - zero))
  }
  return {
    jitter: 0,
    trigger: (key, at) => Math.min(after(key, at, REALISTIC_TIMING.trigger as number), LATEST_MS),
    firstRequeue: (key, at) => after(key, at, REALISTIC_TIMING.firstRequeue as number),
    build: (key, at) => {
      const near = recorded
        .filter(({ kustomization }) => key.endsWith(`/${kustomization}`))
        .filter(({ startMs }) => Math.abs(startMs - (at - zero)) < LATEST_MS)
        .sort((a, b) => Math.abs(a.startMs - (at - zero)) - Math.abs(b.startMs - (at - zero)))
      return near[0]?.buildMs ?? (REALISTIC_TIMING.build as number)
    },
  }
}

/** From `Fetching manifests` to the first dry run after `Detecting drift`, as status and audit tell. */
function recordedReconciles({ observed }: Trace): readonly Recorded[] {
  const dryRuns = (observed.requests ?? [])
    .filter((request) => request['dryRun'] === true)
    .map((request) => Math.round(Number(request['t']) * 1000))
  const found: Recorded[] = []
  const open = new Map<string, number>()
  for (const state of observed.engine ?? []) {
    const kustomization = stringAt(state, ['kustomization'])
    const message = stringAt(state, ['Reconciling', 'message']) ?? ''
    if (kustomization === undefined) continue
    const startMs = Math.round(Number(state['t']) * 1000)
    if (message.startsWith('Fetching')) open.set(kustomization, startMs)
    const began = open.get(kustomization)
    if (began === undefined || !message.startsWith('Detecting drift')) continue
    open.delete(kustomization)
    const sent = dryRuns.find((ms) => ms >= startMs - 10 && ms < startMs + LATEST_MS) ?? startMs
    found.push({ kustomization, startMs: began, buildMs: Math.max(sent, startMs) - began })
  }
  return found
}
