import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from './format.ts'
import { ticks } from './ticks.ts'

const START = Date.UTC(2025, 0, 6)

function labels(from: number, span: number, width: number): readonly string[] {
  const view = { from, to: from + span }
  return ticks({ view, width, start: START, end: view.to }).map(
    ({ label, offset }) => `${label} ${offset}`,
  )
}

describe('the axis', () => {
  it.each([
    ['a week has a tick a day', 7 * DAY, 1000, 'Tue 7 Jan +1d', 8],
    ['a day has a tick every three hours', DAY, 1000, '03:00 +3h', 9],
    ['ten minutes have a tick a minute', 10 * MINUTE, 1000, '00:01 +1m', 11],
    ['a second-long view has a tick a second', 8000, 1000, '00:00:01 +1s', 9],
    ['a year has a tick every second month', 365 * DAY, 600, 'Apr 2025 +85d', 4],
  ])('%s', (_, span, width, second, number) => {
    const found = labels(START, span, width)
    expect(found).toContain(second)
    expect(found).toHaveLength(number)
  })

  it('stands at round times of the wall clock when the span begins at an odd one', () => {
    const start = START + 10 * HOUR + 17 * MINUTE
    const view = { from: start, to: start + DAY }
    const [first] = ticks({ view, width: 1000, start, end: view.to })
    expect(first).toMatchObject({ label: '12:00', offset: '+1h 43m', isMajor: false })
  })

  it('says nothing of times outside of the span', () => {
    const view = { from: START - DAY, to: START + 3 * DAY }
    const found = ticks({ view, width: 1000, start: START, end: START + 2 * DAY })
    expect(found.map(({ offset }) => offset)).toEqual(['start', '+12h', '+1d', '+1d 12h', '+2d'])
  })

  it('never crowds: labels are at least 96 pixels apart, from a second to a century', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_200_000_000 }),
        fc.integer({ min: 200, max: 3000 }),
        (seconds, width) => {
          const view = { from: START, to: START + seconds * 1000 }
          const found = ticks({ view, width, start: START, end: view.to })
          expect(found.length).toBeLessThanOrEqual(Math.ceil(width / 96) + 1)
        },
      ),
    )
  })
})
