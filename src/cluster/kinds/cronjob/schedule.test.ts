import { describe, expect, test } from 'vitest'
import { Complaints } from '../complaints.ts'
import { checkSchedule } from './schedule.ts'

const PATH = 'spec.schedule'

function faults(schedule: string, zoneAllowed = false, hasTimeZone = false): readonly string[] {
  const out = new Complaints()
  checkSchedule(out, schedule, { path: PATH, zoneAllowed, hasTimeZone })
  return out.list.map(({ type, detail }) => `${type} ${detail}`.trim())
}

describe('a schedule', () => {
  test.each(['* * * * *', '@daily', '@every 1h30m', '*/5 0 1,15 jan-feb mon'])(
    '%s is taken without a word',
    (schedule) => {
      expect(faults(schedule)).toEqual([])
    },
  )

  test.each([
    ['', 'Required'],
    ['* * * *', 'Invalid expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'Invalid end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'Invalid beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'Invalid beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'Invalid step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'Invalid too many hyphens: 1-2-3'],
    ['@foo', 'Invalid unrecognized descriptor: @foo'],
  ])('%j is refused: %s', (schedule, fault) => {
    expect(faults(schedule)).toEqual([fault])
  })

  test('may not name a zone, unless it did so before', () => {
    const zoned = 'TZ=UTC * * * * *'
    const rule = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    expect(faults(zoned)).toEqual([`Invalid ${rule}`])
    expect(faults(zoned, true)).toEqual([])
    const both = 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    expect(faults(zoned, true, true)).toEqual([`Invalid ${both}`])
  })
})
