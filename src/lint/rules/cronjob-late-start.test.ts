import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { cronjobLateStart } from './cronjob-late-start.ts'

const judge = (spec: JsonObject = {}, options: Made = {}) =>
  cronjobLateStart.check?.(
    made({ kind: 'CronJob', ...options, spec: { schedule: '0 3 * * *', ...spec } }),
    context(),
  ) ?? []

describe('cronjob-late-start', () => {
  it('is off unless somebody switches it on', () => {
    expect(cronjobLateStart.offByDefault).toBe(true)
  })

  it('names the touch that starts the tick of an edited schedule', () => {
    const [finding] = judge()
    expect(finding?.why).toContain('starts at the next touch of the CronJob')
  })

  it.each<[string, JsonObject, Made]>([
    ['with a deadline', { startingDeadlineSeconds: 600 }, {}],
    ['with a templated deadline', { startingDeadlineSeconds: '{{ .Values.late }}' }, {}],
    ['where rendering may bring one', {}, { open: ['spec'] }],
    ['when suspended', { suspend: true }, {}],
    ['for a period', { schedule: '@every 1h' }, {}],
    ['for a templated schedule', { schedule: '{{ .Values.cron }}' }, {}],
    ['where a repeat converges', {}, { annotations: { 'semel.dev/contract': 'converges' } }],
    ['where the engine leaves it alone', {}, { traits: { applies: false } }],
  ])('is silent %s', (_case, spec, options) => {
    expect(judge(spec, options)).toEqual([])
  })
})
