import type { Instant } from '../../cluster/time.ts'
import {
  runsOf,
  type Happening,
  type History,
  type JobLife,
  type Lane,
  type Step,
} from '../../simulate/history/history.ts'
import type { Distribution } from '../../simulate/tell/distribution.ts'
import { applierOf, lookUp, type LookUp } from '../../simulate/tell/look-up.ts'
import { outcomeCounts } from '../../simulate/tell/outcomes.ts'
import { patternOf } from '../../simulate/tell/pattern.ts'
import { whyCell } from '../../simulate/tell/rows.ts'
import { sentenceOf } from '../../simulate/tell/sentence.ts'
import { isoTime } from '../../simulate/tell/spans.ts'

/** The shapes are described in docs/reference/output.md and schema/simulation.schema.json. */
const HISTORY_FORMAT = 'semel.dev/simulation/v1'
const DISTRIBUTION_FORMAT = 'semel.dev/simulation-distribution/v1'

export interface JsonOptions {
  readonly version: string
  /** The variant, where several were played. */
  readonly title?: string
}

export function historyJson(history: History, options: JsonOptions): string {
  return `${JSON.stringify(historyObject(history, options), null, 2)}\n`
}

/** Plain data in the order in which it is to be read; JSON leaves out what is undefined. */
export function historyObject(history: History, { version, title }: JsonOptions): object {
  const { start, end, timing, lanes, happenings, warnings } = history
  const seen = lookUp(history)
  return {
    format: HISTORY_FORMAT,
    tool: { name: 'semel', version },
    title,
    start: isoTime(start),
    end: isoTime(end),
    spanSeconds: (end - start) / 1000,
    timing,
    jobs: lanes.map((lane) => jobOf(lane, seen)),
    happenings: happenings.map((happening) => happeningOf(happening, start)),
    warnings: warnings.map(({ id, lanes: jobs, what, why, remedy }) => ({
      id,
      jobs,
      what,
      why,
      remedy,
    })),
  }
}

function jobOf(lane: Lane, seen: LookUp): object {
  const { history } = seen
  const { name, kind, contract, ttlSeconds, schedule, timeZone, lives } = lane
  const runs = runsOf(lane, history)
  const numbers = new Map<JobLife, number>(runs.map((run, at) => [run, at + 1]))
  const pattern = patternOf(lane, seen)
  const isSteady = pattern.kind === 'period' && pattern.isSteady
  return {
    name,
    kind,
    appliedBy: applierOf(lane),
    contract,
    ttlSeconds,
    schedule,
    timeZone,
    sentence: sentenceOf(lane, history, seen),
    why: whyCell(lane, runs, seen),
    runs: runs.length,
    outcomes: outcomeCounts(runs),
    periodSeconds: isSteady ? pattern.median / 1000 : undefined,
    held: lane.held,
    unknown: lane.unknown,
    lives: lives.map((life) => lifeOf(life, numbers.get(life), history.start)),
  }
}

function lifeOf(life: JobLife, run: number | undefined, start: Instant): object {
  const { uid, namespace, name, cronJob, image, cause, outcome, pods, held } = life
  return {
    run,
    uid,
    namespace,
    name,
    cronJob,
    image,
    cause,
    outcome,
    pods,
    held,
    createdAt: isoTime(life.createdAt),
    createdSeconds: secondsOf(life.createdAt, start),
    startedAt: timeOf(life.startedAt),
    startedSeconds: secondsOf(life.startedAt, start),
    endedAt: timeOf(life.endedAt),
    endedSeconds: secondsOf(life.endedAt, start),
    deletedAt: timeOf(life.deletedAt),
    deletedSeconds: secondsOf(life.deletedAt, start),
    created: life.created.map((step) => stepOf(step, start)),
    deleted: life.deleted?.map((step) => stepOf(step, start)),
  }
}

function timeOf(at: Instant | undefined): string | undefined {
  return at === undefined ? undefined : isoTime(at)
}

function secondsOf(at: Instant | undefined, start: Instant): number | undefined {
  return at === undefined ? undefined : (at - start) / 1000
}

function stepOf(step: Step, start: Instant): object {
  const { at, role, actor, words, trigger, rule, page, unconfirmed } = step
  return {
    at: isoTime(at),
    seconds: (at - start) / 1000,
    role,
    actor,
    words,
    trigger,
    rule,
    page,
    unconfirmed,
  }
}

function happeningOf(happening: Happening, start: Instant): object {
  const { at, until, row, kind, words, object, rule, page } = happening
  return {
    at: isoTime(at),
    seconds: (at - start) / 1000,
    ...(until === undefined ? {} : { until: isoTime(until), untilSeconds: (until - start) / 1000 }),
    row,
    kind,
    words,
    object,
    rule,
    page,
  }
}

export function distributionJson(
  { plays, seeds, start, end, lanes }: Distribution,
  { version }: Pick<JsonOptions, 'version'>,
): string {
  const body = {
    format: DISTRIBUTION_FORMAT,
    tool: { name: 'semel', version },
    plays,
    seeds,
    start: isoTime(start),
    end: isoTime(end),
    spanSeconds: (end - start) / 1000,
    jobs: lanes.map(({ name, kind, appliedBy, ran, runs, first, failed, overlapped, counts }) => ({
      name,
      kind,
      appliedBy,
      ran,
      runs,
      ...(first === undefined
        ? {}
        : {
            firstSeconds: {
              min: first.min / 1000,
              median: first.median / 1000,
              max: first.max / 1000,
            },
          }),
      failed,
      overlapped,
      counts,
    })),
  }
  return `${JSON.stringify(body, null, 2)}\n`
}
