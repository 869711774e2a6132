import { describe, expect, it } from 'vitest'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { backoffDefault } from './backoff-default.ts'

const NEVER = { 'semel.dev/contract': 'never-again' }
const once = { template: { spec: { restartPolicy: 'Never' } } }

const judge = (options: Made) => backoffDefault.check?.(made(options), context()) ?? []

describe('backoff-default', () => {
  it('knows the default of six', () => {
    const [finding] = judge({ annotations: NEVER, spec: once })
    expect(finding?.what).toContain('up to 6 more times')
    expect(finding?.why).toContain('begins up to 7 times')
    expect(finding?.at).toEqual(['spec'])
  })

  it.each([
    [1, 'once more'],
    [3, 'up to 3 more times'],
  ])('counts a limit of %s', (backoffLimit, words) => {
    const [finding] = judge({ annotations: NEVER, spec: { ...once, backoffLimit } })
    expect(finding?.what).toContain(words)
    expect(finding?.at).toEqual(['spec', 'backoffLimit'])
  })

  it('looks below a jobTemplate too', () => {
    const spec = { jobTemplate: { spec: once } }
    const [finding] = judge({ kind: 'CronJob', annotations: NEVER, spec })
    expect(finding?.at).toEqual(['spec', 'jobTemplate', 'spec'])
  })

  it('speaks for restarts in place when the limit is 0', () => {
    const spec = { backoffLimit: 0, template: { spec: { restartPolicy: 'OnFailure' } } }
    expect(judge({ annotations: NEVER, spec })[0]?.what).toContain('is started again')
  })

  it.each<[string, Made]>([
    ['a Job without a contract', { spec: once }],
    [
      'a Job that must not repeat after success',
      { annotations: { 'semel.dev/contract': 'once' }, spec: once },
    ],
    [
      'a Job whose repeat converges',
      { annotations: { 'semel.dev/contract': 'converges' }, spec: once },
    ],
    ['a limit of 0', { annotations: NEVER, spec: { ...once, backoffLimit: 0 } }],
    [
      'a limit that rendering decides',
      { annotations: NEVER, spec: { ...once, backoffLimit: '{{ .Values.retries }}' } },
    ],
    ['a limit that rendering may add', { annotations: NEVER, spec: once, open: ['spec'] }],
    [
      'a pod failure policy',
      { annotations: NEVER, spec: { ...once, podFailurePolicy: { rules: [] } } },
    ],
    [
      'a limit per index',
      { annotations: NEVER, spec: { ...once, backoffLimitPerIndex: 0, completionMode: 'Indexed' } },
    ],
    [
      'an object that the engine leaves alone',
      { annotations: NEVER, spec: once, traits: { applies: false } },
    ],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
