import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { backoffZeroStartsTwice } from './backoff-zero-starts-twice.ts'

const run = (backoffLimit: number | string, restartPolicy: string): JsonObject => ({
  backoffLimit,
  template: { spec: { restartPolicy } },
})
const judge = (spec: JsonObject, options: Made = {}) =>
  backoffZeroStartsTwice.check?.(made({ ...options, spec }), context()) ?? []

describe('backoff-zero-starts-twice', () => {
  it('speaks for Jobs and for CronJobs', () => {
    expect(judge(run(0, 'OnFailure'))).toHaveLength(1)
    const [finding] = judge({ jobTemplate: { spec: run(0, 'OnFailure') } }, { kind: 'CronJob' })
    expect(finding?.at).toEqual(['spec', 'jobTemplate', 'spec', 'backoffLimit'])
  })

  it.each<[string, JsonObject, Made]>([
    ['with Never', run(0, 'Never'), {}],
    ['for another limit', run(1, 'OnFailure'), {}],
    ['for a templated limit', run('{{ .Values.limit }}', 'OnFailure'), {}],
    [
      'where a repeat converges',
      run(0, 'OnFailure'),
      { annotations: { 'semel.dev/contract': 'converges' } },
    ],
    [
      'for never-again',
      run(0, 'OnFailure'),
      { annotations: { 'semel.dev/contract': 'never-again' } },
    ],
    ['where the engine leaves it alone', run(0, 'OnFailure'), { traits: { applies: false } }],
  ])('is silent %s', (_case, spec, options) => {
    expect(judge(spec, options)).toEqual([])
  })
})
