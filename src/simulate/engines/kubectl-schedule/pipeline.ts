import { readCron } from '../../../core/cron.ts'
import { zoneOffsets } from '../../../core/zone-offsets.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import { ticksOf } from '../../../cluster/controllers/cronjob-schedule.ts'
import type { Instant } from '../../../cluster/time.ts'
import { nextStart, triggerOf, type Starts } from './starts.ts'

/** When a pipeline runs, from the settings of a scenario. */
export interface PipelineTimes {
  readonly from: Instant
  readonly everySeconds?: number | undefined
  /** As a crontab has it: `0 2 * * *`. */
  readonly schedule?: string | undefined
  readonly timeZone?: string | undefined
}

/** Revisions by the instant of their commit; an empty one: a person ran the pipeline. */
export type Asked = ReadonlyMap<Instant, string>

/**
 * In a period, by a schedule, or with neither at each commit; and whenever a person runs it.
 * Undefined for a schedule that nobody can read.
 */
export function pipelineStarts(times: PipelineTimes, asked: Asked): Starts | undefined {
  const { from, everySeconds, schedule } = times
  if (everySeconds === undefined && schedule === undefined) return asAsked(asked, () => true)
  const regular =
    everySeconds === undefined ? bySchedule(times) : { from, everyMs: everySeconds * 1000 }
  if (regular === undefined) return undefined
  const manual = asAsked(asked, (revision) => revision === '')
  return {
    next: (instant) => {
      const first = [nextStart(regular, instant), nextStart(manual, instant)]
      const there = first.filter((at) => at !== undefined)
      return there.length === 0 ? undefined : Math.min(...there)
    },
    trigger: (at) => triggerOf(asked.get(at) === '' ? manual : regular, at),
  }
}

function bySchedule({ from, schedule = '', timeZone = 'UTC' }: PipelineTimes): Starts | undefined {
  const reading = readCron(schedule)
  const zone = zoneOffsets(timeZone)
  if (reading.schedule === undefined || zone === undefined) return undefined
  const ticks = ticksOf(reading.schedule, zone)
  return {
    next: (instant) => {
      const at = ticks.next(Math.max(instant, from) - 1)
      return at < from ? undefined : at
    },
    trigger: () => ({ kind: 'interval', words: `its schedule ${schedule} came` }),
  }
}

function asAsked(asked: Asked, counts: (revision: string) => boolean): Starts {
  return {
    next: (from) => [...asked].find(([at, revision]) => at >= from && counts(revision))?.[0],
    trigger: (at): Trigger => {
      const last = [...asked].findLast(([instant]) => instant <= at)?.[1] ?? ''
      return last === ''
        ? { kind: 'request', words: 'a person ran it' }
        : { kind: 'revision', words: `commit ${last} came` }
    },
  }
}
