import { readCron } from '../../core/cron.ts'
import type { Happening, Lane } from '../history/history.ts'
import { ticksWithin } from './cron-words.ts'
import { objectOf, type LookUp } from './look-up.ts'
import { many, spanWords } from './spans.ts'

/** Why a Job has no run: the nearest cause that the history shows. For the end of `never runs: …`. */
export function neverWords(lane: Lane, seen: LookUp): string {
  const own = seen.ofObject(objectOf(lane))
  const held = lane.held ?? lane.lives.findLast((life) => life.held !== undefined)?.held
  if (held !== undefined) return `it ${held}`
  const refused = last(own, 'refused')
  if (refused !== undefined) return `${refused.words}${more(own, 'refused')}`
  const waiting = lane.lives.at(-1)
  if (waiting !== undefined) {
    const pods = seen.ofObject(`Job ${waiting.namespace}/${waiting.name}`)
    const stopped = last(pods, 'refused') ?? last(pods, 'failed')
    if (stopped !== undefined) return stopped.words
    return 'its Job exists and no pod of it was ever created'
  }
  if (lane.kind === 'CronJob') return cronWords(lane, seen)
  const failed = last(own, 'failed')
  if (failed !== undefined) return failed.words
  if (lane.appliedBy === undefined) return 'nothing that is played applies it'
  return carrierWords(lane.appliedBy, seen.ofCarrier(lane))
}

function cronWords(lane: Lane, { history }: LookUp): string {
  const { schedule, timeZone } = lane
  if (schedule === undefined) return 'no tick of it was played'
  if (readCron(schedule).schedule === undefined) return `its schedule ${schedule} cannot be read`
  const given = { schedule, ...(timeZone === undefined ? {} : { timeZone }) }
  const ticks = ticksWithin(given, { from: history.start, until: history.end })
  if (ticks === undefined) return 'no tick of it was played'
  if (ticks.length === 0) {
    return `no tick of \`${schedule}\` falls into these ${spanWords(history.end - history.start)}`
  }
  return `${many(ticks.length, 'tick')} of \`${schedule}\` passed and none started a Job`
}

/** Nothing was ever said of the Job itself: what its carrier did instead. */
function carrierWords(appliedBy: string, rounds: readonly Happening[]): string {
  const stopped = rounds.findLast(({ kind }) => kind === 'refused' || kind === 'failed')
  if (stopped !== undefined) return `${appliedBy} does not get that far: ${stopped.words}`
  const worked = rounds.filter(({ kind }) => kind === 'round' || kind === 'sync').length
  if (worked === 0) return `${appliedBy} did nothing in this time`
  return `${appliedBy} worked ${worked === 1 ? 'once' : `${worked} times`} and never created it`
}

function last(happenings: readonly Happening[], kind: Happening['kind']): Happening | undefined {
  return happenings.findLast((happening) => happening.kind === kind)
}

function more(happenings: readonly Happening[], kind: Happening['kind']): string {
  const count = happenings.filter((happening) => happening.kind === kind).length
  return count <= 1 ? '' : ` (${count} times)`
}
