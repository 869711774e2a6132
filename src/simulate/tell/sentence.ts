import type { Instant } from '../../cluster/time.ts'
import { runsOf, type History, type Lane, type Run } from '../history/history.ts'
import { cronSentence } from './cron-sentence.ts'
import { lookUp, type LookUp } from './look-up.ts'
import { neverWords } from './never.ts'
import { outcomeWords } from './outcomes.ts'
import { patternOf, type Occasion, type Pattern } from './pattern.ts'
import { absenceOf, absenceWords, groundOf, reasonOf, ttlOf } from './reason.ts'
import { refusedWords } from './refused.ts'
import { many, spanWords } from './spans.ts'
import { whoIs } from './who.ts'

/**
 * What a person wants to know of a Job, in one sentence without its full stop: `runs now, then
 * every 25 h: 7 runs in 7 days, because the TTL deletes it after 24 h and Flux restores it at the
 * next interval`. For many lanes make the look-up once.
 */
export function sentenceOf(lane: Lane, history: History, seen: LookUp = lookUp(history)): string {
  if (lane.unknown !== undefined) return `how often it runs cannot be told: ${lane.unknown}`
  const runs = runsOf(lane, history)
  const span = spanWords(history.end - history.start)
  if (runs.length === 0) return `never runs in ${span}: ${neverWords(lane, seen)}`
  if (isUnbounded(lane, seen)) return unboundedSentence(lane, runs)
  if (lane.kind === 'CronJob') return `${cronSentence(lane, seen)}${refusedWords(lane, seen)}`
  const pattern = patternOf(lane, seen)
  if (pattern.kind === 'once') {
    return `${onceSentence(lane, runs, history)}${refusedWords(lane, seen)}`
  }
  const counted = `${many(runs.length, 'run')} in ${span}${outcomeWords(runs)}`
  const why = reasonOf(repeatsOf(runs, pattern), lane)
  const firstMs = (runs[0]?.startedAt ?? history.start) - history.start
  const rhythm = rhythmWords(pattern, { count: runs.length, firstMs, start: history.start })
  return `${rhythm}: ${counted}, because ${why}${refusedWords(lane, seen)}`
}

/** Sentences of many lanes, at the price of one look-up for each history. */
export function sentenceTeller(): (lane: Lane, history: History) => string {
  let seen: LookUp | undefined
  return (lane, history) => {
    if (seen?.history !== history) seen = lookUp(history)
    return sentenceOf(lane, history, seen)
  }
}

/** The first run is no repeat, unless it came for the same kind of reason. */
export function repeatsOf(runs: readonly Run[], pattern: Pattern): readonly Run[] {
  const later = runs.filter(({ cause }) => cause !== 'first')
  return pattern.kind === 'occasions' && later.length > 0 ? later : runs.slice(1)
}

/** `runs now, then every 25 h`. */
export function rhythmWords(
  pattern: Pattern,
  {
    count,
    firstMs,
    start,
  }: { readonly count: number; readonly firstMs: number; readonly start: Instant },
): string {
  const first = firstWords(firstMs)
  switch (pattern.kind) {
    case 'never':
    case 'once':
      return `runs once, ${first}`
    case 'occasions': {
      const { occasion, ran, of } = pattern
      return ran === of
        ? `runs at every ${OCCASION_NAMES[occasion]}`
        : `runs at ${ran} of ${of} ${OCCASIONS_NAMES[occasion]}`
    }
    case 'irregular':
      return `runs ${first}, then ${many(count - 1, 'time')} more, ${apart(pattern)}`
    case 'period':
    default: {
      if (count === 2) return `runs ${first} and again after ${spanWords(pattern.median)}`
      const then = [first, ...earlierWords(pattern.before, start)].join(', ')
      const stopped =
        pattern.until === undefined ? '' : ` until ${spanWords(pattern.until - start)} have passed`
      return `runs ${then}, then ${everyWords(pattern)}${stopped}`
    }
  }
}

const OCCASIONS_NAMES: Readonly<Record<Occasion, string>> = {
  commit: 'commits',
  request: 'requests of a person',
  sync: 'syncs',
}

export const OCCASION_NAMES: Readonly<Record<Occasion, string>> = {
  commit: 'commit',
  request: 'request of a person',
  sync: 'sync',
}

export function everyWords(pattern: Extract<Pattern, { kind: 'period' }>): string {
  const { isSteady, median, min, max } = pattern
  if (isSteady) return `every ${spanWords(median)}`
  const range = `${spanWords(min)} to ${spanWords(max)}`
  return `about every ${spanWords(median)} (${range})`
}

function apart({ min, max }: Extract<Pattern, { kind: 'irregular' }>): string {
  const longest = spanWords(max)
  const shortest = spanWords(min)
  return longest === shortest ? `${longest} apart` : `${shortest} to ${longest} apart`
}

function earlierWords(before: readonly Instant[], start: Instant): readonly string[] {
  const [, ...earlier] = before
  if (earlier.length <= MOST_EARLIER) return earlier.map((at) => `after ${spanWords(at - start)}`)
  const last = earlier.at(-1) ?? start
  return [`${many(earlier.length, 'time')} more until ${spanWords(last - start)} have passed`]
}

const MOST_EARLIER = 2

export function firstWords(milliseconds: number): string {
  return milliseconds < NOW_MS ? 'now' : `after ${spanWords(milliseconds)}`
}

/** Controllers take so long to start a Job that is there from the beginning. */
const NOW_MS = 10_000

function onceSentence(lane: Lane, runs: readonly Run[], { start, end }: History): string {
  const [run] = runs
  if (run === undefined) return ''
  const first = `runs once, ${firstWords(run.startedAt - start)}`
  const rest = restWords(run, lane)
  switch (run.outcome) {
    case 'running':
    case 'waiting':
      return `${first}, and has not ended ${spanWords(end - run.startedAt)} later`
    case 'gone':
      return `${first}, and is deleted before it ends: ${rest}`
    case 'failed':
      return `${first}, and fails: ${rest}`
    case 'complete':
    default:
      return `${first}: ${rest}`
  }
}

/** Why there is no second run. */
export function restWords(run: Run, lane: Lane): string {
  const { cause, actor } = groundOf(run, lane)
  const who = whoIs(actor)
  if (cause === 'manual') return 'a person starts it, and nobody does so again'
  if (cause === 'hook') return `it is a hook, and there is one ${who.occasion} in this time`
  if (run.deleted === undefined || run.deletedAt === undefined) {
    const ttlSeconds = ttlOf(lane)
    const kept =
      ttlSeconds === undefined
        ? 'its Job has no TTL and stays'
        : `its Job stays for the rest of this time (TTL ${spanWords(ttlSeconds * 1000)})`
    return run.outcome === 'failed' ? `${kept}, and nothing tries it again` : kept
  }
  const absence = absenceOf(run.deleted)
  if (absence === 'pruned') return 'it is no longer declared, and its Job is pruned'
  return `${absenceWords(absence, lane)} and nothing creates it again`
}

export function isUnbounded(lane: Lane, seen: LookUp): boolean {
  return seen.warningsOf(lane).some(({ id }) => id === 'runs-without-bound')
}

function unboundedSentence(lane: Lane, runs: readonly Run[]): string {
  const [first] = runs
  const last = runs.at(-1)
  const span = spanWords((last?.startedAt ?? 0) - (first?.startedAt ?? 0))
  const reason = reasonOf(runs.slice(1), lane)
  return `runs without bound: ${many(runs.length, 'run')} in ${span}, because ${reason}`
}
