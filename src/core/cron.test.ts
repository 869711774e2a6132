import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comesOn, minutesOfDay, readCron, shortestGapSeconds, type CronFields } from './cron.ts'

const fieldsOf = (text: string): CronFields => {
  const { schedule } = readCron(text)
  if (schedule?.kind !== 'fields') throw new Error(`no fields: ${text}`)
  return schedule
}

const faultOf = (text: string) => {
  const reading = readCron(text)
  return reading.schedule === undefined ? reading.fault : undefined
}

/** What robfig/cron 3.0.1 answered: the values of the five fields, or a refusal. */
describe('a schedule', () => {
  it.each([
    ['5/15 * * * *', [5, 20, 35, 50]],
    ['*/61 * * * *', [0]],
    ['1,,2 * * * *', [1, 2]],
    [', * * * *', []],
    ['+3 * * * *', [3]],
    ['05 * * * *', [5]],
    ['10-20/5 * * * *', [10, 15, 20]],
    ['*-5 * * * *', Array.from({ length: 60 }, (_, minute) => minute)],
  ])('reads the minutes of %j', (text, minutes) => {
    expect([...fieldsOf(text).minute.values].sort((a, b) => a - b)).toEqual(minutes)
  })

  it('reads names of months and weekdays in any case, also in ranges', () => {
    const { month, dayOfWeek } = fieldsOf('0 0 * jan,MAR Mon-fri')
    expect([...month.values]).toEqual([1, 3])
    expect([...dayOfWeek.values]).toEqual([1, 2, 3, 4, 5])
  })

  it.each(['0 0 1 1 *', '0\t0 \u00a01  1\n*', ' 0 0 1 1 * '])(
    'takes any blanks for one: %j',
    (text) => {
      expect(fieldsOf(text)).toEqual(fieldsOf('@yearly'))
    },
  )

  it.each([
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
  ])('reads %s as %s', (descriptor, text) => {
    expect(fieldsOf(descriptor)).toEqual(fieldsOf(text))
  })

  it.each([
    ['@every 90m', 5400],
    ['@every 1h30m', 5400],
    ['@every 1500ms', 1],
    ['@every 0', 1],
    ['@every -5m', 1],
  ])('reads %s as a period of %i s', (text, seconds) => {
    expect(readCron(text).schedule).toEqual({ kind: 'every', seconds })
  })

  it.each([
    ['', 'it is empty'],
    ['0 0 3 * * *', '6 fields instead of 5'],
    ['0 3 * * 7', '7 in the field weekday is above 6 (Sunday is 0)'],
    ['0 3 * * 5-7', 'is above 6 (Sunday is 0)'],
    ['60 * * * *', 'above 59'],
    ['* * 0 * *', 'below 1'],
    ['* 22-4 * * *', 'ends before it begins'],
    ['*/0 * * * *', 'has the step 0'],
    ['* * L * *', 'is no number'],
    ['1-2-3 * * * *', 'too many hyphens'],
    ['*/2/3 * * * *', 'too many slashes'],
    ['- * * * *', 'lacks a number'],
    ['* * * mon *', 'is no number'],
    ['*/99999999999999999999 * * * *', 'is no number'],
    ['0\ufeff3 * * *', '4 fields'],
    ['@reboot', 'no descriptor'],
    ['@Daily', 'no descriptor'],
    ['@daily ', 'no descriptor'],
    ['@every', 'no descriptor'],
    ['@every 1d', '1d is no duration'],
    ['@every  5m', 'is no duration'],
  ])('refuses %j', (text, words) => {
    expect(faultOf(text)?.what).toContain(words)
  })

  it.each([
    ['0 3 * * 1,7', '7'],
    ['*/5 25 * * *', '25'],
    ['0 0 1 jan,xyz *', 'xyz'],
    ['@every 1d', '1d'],
  ])('points at what is wrong in %j', (text, part) => {
    const fault = faultOf(text)
    expect(text.slice(fault?.start, fault?.end)).toBe(part)
  })

  it('never throws, and points into the text', () => {
    const part = fc.constantFrom(
      '*',
      '?',
      '/',
      '-',
      ',',
      ' ',
      '7',
      '60',
      'mon',
      '@every ',
      'L',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const fault = faultOf(text)
        if (fault === undefined) return
        expect(fault.start).toBeGreaterThanOrEqual(0)
        expect(fault.end).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

describe('the days of a schedule', () => {
  const monday13 = { month: 4, dayOfMonth: 13, weekday: 1 }

  it.each([
    ['0 0 13 * *', true],
    ['0 0 * * 1', true],
    ['0 0 14 * 1', true],
    ['0 0 13 * 5', true],
    ['0 0 14 * 5', false],
    // A step makes a field count as written, so either is enough.
    ['0 0 */2 * 5', true],
    ['0 0 */1 * 5', false],
    ['0 0 13 5 *', false],
  ])('%s comes on Monday 13 April: %s', (text, comes) => {
    expect(comesOn(fieldsOf(text), monday13)).toBe(comes)
  })

  it('lists its minutes in order', () => {
    expect(minutesOfDay(fieldsOf('30,0 9,1 * * *'))).toEqual([60, 90, 540, 570])
  })
})

describe('the shortest gap', () => {
  it.each([
    ['* * * * *', 60],
    ['*/7 * * * *', 240],
    ['0,10 9 * * *', 600],
    ['0 3 * * *', 86_400],
    ['50 23 1 * *', 28 * 86_400],
    ['0 0,23 * * *', 3600],
    ['0 0 * * 1', 7 * 86_400],
    ['@every 90m', 5400],
  ])('of %s is %i s', (text, seconds) => {
    const { schedule } = readCron(text)
    expect(schedule === undefined ? undefined : shortestGapSeconds(schedule)).toBe(seconds)
  })

  it.each(['0 0 31 2 *', '0 0 30 feb ?', '0 0 31 4,6,9,11 *', ', 0 * * *'])(
    'of %s is none, because it never comes',
    (text) => {
      expect(shortestGapSeconds(fieldsOf(text))).toBeUndefined()
    },
  )

  it('finds the leap day', () => {
    expect(shortestGapSeconds(fieldsOf('0 0 29 2 *'))).toBe(1461 * 86_400)
  })
})
