import { stringAt } from '../../core/json.ts'
import { DEFAULT_LIMIT, type ClientLimit } from '../../cluster/controllers/job/limits.ts'
import type { Trace, TraceEvent } from './format.ts'

/** A moment, in seconds of the trace, at which the process that does the work ended or began it. */
export interface Restart {
  readonly t: number
  readonly isStart: boolean
}

/**
 * When the working process stopped and started. With leader election only the leader works; when it
 * is killed, a standby waits for the lease to expire and starts then (trace kubernetes/079d: 22.2 s
 * after SIGKILL, 079e: 17.6 s after SIGTERM, lease 15 s).
 */
export function restartsOf(
  events: readonly TraceEvent[],
  startSeconds: number,
): readonly Restart[] {
  const restarts: Restart[] = []
  /** The first recorder's process runs before the trace begins. */
  let running = 1
  let electing = 0
  for (const event of events) {
    const { t } = event
    if (event.do === 'startEngine') {
      if (event['leaderElection'] === true) electing += 1
      if (running === 0) restarts.push({ t: t + startSeconds, isStart: true })
      running += 1
    }
    if (event.do !== 'stopEngine') continue
    // Without an election there is one process at a time: a recorder that names its start means it.
    running = electing > 0 ? Math.max(0, running - 1) : 0
    const which = stringAt(event, ['which']) ?? 'the leader'
    if (electing > 0) electing -= 1
    if (which !== 'the leader') continue
    restarts.push({ t, isStart: false })
    if (electing === 0) continue
    const takeover = stringAt(event, ['signal']) === 'SIGTERM' ? 17.6 : 22.2
    restarts.push({ t: t + takeover, isStart: true })
  }
  return restarts
}

/**
 * The controller manager's own limit of requests. Most recorders raised it; without the flags the
 * defaults hold. Undefined when it is too high to be felt.
 */
export function clientLimitOf({ engine }: Trace): ClientLimit | undefined {
  const flags =
    stringAt(engine.settings, ['controllers']) ?? stringAt(engine.settings, ['kubernetes'])
  if (engine.name !== 'kubernetes' || flags === undefined) return undefined
  const perSecond = Number(/--kube-api-qps=(\d+)/.exec(flags)?.[1] ?? DEFAULT_LIMIT.perSecond)
  const burst = Number(/--kube-api-burst=(\d+)/.exec(flags)?.[1] ?? DEFAULT_LIMIT.burst)
  return perSecond >= 200 ? undefined : { ...DEFAULT_LIMIT, perSecond, burst }
}
