import {
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import { readRetry } from '../../engines/argocd/application.ts'
import type { Stale } from '../../engines/argocd/index.ts'
import type { ObservedJob, Trace } from '../format.ts'

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
        found.set(last.key, { names, absent: false, lasts: false })
      }
    }
    const stale = found.get(last.key)
    const message = stringAt(entry, ['op', 'message']) ?? ''
    if (!last.isRunning || stale === undefined) continue
    const isThere = message.includes('already exists')
    if (isThere || message.includes('" not found')) {
      found.set(last.key, { ...stale, absent: stale.absent || isThere, lasts: true })
    }
  }
  return (app, operation) => found.get(`${app} ${operation}`) ?? found.get(` ${operation}`)
}

/** When the comparisons of an app were, as far as the recording tells, in seconds. */
interface Compared {
  /** From and to: written down in whole seconds. */
  readonly spans: readonly (readonly [number, number])[]
  /** Instants at which one certainly was. */
  readonly certain: readonly number[]
}

/**
 * When the periodic comparisons of an app were (A-1a): with a jitter that is chance, so it is taken
 * from the recording. What follows an event or the end of an operation the model makes by itself.
 */
export function recordedComparisons(
  trace: Trace,
  zero: number,
): (app: string) => readonly number[] | undefined {
  return (app) => {
    const { spans, certain } = comparedOf(trace, app)
    if (spans.length === 0) return undefined
    const looks = entriesOf(trace, app).flatMap((entry) =>
      entry['deleting'] === true ? [Number(entry['t'])] : [],
    )
    const times = [...unasked(trace, app, spans).map(([from]) => from + 0.5), ...certain, ...looks]
    return times.map((t) => zero + t * 1000)
  }
}

/**
 * When the common tick of all apps was (A-1a): it began with the controller, before the recording.
 * The phase that agrees best with all comparisons; undefined without any that tells.
 */
export function recordedTick(trace: Trace, periodSeconds: number): number | undefined {
  const apps = Object.keys(objectAt(trace.engine.settings, ['applications']) ?? {})
  const steps = Array.from({ length: periodSeconds * 20 }, (_, at) => at / 20)
  const scored = steps.map((phase) => {
    const scores = apps.map((app) => scoreOf(trace, app, phase, periodSeconds))
    return { phase, score: scores.reduce((sum, one) => sum + one, 0) }
  })
  const best = Math.max(...scored.map(({ score }) => score))
  if (best <= 0) return undefined
  const good = scored.filter(({ score }) => score === best)
  return good[Math.floor(good.length / 2)]?.phase
}

function scoreOf(trace: Trace, app: string, phase: number, period: number): number {
  const { spans, certain } = comparedOf(trace, app)
  const isTick = (from: number, to: number): boolean =>
    Math.floor((to - phase) / period) > Math.floor((from - phase) / period)
  let score = 3 * certain.filter((t) => isTick(t - 0.12, t + 0.03)).length
  // A tick also gives a pass to a running operation or deletion, which shows in what it does.
  const hit = new Set<number>()
  for (const t of doneOf(trace, app)) {
    if (isTick(t - 0.12, t + 0.03)) hit.add(Math.floor((t + 0.03 - phase) / period))
  }
  score += 0.5 * hit.size
  score += unasked(trace, app, spans).filter(([from, to]) => isTick(from - 0.1, to)).length
  // A tick that found the last comparison old enough would have compared.
  spans.forEach(([from, to], at) => {
    const next = spans[at + 1]?.[0]
    if (next === undefined) return
    for (let t = phase; t < next - 0.1; t += period) {
      if (t > to + period + 0.1 && t > from) score -= 1
    }
  })
  return score
}

/** When the engine has let go or deleted a Job, and nothing before it tells why just then. */
function doneOf(trace: Trace, app: string): readonly number[] {
  const { jobs } = trace.observed
  const only = Object.keys(objectAt(trace.engine.settings, ['applications']) ?? {}).length === 1
  if (!only || entriesOf(trace, app).length === 0) return []
  const done = jobs.flatMap((job) => [
    ...(job.deletionRequested === null ? [] : [job.deletionRequested]),
    ...releasesOf(job),
  ])
  const isIn = (value: number, from: number, to: number): boolean => value > from && value < to
  return done.filter(
    (t) =>
      !jobs.some(
        ({ created, conditions }) =>
          isIn(t - created, -0.1, 0.1) ||
          isIn(t - created, 1.9, 2.2) ||
          conditions.some((condition) => isIn(t - condition.t, 4.95, 5.25)),
      ),
  )
}

/** When finalizers of a Job were changed. */
function releasesOf(job: ObservedJob): readonly number[] {
  return listAt(job as unknown as JsonObject, ['finalizers'])
    .slice(1)
    .map((entry) => (isObject(entry) ? Number(entry['t']) : 0))
}

/**
 * Whether the creation of a hook led to a pass 5 s later: a race of milliseconds between the event
 * and the end of the pass that made it.
 */
export function recordedNotices({ observed }: Trace): (name: string, nth: number) => boolean {
  return (name, nth) => {
    const job = observed.jobs.filter((one) => one.name === name)[nth - 1]
    if (job === undefined) return false
    const released = releasesOf(job)[0]
    return released !== undefined && released - job.created > 4.95 && released - job.created < 5.4
  }
}

function comparedOf(trace: Trace, app: string): Compared {
  const recorded = (trace.observed as unknown as JsonObject)['comparedAt']
  const list = isObject(recorded) ? recorded[app] : recorded
  const offset = secondsOffset(trace)
  const spans = (isList(list) ? list : []).map((value) => {
    const from = Number(value) + offset
    return [from, from + 1] as const
  })
  const entries = entriesOf(trace, app)
  const asked = askedOf(trace)
  // An automated sync that no event asked for began with a periodic comparison.
  const certain = entries.flatMap((entry, at) => {
    const operation = objectAt(entry, ['operation'])
    const isNew = operation !== undefined && entries[at - 1]?.['operation'] === undefined
    const t = Number(entry['t'])
    const isAsked = asked.some((reason) => t - reason > -0.1 && t - reason < 1.6)
    if (!isNew || isAsked || stringAt(operation, ['by']) !== 'automated') return []
    return listAt(operation, ['resources']).length > 0 ? [] : [t - 0.02]
  })
  return { spans, certain }
}

function entriesOf(trace: Trace, app: string): readonly JsonObject[] {
  return (trace.observed.engine ?? []).filter((entry) => (entry['app'] ?? app) === app)
}

function askedOf({ events }: Trace): readonly number[] {
  const words = new Set(['refresh', 'hardRefresh', 'apply', 'commit', 'patch'])
  return events.flatMap((event) => (words.has(event.do) ? [event.t] : []))
}

/** Without those that an event or the end of an operation explains. */
function unasked(
  trace: Trace,
  app: string,
  spans: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const entries = entriesOf(trace, app)
  const ends = entries.flatMap((entry, at) => {
    const isEnd = entries[at - 1]?.['operation'] !== undefined && entry['operation'] === undefined
    return isEnd ? [Number(entry['t'])] : []
  })
  const changes = trace.observed.jobs.flatMap((job) => [
    job.created,
    ...(job.deletionRequested === null ? [] : [job.deletionRequested]),
    ...job.conditions.map(({ t }) => t),
    ...releasesOf(job),
  ])
  const reasons = [...askedOf(trace), ...ends, ...changes]
  return spans.filter(
    ([from, to]) => from > 0 && !reasons.some((reason) => from < reason + 0.6 && reason < to),
  )
}

/**
 * Whole seconds of a clock were written down, counted from the start of the recording: between the
 * number and the instant lies a constant, less than a second, that all of them have in common.
 */
function secondsOffset(trace: Trace): number {
  let least = -Infinity
  let most = Infinity
  const seen = new Set<string>()
  for (const entry of trace.observed.engine ?? []) {
    for (const field of ['startedAt', 'finishedAt']) {
      const value = objectAt(entry, ['op'])?.[field]
      if (typeof value !== 'number') continue
      const key = `${stringAt(entry, ['app']) ?? ''} ${field} ${value}`
      if (seen.has(key)) continue
      seen.add(key)
      // Seen up to a tenth of a second after it was.
      least = Math.max(least, Number(entry['t']) - 0.1 - 1 - value)
      most = Math.min(most, Number(entry['t']) - value)
    }
  }
  return Number.isFinite(least) && Number.isFinite(most) ? (least + most) / 2 : 0.5
}

/**
 * The clock at the start of the recording, in milliseconds. The fraction of its second decides when
 * waits end that are counted in whole seconds; the rest is known where a retry was announced.
 */
export function recordedClock(trace: Trace): number {
  const offset = secondsOffset(trace)
  const fraction = ((-offset % 1) + 1) % 1
  for (const entry of trace.observed.engine ?? []) {
    const message = stringAt(entry, ['op', 'message']) ?? ''
    const [, attempt, at] = /Retrying attempt #(\d+) at ([0-9TZ:-]+)\./.exec(message) ?? []
    if (attempt === undefined || at === undefined) continue
    const wait = announcedSeconds(trace, Number(attempt))
    const near = Date.parse(at) / 1000 + 0.5 - wait - Number(entry['t'])
    return (Math.round(near - fraction) + fraction) * 1000
  }
  return Date.UTC(2026, 0, 1) + fraction * 1000
}

function announcedSeconds(trace: Trace, attempt: number): number {
  const apps = objectAt(trace.engine.settings, ['applications']) ?? {}
  const retry = objectAt(Object.values(apps)[0], ['spec', 'syncPolicy', 'retry'])
  const { durationSeconds, factor, maxSeconds } = readRetry(retry)
  return Math.min(durationSeconds * factor ** (attempt - 1), maxSeconds)
}

/** How long the engine needed from an event to the first thing that it showed, up to a second. */
export function recordedCompareMs(
  trace: Trace,
  zero: number,
): (app: string, now: number) => number | undefined {
  const asked = askedOf(trace)
  return (app, now) => {
    const t = asked.findLast((one) => zero + one * 1000 <= now + 1)
    if (t === undefined || now - zero - t * 1000 > 100) return undefined
    const shown = entriesOf(trace, app).find(
      (entry) => Number(entry['t']) > t + 0.02 && Object.keys(entry).length > 1,
    )
    const seconds = shown === undefined ? Infinity : Number(shown['t']) - t
    return seconds > 1 ? undefined : Math.max(10, seconds * 1000 - 20)
  }
}

/** Deletions of what was gone already: conditions of a deleted app that say `not found`. */
export function recordedLateDeletes(trace: Trace): readonly string[] {
  const said = (trace.observed.engine ?? []).flatMap((entry) =>
    listAt(entry, ['conditions']).flatMap((condition) => {
      const isDeletion = stringAt(condition, ['type']) === 'DeletionError'
      const message = stringAt(condition, ['message']) ?? ''
      return isDeletion ? (/"([^"]+)" not found$/.exec(message)?.[1] ?? []) : []
    }),
  )
  return [...new Set(said)]
}
