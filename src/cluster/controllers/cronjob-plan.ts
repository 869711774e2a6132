import { readCron } from '../../core/cron.ts'
import { booleanAt, integerAt, stringAt } from '../../core/json.ts'
import { UTC_OFFSETS, zoneOffsets, type ZoneOffsets } from '../../core/zone-offsets.ts'
import type { KubeObject } from '../object.ts'
import { instantOf } from '../time.ts'
import type { Since } from './cronjob-missed.ts'
import { ticksOf, type Ticks } from './cronjob-schedule.ts'

/** A schedule in its zone, or why there is none; made once and shared, for it never changes. */
export type Plan =
  | { readonly ticks: Ticks; readonly zone: ZoneOffsets; readonly hasZoneInside: boolean }
  | { readonly ticks?: undefined; readonly fault: string; readonly isZone: boolean }

/** What was made before, by schedule and zone. */
export interface Plans {
  readonly plans: Map<string, Plan>
  readonly zones: Map<string, ZoneOffsets | undefined>
}

export function noPlans(): Plans {
  return { plans: new Map(), zones: new Map() }
}

export function planOf(known: Plans, cron: KubeObject): Plan {
  const schedule = scheduleOf(cron)
  const zone = timeZoneOf(cron) ?? ''
  const key = `${zone} ${schedule}`
  const found = known.plans.get(key)
  if (found !== undefined) return found
  const plan = makePlan(known, schedule, zone)
  known.plans.set(key, plan)
  return plan
}

/** `TZ=` in the schedule is refused by the API server today; older ones have stored it. */
function makePlan(known: Plans, schedule: string, zone: string): Plan {
  const [, inside, rest] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/s.exec(schedule) ?? []
  const name = inside ?? zone
  const offsets = name === '' ? UTC_OFFSETS : zoneNamed(known, name)
  if (offsets === undefined) return { fault: `unknown time zone ${name}`, isZone: true }
  const read = readCron(rest ?? schedule)
  if (read.schedule === undefined) return { fault: read.fault.what, isZone: false }
  const hasZoneInside = schedule.includes('TZ')
  return { ticks: ticksOf(read.schedule, offsets), zone: offsets, hasZoneInside }
}

function zoneNamed({ zones }: Plans, name: string): ZoneOffsets | undefined {
  if (!zones.has(name)) zones.set(name, zoneOffsets(name))
  return zones.get(name)
}

export function scheduleOf(cron: KubeObject): string {
  return stringAt(cron, ['spec', 'schedule']) ?? ''
}

export function timeZoneOf(cron: KubeObject): string | undefined {
  return stringAt(cron, ['spec', 'timeZone'])
}

export function isSuspended(cron: KubeObject): boolean {
  return booleanAt(cron, ['spec', 'suspend']) === true
}

/** The last tick that was started counts, else the creation (K-30). */
export function sinceOf(cron: KubeObject, lastTick?: string): Since {
  const last = lastTick ?? stringAt(cron, ['status', 'lastScheduleTime'])
  return { earliest: instantOf(last ?? cron.metadata.creationTimestamp) }
}

export function withDeadline(since: Since, cron: KubeObject): Since {
  return { ...since, deadlineSeconds: integerAt(cron, ['spec', 'startingDeadlineSeconds']) }
}
