import { comesOn, minutesOfDay, shortestGapSeconds, type CronFields } from '../../core/cron.ts'
import { at, stringAt } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import {
  clockChanges,
  zoneFault,
  zoneNames,
  type ClockChange,
  type ZoneFault,
} from '../../core/time-zone.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { contractOf, label } from '../helpers.ts'
import { nearest } from '../nearest.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import {
  isSuspended,
  placeWithin,
  SCHEDULE,
  scheduleOf,
  TIME_ZONE,
  writtenSchedule,
} from '../schedules.ts'

/**
 * A zone that the API server refuses (also one inside the schedule); a tick in the hour that the
 * clocks leave out in spring and repeat in autumn; and, as an info, a time of the day without a
 * zone, which then means that of the controller.
 * Silent where rendering decides schedule or zone, for ticks that are spread evenly over the day,
 * for suspended CronJobs (but for what is refused), and for a tick that only comes twice when the
 * author says that a repeat converges.
 */
export const cronjobTimeZone: Rule = {
  id: 'cronjob-time-zone',
  severity: 'error',
  summary: 'The time zone of a CronJob is refused or missing, or its hour is skipped or doubled.',
  kinds: ['CronJob'],
  checkRepository,
}

/** Ticks that are closer together come again soon enough, whatever the clocks do. */
const FREQUENT_SECONDS = 3 * 3600

function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const changes = new Map<string, readonly ClockChange[]>()
  const changesOf = (zone: string): readonly ClockChange[] => {
    const known = changes.get(zone) ?? clockChanges(zone)
    changes.set(zone, known)
    return known
  }
  return subjects.flatMap((subject) =>
    subject.kind === 'CronJob' && subject.traits.applies
      ? check(subject, changesOf).map((finding) => ({ subject, ...finding }))
      : [],
  )
}

type ChangesOf = (zone: string) => readonly ClockChange[]

function check(subject: Subject, changesOf: ChangesOf): readonly RuleFinding[] {
  const text = writtenSchedule(subject)
  if (text?.includes('TZ') === true) return [zoneInSchedule(subject, text)]
  const zone = at(subject.object, TIME_ZONE) ?? undefined
  if (isTemplated(zone) || (zone !== undefined && typeof zone !== 'string')) return []
  const fault = zone === undefined ? undefined : zoneFault(zone)
  if (zone !== undefined && fault !== undefined) return [refused(subject, zone, fault)]
  const schedule = scheduleOf(subject)
  if (schedule?.kind !== 'fields' || isSuspended(subject)) return []
  if (zone === undefined) return withoutZone(subject, schedule)
  return movedClocks(subject, schedule, { zone, changes: changesOf(zone) })
}

function zoneInSchedule(subject: Subject, text: string): RuleFinding {
  const [prefix = '', zone] = /(?:CRON_)?TZ=(\S*)/.exec(text) ?? []
  const start = text.indexOf(prefix)
  const rest = text.replace(prefix, '').trim()
  return {
    at: SCHEDULE,
    place: placeWithin(subject, SCHEDULE, { start, end: start + prefix.length }),
    what: `${label(subject)} names its time zone inside the schedule, which Kubernetes refuses`,
    why: 'the API server answers 422: only the field timeZone may name a zone',
    remedy:
      zone === undefined || zone === ''
        ? 'name the zone in spec.timeZone'
        : `write schedule: "${rest}" and timeZone: ${zone}`,
  }
}

function refused(subject: Subject, zone: string, fault: ZoneFault): RuleFinding {
  const reasons: Readonly<Record<ZoneFault, string>> = {
    empty: 'an empty timeZone is refused (422); leave the field out for the zone of the controller',
    local: 'the API server asks for an explicit zone and answers 422',
    'no-name': 'this is no name of a zone, so the API server answers 422',
    'wrong-case': 'zones are told apart by case, so the API server does not know it: 422',
    'not-known': 'the API server knows the zones of the IANA list only, and answers 422 to others',
  }
  const proposal = proposalFor(zone)
  // The list of this machine may be older than that of the cluster.
  const unsure = fault === 'not-known' && proposal === undefined && /^[A-Z]\w+\//.test(zone)
  return {
    at: TIME_ZONE,
    what:
      `${label(subject)} asks for the time zone ${zone === '' ? '""' : zone}, which is unknown.` +
      (proposal === undefined ? '' : ` Did you mean ${proposal}?`),
    why: reasons[fault],
    remedy:
      proposal === undefined
        ? 'write a name of the IANA list, such as Europe/Berlin or Etc/UTC'
        : `write timeZone: ${proposal}`,
    ...(unsure ? { severity: 'warning' } : {}),
  }
}

/** A place of the same area first: whole names of one area are alike by their first half. */
function proposalFor(zone: string): string | undefined {
  const names = zoneNames()
  const area = `${zone.split('/')[0]?.toLowerCase() ?? ''}/`
  const places = new Map(
    names
      .filter((name) => name.toLowerCase().startsWith(area))
      .map((name) => [name.slice(area.length), name]),
  )
  if (places.size === 0) return nearest(zone, names)
  return places.get(nearest(zone.slice(area.length), places.keys()) ?? '')
}

function withoutZone(subject: Subject, schedule: CronFields): readonly RuleFinding[] {
  const { object } = subject
  const isOld = stringAt(object, ['apiVersion']) !== 'batch/v1'
  const minutes = minutesOfDay(schedule)
  const [first] = minutes
  if (isOld || subject.isOpen(['spec']) || first === undefined || isEven(minutes)) return []
  return [
    {
      at: SCHEDULE,
      what: `${label(subject)} does not say in which time zone ${clock(first)} is meant`,
      why:
        'without timeZone the clock of the kube-controller-manager counts: UTC on most clusters, ' +
        'but not on all, and nothing in the object shows it',
      remedy: 'set spec.timeZone, for example to Etc/UTC',
      severity: 'info',
    },
  ]
}

/** Every hour, or every six: in another zone they would come at much the same times. */
function isEven(minutes: readonly number[]): boolean {
  const [first = 0] = minutes
  const gaps = minutes.map((minute, index) => (minutes[index + 1] ?? first + DAY_MINUTES) - minute)
  return minutes.length > 1 && new Set(gaps).size === 1
}

const DAY_MINUTES = 1440

interface Moved {
  readonly zone: string
  readonly changes: readonly ClockChange[]
}

function movedClocks(
  subject: Subject,
  schedule: CronFields,
  { zone, changes }: Moved,
): readonly RuleFinding[] {
  const gap = shortestGapSeconds(schedule)
  if (gap === undefined || gap < FREQUENT_SECONDS) return []
  const hits = changes.flatMap((change) => hitBy(change, schedule))
  const converges = contractOf(subject) === 'converges'
  const leftOut = hits.findLast(({ change }) => change.kind === 'left-out')
  const twice = converges ? undefined : hits.findLast(({ change }) => change.kind === 'twice')
  const tick = twice ?? leftOut
  if (tick === undefined) return []
  return [
    {
      at: SCHEDULE,
      what: `${label(subject)} ${effect(leftOut, twice)} in ${zone}`,
      why: [...reason(twice, 'comes twice'), ...reason(leftOut, 'does not exist')].join('; '),
      remedy:
        `choose a time outside of ${clock(tick.change.fromMinute)} to ` +
        `${clock(tick.change.toMinute)}, or timeZone: Etc/UTC`,
      ...(twice === undefined ? { severity: 'info' } : { severity: 'warning' }),
    },
  ]
}

interface Hit {
  readonly change: ClockChange
  readonly minute: number
}

/**
 * Only for changes by whole hours: the few zones that move by another step do not follow this
 * pattern.
 */
function hitBy(change: ClockChange, schedule: CronFields): readonly Hit[] {
  const { fromMinute, toMinute } = change
  if (fromMinute % 60 !== 0 || toMinute % 60 !== 0 || !comesOn(schedule, change)) return []
  const minute = minutesOfDay(schedule).find((one) => one >= fromMinute && one < toMinute)
  return minute === undefined ? [] : [{ change, minute }]
}

function effect(leftOut: Hit | undefined, twice: Hit | undefined): string {
  const back = 'runs twice on the day when the clocks go back'
  if (twice === undefined) return 'does not run on the day when the clocks go forward'
  return leftOut === undefined ? back : `${back}, and not at all when they go forward,`
}

function reason(hit: Hit | undefined, what: string): readonly string[] {
  if (hit === undefined) return []
  const { year, month, dayOfMonth } = hit.change
  const day = [year, month, dayOfMonth].map((part) => String(part).padStart(2, '0')).join('-')
  return [`${clock(hit.minute)} ${what}, for example on ${day}`]
}

/** `03:05`. */
function clock(minute: number): string {
  const parts = [Math.floor(minute / 60), minute % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
