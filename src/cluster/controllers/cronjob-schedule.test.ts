import { readFileSync } from 'node:fs'
import { Cron } from 'croner'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCron } from '../../core/cron.ts'
import { UTC_OFFSETS, zoneOffsets, type ZoneOffsets } from '../../core/zone-offsets.ts'
import { civilOf, dayOf, NEVER } from './cronjob-calendar.ts'
import { ticksOf, type Ticks } from './cronjob-schedule.ts'

const DAY_MS = 86_400_000

const zones = new Map<string, ZoneOffsets | undefined>()

/** Asked for once: the same tables serve all cases. */
function zoneOf(name: string): ZoneOffsets | undefined {
  if (!zones.has(name)) zones.set(name, zoneOffsets(name))
  return zones.get(name)
}

function ticks(schedule: string, zone = 'UTC'): Ticks {
  const read = readCron(schedule)
  const offsets = zoneOf(zone)
  if (read.schedule === undefined || offsets === undefined) throw new Error(`${schedule} ${zone}`)
  return ticksOf(read.schedule, offsets)
}

function next(schedule: string, from: string, zone?: string): string {
  const tick = ticks(schedule, zone).next(Date.parse(from))
  return tick === NEVER ? 'never' : new Date(tick).toISOString()
}

describe('the next tick', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00.000Z'],
    ['* * * * *', '2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z'],
    ['*/15 9-17 * * 1-5', '2026-05-01T17:46:00Z', '2026-05-04T09:00:00.000Z'],
    ['0 0 1 1 *', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 13 * 5', '2026-02-10T00:00:00Z', '2026-02-13T00:00:00.000Z'],
    ['@every 90s', '2026-01-01T00:00:10.700Z', '2026-01-01T00:01:40.000Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00.000Z'],
  ])('of %s after %s is %s', (schedule, from, expected) => {
    expect(next(schedule, from)).toBe(expected)
  })

  it('does not exist where no date fits, as 31 February', () => {
    expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBe('never')
  })

  it('does not exist where it is more than five years away, as 29 February around 2100', () => {
    expect(next('0 0 29 2 *', '2096-03-01T00:00:00Z')).toBe('never')
  })

  it('is not looked for in the time that the clocks leave out', () => {
    const from = '2026-03-28T12:00:00Z'
    expect(next('30 2 * * *', from, 'Europe/Berlin')).toBe('2026-03-30T00:30:00.000Z')
  })

  it('comes twice in the time that the clocks repeat', () => {
    const first = next('30 2 * * *', '2026-10-24T12:00:00Z', 'Europe/Berlin')
    expect(first).toBe('2026-10-25T00:30:00.000Z')
    expect(next('30 2 * * *', first, 'Europe/Berlin')).toBe('2026-10-25T01:30:00.000Z')
  })

  it('is the same as that of the parser in the controller, around changes of the clocks', () => {
    const path = new URL('../../../fixtures/cluster/robfig-cron.json', import.meta.url)
    const recorded = JSON.parse(readFileSync(path, 'utf8')) as Recorded
    const different: string[] = []
    for (const [zone, schedules] of Object.entries(recorded.zones)) {
      for (const [schedule, rows] of Object.entries(schedules)) {
        const asked = ticks(schedule, zone)
        for (const [from, ...expected] of rows) {
          let at = (from ?? 0) * 1000
          const found = expected.map(() => {
            at = asked.next(at)
            return at === NEVER ? null : at / 1000
          })
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            different.push(`${zone} ${schedule} ${from}: ${found.join()} not ${expected.join()}`)
          }
        }
      }
    }
    expect(different).toEqual([])
  })
})

interface Recorded {
  readonly zones: Record<string, Record<string, readonly (readonly (number | null)[])[]>>
}

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
]

const FIRST = Date.UTC(2024, 0, 1)
const LAST = Date.UTC(2034, 0, 1)

/** One field of a schedule, in the spellings on which all parsers agree. */
function field(min: number, max: number, withStep: boolean): fc.Arbitrary<string> {
  const value = fc.integer({ min, max })
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  const steps = fc.integer({ min: 2, max: Math.max(2, (max - min) >> 1) }).map((n) => `*/${n}`)
  const list = fc.uniqueArray(value, { minLength: 1, maxLength: 4 }).map((list) => list.join(','))
  const plain = [fc.constant('*'), list, range]
  return fc.oneof(...(withStep ? [...plain, steps] : plain))
}

const schedules = fc
  .tuple(
    field(0, 59, true),
    field(0, 23, true),
    field(1, 31, false),
    field(1, 12, true),
    field(0, 6, false),
  )
  .map((fields) => fields.join(' '))

/** Around a change of the clocks every implementation has ways of its own. */
function isCalm(zone: ZoneOffsets, ...instants: readonly number[]): boolean {
  return instants.every((at) => {
    const { fromMs, untilMs } = zone.at(at)
    return fromMs < at - 2 * DAY_MS && untilMs > at + 2 * DAY_MS
  })
}

describe('ticks over ten years in ten time zones', () => {
  it('are those of an independent implementation', () => {
    const instants = fc.integer({ min: FIRST / 1000, max: LAST / 1000 })
    fc.assert(
      fc.property(schedules, fc.constantFrom(...ZONES), instants, (schedule, zone, seconds) => {
        const offsets = zoneOf(zone) ?? UTC_OFFSETS
        let at = seconds * 1000
        const other = new Cron(schedule, { timezone: zone, paused: true })
        const asked = ticks(schedule, zone)
        for (let count = 0; count < 5; count += 1) {
          const found = asked.next(at)
          const expected = other.nextRun(new Date(at))?.getTime() ?? NEVER
          if (found === NEVER) {
            expect(expected === NEVER || expected > at + 5 * 365 * DAY_MS).toBe(true)
            return
          }
          if (!isCalm(offsets, at, found, expected)) return
          expect(new Date(found).toISOString()).toBe(new Date(expected).toISOString())
          at = found
        }
      }),
      { numRuns: 3000, seed: 36 },
    )
  })

  it('are found backwards as they are found forwards', () => {
    const instants = fc.integer({ min: FIRST / 1000, max: LAST / 1000 })
    fc.assert(
      fc.property(schedules, fc.constantFrom(...ZONES), instants, (schedule, zone, seconds) => {
        const asked = ticks(schedule, zone)
        const after = seconds * 1000
        const until = after + 3 * DAY_MS
        let last: number | undefined
        for (let at = asked.next(after); at !== NEVER && at <= until; at = asked.next(at)) last = at
        expect(asked.previous(until, after)).toBe(last)
      }),
      { numRuns: 150, seed: 37 },
    )
  })

  it('of @every are found backwards as they are found forwards', () => {
    const asked = ticks('@every 7m30s')
    const after = Date.parse('2026-01-01T00:00:05.250Z')
    let last = asked.next(after)
    for (let at = last; at <= after + DAY_MS; at = asked.next(at)) last = at
    expect(asked.previous(after + DAY_MS, after)).toBe(last)
    expect(asked.previous(after + 1000, after)).toBeUndefined()
  })
})

it('a date of the calendar leads to its day and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -800_000, max: 800_000 }), (day) => {
      const { year, month, dayOfMonth, weekday } = civilOf(day)
      expect(dayOf(year, month, dayOfMonth)).toBe(day)
      expect(weekday).toBe(new Date(day * DAY_MS).getUTCDay())
      expect(dayOfMonth).toBe(new Date(day * DAY_MS).getUTCDate())
    }),
  )
})
