import { invariant } from '../../core/faults.ts'
import type { Instant } from '../../cluster/time.ts'
import type { History, JobLife, Lane, Run, Step } from '../history/history.ts'
import { lookUp } from './look-up.ts'
import { neverWords } from './never.ts'
import { groundOf, groundWords, livesBefore } from './reason.ts'
import { offsetText, spanWords } from './spans.ts'
import { targetOf } from './target.ts'

/** The answer to `--why JOB@TIME`. */
export type Why = { readonly kind: 'never'; readonly lane: Lane; readonly words: string } | WhyRun

export interface WhyRun {
  readonly kind: 'run'
  readonly lane: Lane
  readonly run: Run
  /** From 1. */
  readonly nth: number
  readonly of: number
  /** Set when no run was going at the time that was asked for. */
  readonly inexact?: string
  /** Other runs that were going at that time, by their number. */
  readonly beside: readonly number[]
  readonly inShort: string
  /** In the order of time: how the Job before it went away, the trigger, the state, the creation. */
  readonly chain: readonly Step[]
  /** How it was deleted. */
  readonly after: readonly Step[]
}

export function whyOf(history: History, target: string): Why {
  const { lane, runs, moment } = targetOf(history, target)
  if (runs.length === 0) {
    const seen = lookUp(history)
    return { kind: 'never', lane, words: lane.unknown ?? neverWords(lane, seen) }
  }
  const chosen =
    moment.kind === 'run' ? { at: moment.nth - 1, beside: [] } : chosenAt(runs, moment.at, history)
  const run = runs[chosen.at]
  invariant(run !== undefined, 'a run was chosen that is not there')
  return {
    kind: 'run',
    lane,
    run,
    nth: chosen.at + 1,
    of: runs.length,
    ...('inexact' in chosen ? { inexact: chosen.inexact } : {}),
    beside: chosen.beside.map((at) => at + 1),
    inShort: groundWords(groundOf(run, lane), lane),
    chain: chainOf(run, lane),
    after: run.deleted ?? [],
  }
}

interface Chosen {
  readonly at: number
  readonly beside: readonly number[]
  readonly inexact?: string
}

/** The run that was going at `at`, of several the latest; else the nearest, and that it is so. */
function chosenAt(runs: readonly Run[], at: Instant, { start, end }: History): Chosen {
  const going = [...runs.keys()].filter((index) => {
    const run = runs[index]
    return run !== undefined && run.startedAt <= at && at < endOf(run, end)
  })
  const last = going.at(-1)
  if (last !== undefined) return { at: last, beside: going.slice(0, -1) }
  let nearest = 0
  let least = Infinity
  for (const [index, run] of runs.entries()) {
    const distance = run.startedAt > at ? run.startedAt - at : at - endOf(run, end)
    if (distance < least) [nearest, least] = [index, distance]
  }
  const run = runs[nearest]
  const side = run !== undefined && run.startedAt > at ? 'began' : 'ended'
  const distance = spanWords(least)
  const inexact =
    least === 0
      ? `no run was going at ${offsetText(at - start)}; this one ended at that instant`
      : `no run was going at ${offsetText(at - start)}; this one ${side} ${distance} ` +
        (side === 'began' ? 'later' : 'before')
  return { at: nearest, beside: [], inexact }
}

function endOf({ endedAt, deletedAt }: JobLife, end: Instant): Instant {
  return endedAt ?? deletedAt ?? end
}

/** A chain as a person reads it: what happened first stands first. */
function chainOf(life: JobLife, lane: Lane): readonly Step[] {
  const before = livesBefore(lane).get(life)?.deleted ?? []
  const isEarlier = (step: Step): boolean =>
    before.some(
      ({ at, words, role }) => at === step.at && words === step.words && role === step.role,
    )
  const earlier = life.created.filter(isEarlier)
  const own = life.created.filter((step) => !isEarlier(step))
  const rank = ({ role }: Step): number => ['trigger', 'state', 'effect'].indexOf(role)
  const inOrder = (steps: readonly Step[]): readonly Step[] =>
    steps.toSorted((one, other) => one.at - other.at || rank(one) - rank(other))
  return [...inOrder(earlier), ...inOrder(own)].toSorted((one, other) => one.at - other.at)
}
