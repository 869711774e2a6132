import { describe, expect, it } from 'vitest'
import { scheduleWords, ticksWithin } from './cron-words.ts'

describe('a schedule in words', () => {
  it.each([
    ['0 * * * *', 'at minute 0 of every hour'],
    ['30,0 * * * *', 'every 30 min'],
    ['*/15 * * * *', 'every 15 min'],
    ['5,10 * * * *', 'at minute 5 and 10 of every hour'],
    ['30 2 * * *', 'at 02:30 every day'],
    ['0 8,20 * * *', 'at 08:00 and 20:00 every day'],
    ['0 9 * * mon-fri', 'at 09:00 from Monday to Friday'],
    ['0 4 * * sun', 'at 04:00 every Sunday'],
    ['0 3 1 * *', 'at 03:00 on day 1 of every month'],
    ['0 3 1,15 * *', 'at 03:00 on days 1 and 15 of every month'],
    ['@hourly', 'at minute 0 of every hour'],
    ['@daily', 'at 00:00 every day'],
    ['@every 90m', 'every 90 min'],
    ['* * * * *', 'every 1 min'],
    ['0 * * * 0', 'at minute 0 of every hour every Sunday'],
  ])('%s is %s', (schedule, words) => {
    expect(scheduleWords(schedule)).toBe(words)
  })

  it.each([
    ['0 3 1 1 *', 'months'],
    ['0 3 1 * 1', 'both kinds of days'],
    ['0 1-20 * * *', 'many times'],
    ['1-50 * * * *', 'many minutes'],
    ['61 * * * *', 'what cannot be read'],
  ])('leaves %s as it is, for its %s', (schedule) => {
    expect(scheduleWords(schedule)).toBe(`at the ticks of \`${schedule}\``)
  })

  it('names a zone other than UTC', () => {
    expect(scheduleWords('0 1 * * *', 'Europe/Berlin')).toBe('at 01:00 every day (Europe/Berlin)')
    expect(scheduleWords('0 1 * * *', 'UTC')).toBe('at 01:00 every day')
  })
})

describe('the ticks of a span', () => {
  const from = Date.UTC(2026, 2, 28)
  const until = Date.UTC(2026, 2, 30)

  it('begin at its start and end before its end', () => {
    expect(ticksWithin({ schedule: '0 0 * * *' }, { from, until })).toEqual([
      from,
      Date.UTC(2026, 2, 29),
    ])
  })

  it('follow the clocks of their zone', () => {
    const ticks = ticksWithin(
      { schedule: '0 12 * * *', timeZone: 'Europe/Berlin' },
      { from, until },
    )
    expect(ticks).toEqual([Date.UTC(2026, 2, 28, 11), Date.UTC(2026, 2, 29, 10)])
  })

  it('are not told where nobody knows them', () => {
    expect(ticksWithin({ schedule: '@every 1h' }, { from, until })).toBeUndefined()
    expect(ticksWithin({ schedule: 'soon' }, { from, until })).toBeUndefined()
    expect(
      ticksWithin({ schedule: '0 0 * * *', timeZone: 'Mars/Base' }, { from, until }),
    ).toBeUndefined()
  })
})
