import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { cronjobConcurrencyWithLongRun } from './cronjob-concurrency-with-long-run.ts'

const judge = (spec: JsonObject, job: JsonObject = {}, options: Made = {}) =>
  cronjobConcurrencyWithLongRun.check?.(
    made({
      kind: 'CronJob',
      ...options,
      spec: { schedule: '*/15 * * * *', jobTemplate: { spec: job }, ...spec },
    }),
    context(),
  ) ?? []

const HOUR: JsonObject = { activeDeadlineSeconds: 3600 }
const never = (more: JsonObject = {}): JsonObject => ({
  template: { spec: { restartPolicy: 'Never' } },
  ...more,
})
const often = { schedule: '*/5 * * * *' }

describe('cronjob-concurrency-with-long-run', () => {
  it.each([
    [undefined, undefined, 'may have 4 runs at once'],
    ['Allow', undefined, 'may have 4 runs at once'],
    ['Replace', undefined, 'longer than 15 min never completes'],
    ['Forbid', 'info', 'back to back'],
  ])('with %s', (policy, severity, words) => {
    const spec = policy === undefined ? {} : { concurrencyPolicy: policy }
    const [finding] = judge(spec, HOUR)
    expect(finding?.severity).toBe(severity)
    expect(finding?.what).toContain(words)
    expect(finding?.at?.at(-1)).toBe('activeDeadlineSeconds')
  })

  it.each([
    [{}, '11 min for its retries alone (backoffLimit 6, the default)'],
    [{ backoffLimit: 6 }, '(backoffLimit 6)'],
    [{ backoffLimit: 5 }, undefined],
    [{ backoffLimit: 0 }, undefined],
    [{ podFailurePolicy: {} }, undefined],
    [{ backoffLimitPerIndex: 1 }, undefined],
    [{ backoffLimit: '{{ .Values.limit }}' }, undefined],
  ])('counts the pauses of a failing run: %j', (job, words) => {
    const [finding] = judge({ schedule: '*/10 * * * *' }, never(job))
    expect(finding?.severity).toBe(words === undefined ? undefined : 'info')
    if (words === undefined) expect(finding).toBeUndefined()
    else expect(finding?.why).toContain(words)
  })

  it('says that Forbid puts the tick off unless the starting deadline is short', () => {
    const forbid = { concurrencyPolicy: 'Forbid' }
    expect(judge({ ...forbid, startingDeadlineSeconds: 900 }, HOUR)).toHaveLength(1)
    expect(judge({ ...forbid, startingDeadlineSeconds: 899 }, HOUR)).toEqual([])
    expect(judge({ ...forbid, startingDeadlineSeconds: '{{ .Values.late }}' }, HOUR)).toEqual([])
  })

  it.each<[string, JsonObject, JsonObject, Made]>([
    ['for a run as long as the period', {}, { activeDeadlineSeconds: 900 }, {}],
    ['for a templated deadline', {}, { activeDeadlineSeconds: '{{ .Values.d }}' }, {}],
    ['for a templated policy', { concurrencyPolicy: '{{ .Values.p }}' }, HOUR, {}],
    ['where rendering may bring the policy', {}, HOUR, { open: ['spec'] }],
    ['where rendering may bring the deadline', often, never(), { open: ['spec.jobTemplate.spec'] }],
    [
      'for OnFailure without a deadline',
      often,
      { template: { spec: { restartPolicy: 'OnFailure' } } },
      {},
    ],
    ['when suspended', { suspend: true }, HOUR, {}],
    ['for a templated schedule', { schedule: '{{ .Values.cron }}' }, HOUR, {}],
    ['where the engine leaves it alone', {}, HOUR, { traits: { applies: false } }],
    [
      'with Allow where a repeat converges',
      {},
      HOUR,
      { annotations: { 'semel.dev/contract': 'converges' } },
    ],
  ])('is silent %s', (_case, spec, job, options) => {
    expect(judge(spec, job, options)).toEqual([])
  })
})
