import { describe, expect, it } from 'vitest'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import { noDeadline } from './no-deadline.ts'

const ENDLESS = { waiter: waiter({ who: 'the Argo CD sync', timeoutSeconds: undefined }) }
const FORBID = { concurrencyPolicy: 'Forbid', jobTemplate: { spec: {} } }

const judge = (options: Made) => noDeadline.check?.(made(options), context()) ?? []

describe('no-deadline', () => {
  it('speaks for a Job whose waiter has no limit', () => {
    const [finding] = judge({ traits: ENDLESS })
    expect(finding?.what).toBe(
      'Job shop/migrate has no deadline, and the Argo CD sync waits for its end without a limit',
    )
    expect(finding?.remedy).toContain('spec.activeDeadlineSeconds')
  })

  it('speaks for a CronJob that forbids a second run', () => {
    const [finding] = judge({ kind: 'CronJob', spec: FORBID })
    expect(finding?.at).toEqual(['spec', 'concurrencyPolicy'])
    expect(finding?.why).toContain('no later tick starts')
  })

  it('only informs where the waiter is a state that people see', () => {
    const state = waiter({ timeoutSeconds: undefined, suspended: 'not-ready' })
    expect(judge({ traits: { waiter: state } })[0]?.severity).toBe('info')
  })

  it.each<[string, Made]>([
    ['a suspended Job', { traits: ENDLESS, spec: { suspend: true } }],
    ['a deadline', { traits: ENDLESS, spec: { activeDeadlineSeconds: 600 } }],
    [
      'a deadline that rendering decides',
      { traits: ENDLESS, spec: { activeDeadlineSeconds: '{{ .Values.d }}' } },
    ],
    ['a deadline that rendering may add', { traits: ENDLESS, open: ['spec'] }],
    ['a waiter that gives up by itself', { traits: { waiter: waiter() } }],
    ['a Job that nobody waits for', {}],
    ['a hook, which has a rule of its own', { traits: { ...ENDLESS, hook: hook() } }],
    ['an object that the engine leaves alone', { traits: { ...ENDLESS, applies: false } }],
    [
      'a CronJob that allows a second run',
      { kind: 'CronJob', spec: { concurrencyPolicy: 'Allow' } },
    ],
    [
      'a CronJob that replaces the run',
      { kind: 'CronJob', spec: { concurrencyPolicy: 'Replace' } },
    ],
    ['a CronJob without a policy', { kind: 'CronJob', spec: {} }],
    [
      'a CronJob whose runs have a deadline',
      {
        kind: 'CronJob',
        spec: { ...FORBID, jobTemplate: { spec: { activeDeadlineSeconds: 60 } } },
      },
    ],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
