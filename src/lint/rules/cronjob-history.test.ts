import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { cronjobHistory } from './cronjob-history.ts'

const judge = (spec: JsonObject, job: JsonObject = {}, options: Made = {}) =>
  cronjobHistory.check?.(
    made({ kind: 'CronJob', ...options, spec: { jobTemplate: { spec: job }, ...spec } }),
    context(),
  ) ?? []

describe('cronjob-history', () => {
  it('warns of failed runs that go at once', () => {
    const [finding] = judge({ failedJobsHistoryLimit: 0 })
    expect(finding?.severity).toBeUndefined()
    expect(finding?.at).toEqual(['spec', 'failedJobsHistoryLimit'])
  })

  it('says the same of a TTL of 0', () => {
    const [finding] = judge({}, { ttlSecondsAfterFinished: 0 })
    expect(finding?.why).toContain('ttlSecondsAfterFinished is 0')
    expect(finding?.at?.at(-1)).toBe('ttlSecondsAfterFinished')
  })

  it('only informs of good runs', () => {
    const [finding] = judge({ successfulJobsHistoryLimit: 0 })
    expect(finding?.severity).toBe('info')
  })

  it('speaks once when both limits are 0', () => {
    expect(judge({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 })).toHaveLength(1)
  })

  it.each<[string, JsonObject, JsonObject, Made]>([
    ['for the defaults', {}, {}, {}],
    [
      'for a TTL that makes the limits meaningless',
      { successfulJobsHistoryLimit: 3 },
      { ttlSecondsAfterFinished: 600 },
      {},
    ],
    ['for a templated limit', { failedJobsHistoryLimit: '{{ .Values.limit }}' }, {}, {}],
    ['when suspended', { failedJobsHistoryLimit: 0, suspend: true }, {}, {}],
    [
      'where the engine leaves it alone',
      { failedJobsHistoryLimit: 0 },
      {},
      { traits: { applies: false } },
    ],
  ])('is silent %s', (_case, spec, job, options) => {
    expect(judge(spec, job, options)).toEqual([])
  })
})
