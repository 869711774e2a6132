import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime, offsetOf, offsetText, spanWords, wallTime } from './spans.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('a span in words', () => {
  it.each([
    [0, '0 s'],
    [250, '0.25 s'],
    [45 * SECOND, '45 s'],
    [MINUTE, '1 min'],
    [72 * SECOND, '72 s'],
    [5 * MINUTE, '5 min'],
    [5 * MINUTE + 30 * SECOND, '5 min 30 s'],
    [10 * MINUTE, '10 min'],
    [HOUR, '1 h'],
    [70 * MINUTE, '70 min'],
    [25 * HOUR, '25 h'],
    [25 * HOUR + 3 * SECOND, '25 h'],
    [49.5 * HOUR, '49 h 30 min'],
    [2 * DAY, '2 days'],
    [7 * DAY, '7 days'],
    [6 * DAY + 6 * HOUR, '6 days 6 h'],
    [365 * DAY, '365 days'],
    [30 * DAY + 20 * MINUTE, '30 days'],
  ])('%i ms is %s', (milliseconds, words) => {
    expect(spanWords(milliseconds)).toBe(words)
  })
})

describe('an offset from the start', () => {
  it.each([
    ['25h', 25 * HOUR],
    ['1d1h', 25 * HOUR],
    ['90m', 90 * MINUTE],
    ['1.5h', 90 * MINUTE],
    ['0.25s', 250],
    ['250ms', 250],
    ['0', 0],
  ])('reads %s', (text, milliseconds) => {
    expect(offsetOf(text)).toBe(milliseconds)
  })

  it.each(['', '25', '-1h', '1 h', 'h', '1w', '1h2', '.5h'])('refuses %j', (text) => {
    expect(offsetOf(text)).toBeUndefined()
  })

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY }), (milliseconds) => {
        expect(offsetOf(offsetText(milliseconds))).toBe(milliseconds)
      }),
      { numRuns: 500 },
    )
  })
})

it('writes times with milliseconds only where there are some', () => {
  const at = Date.UTC(2026, 0, 6, 1)
  expect(isoTime(at)).toBe('2026-01-06T01:00:00Z')
  expect(isoTime(at + 100)).toBe('2026-01-06T01:00:00.100Z')
  expect(wallTime(at)).toBe('2026-01-06 01:00:00 UTC')
})
