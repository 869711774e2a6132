import { describe, expect, it } from 'vitest'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import { retryBesideRunningHook } from './retry-beside-running-hook.ts'

const retried: NonNullable<Made['traits']> = {
  hook: hook({ annotation: 'helm.sh/hook', phases: ['pre-upgrade'] }),
  waiter: waiter({ timeoutSeconds: 300, afterFailure: 'recreates' }),
}
const judge = (options: Made) => retryBesideRunningHook.check?.(made(options), context()) ?? []

describe('retry-beside-running-hook', () => {
  it('speaks for a Job without a deadline', () => {
    const [finding] = judge({ traits: retried })
    expect(finding?.why).toContain('gives up after 5 min, and the Job has no deadline of its own')
    expect(finding?.remedy).toContain('below 300')
  })

  it('speaks for a deadline that is not shorter, and points at it', () => {
    const [finding] = judge({ traits: retried, spec: { activeDeadlineSeconds: 300 } })
    expect(finding?.at).toEqual(['spec', 'activeDeadlineSeconds'])
  })

  it('only informs where a repeat converges', () => {
    const annotations = { 'semel.dev/contract': 'converges' }
    expect(judge({ traits: retried, annotations })[0]?.severity).toBe('info')
  })

  it.each<[string, Made]>([
    ['for a shorter deadline', { traits: retried, spec: { activeDeadlineSeconds: 299 } }],
    [
      'for a templated deadline',
      { traits: retried, spec: { activeDeadlineSeconds: '{{ .Values.d }}' } },
    ],
    ['where rendering may bring one', { traits: retried, open: ['spec'] }],
    ['without retries', { traits: { ...retried, waiter: waiter() } }],
    [
      'for a waiter without a timeout',
      {
        traits: {
          ...retried,
          waiter: waiter({ timeoutSeconds: undefined, afterFailure: 'recreates' }),
        },
      },
    ],
    [
      'when the old Job stays',
      { traits: { ...retried, hook: hook({ deletePolicies: ['hook-failed'] }) } },
    ],
    ['for a Job that is no hook', { traits: { waiter: waiter({ afterFailure: 'recreates' }) } }],
    ['where the engine leaves it alone', { traits: { ...retried, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
