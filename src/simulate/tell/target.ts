import { Fault } from '../../core/faults.ts'
import { didYouMean } from '../../core/nearest.ts'
import type { Instant } from '../../cluster/time.ts'
import { runsOf, type History, type JobLife, type Lane, type Run } from '../history/history.ts'
import { isoTime, listed, many, offsetOf, offsetText } from './spans.ts'

/** What `JOB@TIME` names. */
export interface Target {
  readonly lane: Lane
  /** Those of the lane that JOB means: all of them, unless it names one Job object. */
  readonly runs: readonly Run[]
  readonly lives: readonly JobLife[]
  readonly moment: Moment
}

export type Moment =
  | { readonly kind: 'at'; readonly at: Instant }
  /** From 1. */
  | { readonly kind: 'run'; readonly nth: number }

/**
 * Reads `JOB@TIME`. JOB is `shop/migrate`, `migrate`, or the name of one Job object of a lane. TIME
 * is a span from the start (`25h`, `1d1h`), an RFC 3339 time, `first`, `last` or `#3`; without it
 * the last run is meant, or the last instant where there is none. Throws a Fault for what is not
 * there or is not one.
 */
export function targetOf(history: History, text: string): Target {
  const split = text.lastIndexOf('@')
  const job = split < 0 ? text : text.slice(0, split)
  const time = split < 0 ? 'last' : text.slice(split + 1)
  const found = findLane(history, job)
  const meant = new Set(found.lives)
  const runs = runsOf(found.lane, history).filter((run) => meant.has(run))
  return { ...found, runs, moment: momentOf(history, { text: time, runs, lane: found.lane }) }
}

function findLane(
  history: History,
  job: string,
): { readonly lane: Lane; readonly lives: readonly JobLife[] } {
  for (const matches of [exact, byOwnName]) {
    const found = history.lanes.filter((lane) => matches(lane.name, job))
    const [lane] = found
    if (lane !== undefined) {
      if (found.length > 1) throw ambiguous(job, found)
      return { lane, lives: lane.lives }
    }
  }
  const found = history.lanes.flatMap((lane) => {
    const lives = lane.lives.filter(
      ({ namespace, name }) => name === job || `${namespace}/${name}` === job,
    )
    return lives.length === 0 ? [] : [{ lane, lives }]
  })
  const [one] = found
  if (one === undefined) throw notThere(job, history)
  if (found.length > 1)
    throw ambiguous(
      job,
      found.map(({ lane }) => lane),
    )
  return one
}

function exact(lane: string, job: string): boolean {
  return lane === job
}

function byOwnName(lane: string, job: string): boolean {
  return lane.slice(lane.indexOf('/') + 1) === job
}

function momentOf(
  history: History,
  given: { readonly text: string; readonly runs: readonly Run[]; readonly lane: Lane },
): Moment {
  const { text, runs, lane } = given
  const { start, end } = history
  if (text === 'first' || text === 'last') {
    if (runs.length === 0) return { kind: 'at', at: text === 'first' ? start : end - 1 }
    return { kind: 'run', nth: text === 'first' ? 1 : runs.length }
  }
  const nth = /^#(\d{1,9})$/.exec(text)?.[1]
  if (nth !== undefined) {
    const number = Number(nth)
    if (number >= 1 && number <= runs.length) return { kind: 'run', nth: number }
    throw new Fault('USAGE', {
      what: `${lane.name} has no run #${number}`,
      why: runs.length === 0 ? 'it never ran' : `it has ${many(runs.length, 'run')}, from #1 on`,
      remedy:
        runs.length === 0
          ? `ask \`--why-not ${lane.name}@${offsetText(0)}\``
          : `write ${lane.name}@#${runs.length}, or @last`,
    })
  }
  const at = instantOf(text, start)
  if (at === undefined) {
    throw new Fault('USAGE', {
      what: `${text === '' ? 'nothing' : text} behind @ is no time`,
      why: 'a time is a span from the start, an RFC 3339 time with its zone, first, last or #N',
      remedy: `write ${lane.name}@25h, ${lane.name}@${isoTime(start)}, or ${lane.name}@last`,
    })
  }
  if (at < start || at >= end) {
    throw new Fault('USAGE', {
      what: `${text} lies outside of what was played`,
      why: `it began at ${isoTime(start)} and ended before ${offsetText(end - start)}, ${isoTime(end)}`,
      remedy: 'ask for a time in between, or play longer with --for',
    })
  }
  return { kind: 'at', at }
}

function instantOf(text: string, start: Instant): Instant | undefined {
  const offset = offsetOf(text)
  if (offset !== undefined) return start + offset
  if (!RFC_3339.test(text)) return undefined
  const at = Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(at) ? undefined : at
}

/** Without seconds too, since people leave them out; never without the zone. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:\d\d)$/i

function ambiguous(job: string, lanes: readonly Lane[]): Fault {
  const names = lanes.map(({ name }) => name)
  return new Fault('USAGE', {
    what: `${job} is the name of ${many(lanes.length, 'Job')}`,
    why: `${listed(names)} have it`,
    remedy: `write the namespace too: ${names[0] ?? ''}`,
  })
}

function notThere(job: string, { lanes }: History): Fault {
  const names = lanes.slice(0, MOST_NAMES).map(({ name }) => name)
  const left = lanes.length - names.length
  const all = left > 0 ? [...names, `${left} more`] : names
  return new Fault('USAGE', {
    what: `there is no Job ${job} in what was played${didYouMean(
      job,
      lanes.map(({ name }) => name),
    )}`,
    why: names.length === 0 ? 'nothing declares a Job' : `there is ${listed(all)}`,
    remedy:
      names.length === 0
        ? 'name a folder that holds Jobs, and the object of the engine that applies them'
        : 'write one of these as NAMESPACE/NAME@TIME',
  })
}

const MOST_NAMES = 8
