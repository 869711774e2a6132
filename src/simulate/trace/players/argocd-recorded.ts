import { isList, isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Stale } from '../../engines/argocd/index.ts'
import type { Trace } from '../format.ts'

/** A self-heal that began this soon after an operation answered nothing but an old cache. */
const STALE_SECONDS = 0.6

/**
 * Draws of chance as the recording shows them: after which operations a comparison read an
 * old cache, and which objects it missed.
 */
export function recordedStale(trace: Trace): (app: string, operation: number) => Stale | undefined {
  const found = new Map<string, Stale>()
  const ended = new Map<string, { count: number; t: number; isRunning: boolean; key: string }>()
  for (const entry of trace.observed.engine ?? []) {
    const app = stringAt(entry, ['app']) ?? ''
    const t = Number(entry['t'])
    const last = ended.get(app) ?? { count: 0, t: -Infinity, isRunning: false, key: '' }
    ended.set(app, last)
    const operation = objectAt(entry, ['operation'])
    if (operation === undefined && last.isRunning) {
      last.isRunning = false
      last.count += 1
      last.t = t
    } else if (operation !== undefined && !last.isRunning) {
      last.isRunning = true
      last.key = ''
      const names = listAt(operation, ['resources']).map(String)
      if (names.length > 0 && t - last.t <= STALE_SECONDS) {
        last.key = `${app} ${last.count}`
        found.set(last.key, { names, absent: false })
      }
    }
    const stale = found.get(last.key)
    const message = stringAt(entry, ['op', 'message']) ?? ''
    if (last.isRunning && stale !== undefined && message.includes('already exists')) {
      found.set(last.key, { ...stale, absent: true })
    }
  }
  return (app, operation) => found.get(`${app} ${operation}`) ?? found.get(` ${operation}`)
}

/**
 * When the periodic comparisons of an app were (A-1a): their phase and jitter are chance. Those
 * that follow an event or the end of an operation are left out, the model makes them by itself.
 */
export function recordedComparisons(
  trace: Trace,
  zero: number,
): (app: string) => readonly number[] | undefined {
  const recorded = (trace.observed as unknown as JsonObject)['comparedAt']
  const asked = trace.events.flatMap((event) =>
    ['refresh', 'hardRefresh', 'apply', 'commit', 'patch'].includes(event.do) ? [event.t] : [],
  )
  const ends = (trace.observed.engine ?? []).flatMap((entry, at, all) => {
    const before = all[at - 1]
    return before?.['operation'] !== undefined && entry['operation'] === undefined ? [Number(entry['t'])] : []
  })
  const reasons = [...asked, ...ends]
  return (app) => {
    const list = isObject(recorded) ? recorded[app] : recorded
    if (!isList(list)) return undefined
    // Whole seconds of the clock, counted from somewhere in the second of t = 0.
    return list
      .map((value) => Number(value) + 1)
      .filter((t) => t > 0 && !reasons.some((reason) => t - reason > -1.2 && t - reason < 1.6))
      .map((t) => zero + t * 1000)
  }
}
