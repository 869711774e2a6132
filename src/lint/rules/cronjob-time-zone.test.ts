import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import { cronjobTimeZone } from './cronjob-time-zone.ts'

const CONVERGES = { 'semel.dev/contract': 'converges' }

const judge = (spec: JsonObject, options: Made = {}) =>
  cronjobTimeZone.checkRepository?.(
    repositoryOf([made({ kind: 'CronJob', ...options, spec })]),
    context(),
  ) ?? []

const at = (schedule: string, timeZone: string, options: Made = {}) =>
  judge({ schedule, timeZone }, options)

describe('cronjob-time-zone', () => {
  it.each([
    ['TZ=UTC 0 3 * * *', 'write schedule: "0 3 * * *" and timeZone: UTC'],
    ['CRON_TZ=Europe/Berlin 0 3 * * *', 'timeZone: Europe/Berlin'],
    ['TZ= 0 3 * * *', 'name the zone in spec.timeZone'],
  ])('refuses the zone inside %j', (schedule, remedy) => {
    const [finding] = judge({ schedule })
    expect(finding?.severity).toBeUndefined()
    expect(finding?.remedy).toContain(remedy)
  })

  it.each([
    ['Europe/Pariss', undefined, 'Europe/Paris'],
    ['europe/berlin', undefined, 'Europe/Berlin'],
    ['PST', undefined, 'IANA'],
    ['', undefined, 'IANA'],
    ['Local', undefined, 'IANA'],
    ['America/Newly_Made', 'warning', 'IANA'],
  ])('refuses the zone %j', (zone, severity, remedy) => {
    const [finding] = at('0 3 * * *', zone)
    expect(finding?.severity).toBe(severity)
    expect(finding?.remedy).toContain(remedy)
    expect(finding?.at).toEqual(['spec', 'timeZone'])
  })

  it.each([
    ['30 2 * * *', 'Europe/Berlin', 'warning', 'runs twice', 'not at all'],
    ['30 1 * * *', 'America/New_York', 'warning', 'runs twice', ''],
    ['0 0 * * *', 'Africa/Cairo', 'info', 'does not run', ''],
    ['30 2 1-7 11 *', 'America/New_York', undefined, '', ''],
    ['0 2,14 * * 0', 'Europe/Berlin', 'warning', 'runs twice', ''],
  ])('%s in %s: %s', (schedule, zone, severity, words, more) => {
    const [finding] = at(schedule, zone)
    expect(finding?.severity).toBe(severity)
    expect(finding?.what ?? '').toContain(words)
    expect(finding?.what ?? '').toContain(more)
  })

  it('only speaks of the hour that is left out where a repeat converges', () => {
    const [finding] = at('30 2 * * *', 'Europe/Berlin', { annotations: CONVERGES })
    expect(finding?.severity).toBe('info')
    expect(finding?.what).not.toContain('twice')
    expect(at('30 1 * * *', 'America/New_York', { annotations: CONVERGES })).toEqual([])
  })

  it('informs of a time without a zone', () => {
    const [finding] = judge({ schedule: '0 9,17 * * *' }, {})
    expect(finding?.severity).toBe('info')
    expect(finding?.what).toContain('09:00')
  })

  it.each<[string, JsonObject, Made]>([
    [
      'for a time that the clocks leave alone',
      { schedule: '0 4 * * *', timeZone: 'Europe/Berlin' },
      {},
    ],
    ['on weekdays', { schedule: '30 2 * * 1-5', timeZone: 'Europe/Berlin' }, {}],
    ['for ticks every two hours', { schedule: '0 */2 * * *', timeZone: 'Europe/Berlin' }, {}],
    ['in a zone without summer time', { schedule: '30 2 * * *', timeZone: 'Asia/Tokyo' }, {}],
    [
      'where clocks move by half an hour',
      { schedule: '0 2 * * *', timeZone: 'Australia/Lord_Howe' },
      {},
    ],
    ['for a templated zone', { schedule: '30 2 * * *', timeZone: '{{ .Values.zone }}' }, {}],
    ['for a templated schedule', { schedule: '{{ .Values.schedule }}' }, {}],
    ['for a period', { schedule: '@every 24h' }, {}],
    ['without a zone for ticks spread evenly', { schedule: '30 */6 * * *' }, {}],
    ['without a zone when suspended', { schedule: '0 3 * * *', suspend: true }, {}],
    ['where rendering may bring the zone', { schedule: '0 3 * * *' }, { open: ['spec'] }],
    [
      'where the engine leaves the object alone',
      { schedule: '0 3 * * *' },
      { traits: { applies: false } },
    ],
    ['for Jobs', { schedule: '0 3 * * *' }, { kind: 'Job' }],
  ])('is silent %s', (_case, spec, options) => {
    expect(judge(spec, options)).toEqual([])
  })
})
