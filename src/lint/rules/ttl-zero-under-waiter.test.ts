import { describe, expect, it } from 'vitest'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import type { Waiter } from '../../engines/engine.ts'
import { ttlZeroUnderWaiter } from './ttl-zero-under-waiter.ts'

const poll: Partial<Waiter> = { pollSeconds: 5 }
const watch: Partial<Waiter> = { pollSeconds: undefined }

const hooked: Made = { traits: { hook: hook() } }

function judge(ttl: number | string | undefined, parts?: Partial<Waiter>, rest: Made = {}) {
  const subject = made({
    ...rest,
    spec: ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl },
    traits: { ...(parts === undefined ? {} : { waiter: waiter(parts) }), ...rest.traits },
  })
  return ttlZeroUnderWaiter.check?.(subject, context()) ?? []
}

describe('ttl-zero-under-waiter', () => {
  it.each<[string, number, Partial<Waiter>, string, 'warning' | undefined]>([
    [
      'an absent Job is a success',
      0,
      { ...poll, absent: 'success' },
      'reported as a good',
      undefined,
    ],
    [
      'TTL 3 s meets a poll of 5 s',
      3,
      { ...poll, absent: 'success' },
      'moments fall badly',
      'warning',
    ],
    [
      'a TTL fires a second early',
      5,
      { ...poll, absent: 'success' },
      'looks only every 5 s',
      'warning',
    ],
    ['an absent Job times out', 0, { ...poll, absent: 'timeout' }, 'for 5 min, fails', undefined],
    ['an absent Job is a failure', 0, { ...watch, absent: 'failure' }, 'each retry', undefined],
    ['it ends within the pause', 4, { ...watch, absent: 'failure' }, 'each retry', 'warning'],
    ['an old engine hangs', 0, { ...watch, absent: 'hangs' }, 'waits for ever', 'warning'],
    ['an old engine hangs at 59 s', 59, { ...watch, absent: 'hangs' }, 'for ever', 'warning'],
  ])('speaks when %s', (_case, ttl, parts, why, severity) => {
    const [finding] = judge(ttl, parts, parts.absent === 'hangs' ? hooked : {})
    expect(finding?.why).toContain(why)
    expect(finding?.severity).toBe(severity)
  })

  it('warns where an ordinary Job that is gone is waited for without an end', () => {
    const [finding] = judge(0, { ...watch, absent: 'hangs' })
    expect(finding?.why).toContain('waits without an end')
    expect(finding?.severity).toBe('warning')
    expect(judge(1, { ...watch, absent: 'hangs' })).toEqual([])
  })

  it('sends hooks to their delete policy', () => {
    expect(judge(0, { ...watch, absent: 'hangs' }, hooked)[0]?.remedy).toContain('delete policy')
  })

  it.each<[string, number | string | undefined, Partial<Waiter> | undefined]>([
    ['without a TTL', undefined, poll],
    ['for a TTL that only rendering knows', '{{ .Values.ttl }}', poll],
    ['when nobody waits', 0, undefined],
    ['when the TTL is longer than the poll', 6, poll],
    ['from 60 s on where an old engine might hang', 60, { ...watch, absent: 'hangs' }],
    ['when the TTL is longer than the pause', 5, { ...watch, absent: 'failure' }],
    ['when a watch tells of the end first', 0, { ...watch, absent: 'success' }],
  ])('is silent %s', (_case, ttl, parts) => {
    expect(judge(ttl, parts, parts?.absent === 'hangs' ? hooked : {})).toEqual([])
  })

  it('is silent for an object that the engine leaves alone, and for CronJobs', () => {
    expect(judge(0, poll, { traits: { applies: false } })).toEqual([])
    expect(ttlZeroUnderWaiter.kinds).toEqual(['Job'])
  })
})
