import { stringAt } from '../../core/json.ts'
import { instantsOf, type Instants } from './compare.ts'
import type { ObservedJob, Trace } from './format.ts'

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

/** A script answers what it sees within this many seconds; later acts go by the clock. */
const REACTION_SECONDS = 0.02

/**
 * When an event is due in the model, in seconds of the trace, given the model's Jobs so far. An
 * event that followed an instant of a Job closely was a reaction to it, so it keeps its distance
 * from that instant; Infinity while the model has not come to it.
 */
export function dueSeconds(trace: Trace, event: number, model: readonly ObservedJob[]): number {
  const t = requestTime(trace, event)
  if (stringAt(trace.events[event], ['how'])?.startsWith('kubectl') === true) return t
  const isApply = trace.events[event]?.do === 'apply'
  let seen: Instants | undefined
  for (const instant of instantsOf(trace.observed.jobs, model)) {
    // At the same hundredth, a creation may be the event's own effect, and so may all else of others.
    const isBefore =
      isApply && instant.what !== 'created' ? instant.recorded <= t : instant.recorded < t
    if (!isBefore || instant.recorded < t - REACTION_SECONDS) continue
    if (seen === undefined || instant.recorded > seen.recorded) seen = instant
  }
  if (seen === undefined) return t
  return seen.model === null ? Infinity : seen.model + t - seen.recorded
}
