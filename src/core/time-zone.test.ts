import { describe, expect, it } from 'vitest'
import { clockChanges, zoneFault, zoneNames } from './time-zone.ts'

describe('a time zone', () => {
  it.each([
    'UTC',
    'Etc/UTC',
    'Europe/Berlin',
    'Europe/Kyiv',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT-14',
    'EST5EDT',
    'GB-Eire',
    'Australia/ACT',
  ])('%s is known', (name) => {
    expect(zoneFault(name)).toBeUndefined()
  })

  it.each([
    ['', 'empty'],
    ['local', 'local'],
    ['Local', 'local'],
    ['europe/berlin', 'wrong-case'],
    ['EUROPE/BERLIN', 'wrong-case'],
    ['Etc/utc', 'wrong-case'],
    ['ETC/UTC', 'wrong-case'],
    ['utc', 'wrong-case'],
    ['PST', 'not-known'],
    ['IST', 'not-known'],
    ['UTC+1', 'not-known'],
    ['+01:00', 'no-name'],
    ['Europe/Pariss', 'not-known'],
    ['Europe//Paris', 'no-name'],
    ['../Europe/Paris', 'no-name'],
    ['SystemV/PST8', 'not-known'],
    ['Europe/Berlin ', 'no-name'],
  ])('%j is refused: %s', (name, fault) => {
    expect(zoneFault(name)).toBe(fault)
  })

  it('knows each name that it proposes', () => {
    expect(zoneNames().filter((name) => zoneFault(name) !== undefined)).toEqual([])
  })
})

describe('the changes of the clocks', () => {
  it('in Berlin leave out and repeat the hour from 02:00', () => {
    const [spring, autumn] = clockChanges('Europe/Berlin')
    const hour = { fromMinute: 120, toMinute: 180, weekday: 0 }
    expect(spring).toEqual({ kind: 'left-out', year: 2025, month: 3, dayOfMonth: 30, ...hour })
    expect(autumn).toEqual({ kind: 'twice', year: 2025, month: 10, dayOfMonth: 26, ...hour })
  })

  it('in New York repeat the hour from 01:00', () => {
    const twice = clockChanges('America/New_York').filter(({ kind }) => kind === 'twice')
    expect(new Set(twice.map(({ fromMinute }) => fromMinute))).toEqual(new Set([60]))
    expect(twice).toHaveLength(6)
  })

  it('in Cairo leave out midnight', () => {
    const [spring] = clockChanges('Africa/Cairo')
    expect(spring).toMatchObject({ kind: 'left-out', fromMinute: 0, toMinute: 60 })
  })

  it('on Lord Howe move by half an hour', () => {
    const [first] = clockChanges('Australia/Lord_Howe')
    expect((first?.toMinute ?? 0) - (first?.fromMinute ?? 0)).toBe(30)
  })

  it.each(['Etc/UTC', 'Asia/Tokyo', 'Europe/Nowhere'])('are none in %s', (name) => {
    expect(clockChanges(name)).toEqual([])
  })
})
