import { describe, expect, it } from 'vitest'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { cronjobScheduleInvalid } from './cronjob-schedule-invalid.ts'

const judge = (schedule: string | number | undefined, options: Made = {}) =>
  cronjobScheduleInvalid.check?.(
    made({
      kind: 'CronJob',
      ...options,
      spec: { ...(schedule === undefined ? {} : { schedule }), ...options.spec },
    }),
    context(),
  ) ?? []

describe('cronjob-schedule-invalid', () => {
  it.each([
    ['0 3 * * 7', 'above 6 (Sunday is 0)'],
    ['0 0 3 * * *', '6 fields'],
    ['@reboot', 'no descriptor'],
    ['', 'it is empty'],
  ])('refuses %j as an error', (schedule, words) => {
    const [finding] = judge(schedule)
    expect(finding?.what).toContain(words)
    expect(finding?.severity).toBeUndefined()
    expect(finding?.at).toEqual(['spec', 'schedule'])
  })

  it('only informs of a day that never comes', () => {
    const [finding] = judge('0 0 31 2 *')
    expect(finding?.severity).toBe('info')
    expect(finding?.what).toContain('never comes')
  })

  it.each<[string, string | number | undefined, Made]>([
    ['for a good schedule', '*/5 8-18 * * mon-fri', {}],
    ['for a period', '@every 90m', {}],
    ['for a zone inside it', 'TZ=UTC 0 3 * * 7', {}],
    ['where rendering decides', '{{ .Values.schedule }}', {}],
    ['for a variable of another tool', '$(SCHEDULE)', {}],
    ['without a schedule', undefined, {}],
    ['for what is no text', 5, {}],
    ['for a suspended CronJob that never comes', '0 0 31 2 *', { spec: { suspend: true } }],
    ['where the engine leaves the object alone', '0 3 * * 7', { traits: { applies: false } }],
  ])('is silent %s', (_case, schedule, options) => {
    expect(judge(schedule, options)).toEqual([])
  })
})
