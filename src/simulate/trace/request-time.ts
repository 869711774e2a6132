import { stringAt } from '../../core/json.ts'
import type { Trace } from './format.ts'

/**
 * When the request of an event reached the API server, in seconds of the trace. kubectl needs up
 * to a second to start, so the first request that the audit log has of it between the event's time
 * and its answer counts; a command that only reads has none, and works half way.
 */
export function requestTime(trace: Trace, event: number): number {
  const given = trace.events[event]
  if (given === undefined) return 0
  const answered = typeof given['answered'] === 'number' ? given['answered'] : given.t
  if (stringAt(given, ['how'])?.startsWith('kubectl') !== true) return given.t
  if (stringAt(given, ['how'])?.startsWith('kubectl wait') === true) return given.t + 0.1
  for (const request of trace.observed.requests ?? []) {
    const t = request['t']
    if (typeof t !== 'number' || t < given.t || t > answered + 0.01) continue
    if (stringAt(request, ['by'])?.startsWith('kubectl') === true) return t
  }
  return (given.t + answered) / 2
}
