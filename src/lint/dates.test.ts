import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDate, isPast } from './dates.ts'

describe('dates', () => {
  it.each(['2026-11-29', '2024-02-29', '2000-02-29', '2027-12-31', '2027-04-30'])(
    '%s is a day',
    (text) => expect(isDate(text)).toBe(true),
  )

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '26-01-01',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    'tomorrow',
    '',
  ])('"%s" is none', (text) => expect(isDate(text)).toBe(false))

  it('agrees with the calendar of Date', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2999-12-31'), noInvalidDate: true }),
        (date) => isDate(date.toISOString().slice(0, 10)),
      ),
    )
  })

  it('a day holds until its end', () => {
    expect(isPast('2026-11-29', '2026-11-29')).toBe(false)
    expect(isPast('2026-11-29', '2026-11-30')).toBe(true)
    expect(isPast('2026-12-01', '2026-11-30')).toBe(false)
  })
})
