import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { cronjobMissedSchedule } from './cronjob-missed-schedule.ts'

const judge = (spec: JsonObject, options: Made = {}) =>
  cronjobMissedSchedule.check?.(
    made({ kind: 'CronJob', ...options, spec: { schedule: '0 3 * * *', ...spec } }),
    context(),
  ) ?? []

describe('cronjob-missed-schedule', () => {
  it.each([
    [0, 'error', 'never starts anything'],
    [1, undefined, 'more than 1 s late'],
    [9, undefined, 'more than 9 s late'],
  ])('speaks of a deadline of %i s', (seconds, severity, words) => {
    const [finding] = judge({ startingDeadlineSeconds: seconds })
    expect(finding?.severity).toBe(severity)
    expect(finding?.what).toContain(words)
  })

  it('says how soon a suspended one has missed more than 100', () => {
    const [finding] = judge({ suspend: true, schedule: '*/5 * * * *' })
    expect(finding?.severity).toBeUndefined()
    expect(finding?.why).toContain('after 8 h 20 min it has missed more than 100')
  })

  it('only informs of a suspended one that ticks seldom', () => {
    const [finding] = judge({ suspend: true })
    expect(finding?.severity).toBe('info')
    expect(finding?.what).toContain('when it is resumed')
  })

  it.each<[string, JsonObject, Made]>([
    ['with a deadline of 10 s', { startingDeadlineSeconds: 10 }, {}],
    ['with a deadline that the API server refuses', { startingDeadlineSeconds: -1 }, {}],
    ['when suspended with a deadline', { suspend: true, startingDeadlineSeconds: 600 }, {}],
    ['when it is not suspended', {}, {}],
    ['when suspended and never due', { suspend: true, schedule: '0 0 31 2 *' }, {}],
    ['for a templated schedule', { suspend: true, schedule: '{{ .Values.cron }}' }, {}],
    ['where rendering may bring a deadline', { suspend: true }, { open: ['spec'] }],
    [
      'where a repeat converges',
      { suspend: true },
      { annotations: { 'semel.dev/contract': 'converges' } },
    ],
    [
      'where the engine leaves it alone',
      { startingDeadlineSeconds: 0 },
      { traits: { applies: false } },
    ],
  ])('is silent %s', (_case, spec, options) => {
    expect(judge(spec, options)).toEqual([])
  })
})
