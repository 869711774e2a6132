import { readCron } from '../../../core/cron.ts'
import { zoneOffsets } from '../../../core/zone-offsets.ts'
import { ticksOf } from '../../../cluster/controllers/cronjob-schedule.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Starts } from './starts.ts'

/** When a pipeline runs, from the settings of a scenario. */
export interface PipelineTimes {
  readonly from: Instant
  readonly everySeconds?: number | undefined
  /** As a crontab has it: `0 2 * * *`. */
  readonly schedule?: string | undefined
  readonly timeZone?: string | undefined
}

export interface Commits {
  /** Instant -> revision, in order. */
  readonly known: Map<Instant, string>
}

/**
 * In a period, by a schedule, or with neither at each commit. Undefined for a schedule that nobody
 * can read.
 */
export function pipelineStarts(times: PipelineTimes, commits: Commits): Starts | undefined {
  const { from, everySeconds, schedule, timeZone = 'UTC' } = times
  if (everySeconds !== undefined) return { from, everyMs: everySeconds * 1000 }
  if (schedule === undefined) return atCommits(commits)
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

function atCommits({ known }: Commits): Starts {
  return {
    next: (from) => [...known.keys()].find((at) => at >= from),
    trigger: (at) => {
      const last = [...known].findLast(([instant]) => instant <= at)
      return { kind: 'revision', words: `commit ${last?.[1] ?? ''} came` }
    },
  }
}
