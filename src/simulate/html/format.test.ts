import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, clock, count, dateTime, duration, offset } from './format.ts'

describe('times', () => {
  it.each([
    [0, '0s'],
    [250, '250ms'],
    [1500, '1.5s'],
    [20_000, '20s'],
    [5 * MINUTE, '5m'],
    [90 * MINUTE, '1h 30m'],
    [25 * HOUR, '25h'],
    [47 * HOUR + 59.6 * MINUTE, '47h 59m'],
    [2 * DAY, '2d'],
    [59.9996 * MINUTE, '1h'],
    [-5 * MINUTE, '-5m'],
  ])('%d ms are written %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text)
  })

  it.each([
    [0, 'start'],
    [25 * HOUR, '+1d 1h'],
    [40, '+40ms'],
    [-HOUR, '\u22121h'],
  ])('%d ms from the start are written %s', (milliseconds, text) => {
    expect(offset(1000 + milliseconds, 1000)).toBe(text)
  })

  it('are UTC, with seconds and milliseconds only where there are any', () => {
    expect(dateTime(Date.UTC(2025, 0, 7, 1))).toBe('Tue 7 Jan 2025, 01:00 UTC')
    expect(clock(Date.UTC(2025, 0, 7, 1, 2, 3))).toBe('01:02:03')
    expect(clock(Date.UTC(2025, 0, 7, 1, 2, 3, 45))).toBe('01:02:03.045')
  })

  it('numbers are grouped and their nouns agree', () => {
    expect(count(1, 'run')).toBe('1 run')
    expect(count(10_080, 'run')).toBe('10,080 runs')
  })
})
