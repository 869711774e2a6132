import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { cronjobJobsStaySuspended } from './cronjob-jobs-stay-suspended.ts'

const judge = (spec: JsonObject, template: JsonObject = {}, options: Made = {}) =>
  cronjobJobsStaySuspended.check?.(
    made({
      kind: 'CronJob',
      ...options,
      spec: { jobTemplate: { spec: { suspend: true }, ...template }, ...spec },
    }),
    context(),
  ) ?? []

describe('cronjob-jobs-stay-suspended', () => {
  it.each([
    ['Forbid', 'starts nothing any more'],
    ['Allow', 'none of them ever runs'],
    [undefined, 'none of them ever runs'],
  ])('with %s', (policy, words) => {
    const [finding] = judge(policy === undefined ? {} : { concurrencyPolicy: policy })
    expect(finding?.what).toContain(words)
    expect(finding?.at).toEqual(['spec', 'jobTemplate', 'spec', 'suspend'])
  })

  it.each<[string, JsonObject, JsonObject, Made]>([
    ['when the CronJob is suspended too', { suspend: true }, {}, {}],
    ['for Jobs of a queue', {}, { metadata: { labels: { 'kueue.x-k8s.io/queue-name': 'q' } } }, {}],
    ['for Jobs of another controller', {}, { spec: { suspend: true, managedBy: 'a.test/b' } }, {}],
    ['for a templated switch', {}, { spec: { suspend: '{{ .Values.s }}' } }, {}],
    ['where the engine leaves it alone', {}, {}, { traits: { applies: false } }],
  ])('is silent %s', (_case, spec, template, options) => {
    expect(judge(spec, template, options)).toEqual([])
  })
})
