import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import type { Subject } from '../../ownership/subject.ts'
import { finalizerHoldsJob } from './finalizer-holds-job.ts'

const held = { whileHeld: 'the sync waits' }

function withFinalizers(options: Made, ...finalizers: readonly string[]): Subject {
  const subject = made(options)
  const metadata = { name: 'migrate', namespace: 'shop', finalizers }
  return { ...subject, object: { ...subject.object, metadata } }
}

const judge = (options: Made, ...finalizers: readonly string[]) =>
  finalizerHoldsJob.check?.(
    withFinalizers(options, ...(finalizers.length === 0 ? ['a.test/hold'] : finalizers)),
    context(),
  ) ?? []

const spec = { ttlSecondsAfterFinished: 60 }
const watched = { when: 'watch', delaySeconds: 0, rule: 'test' } as const

describe('finalizer-holds-job', () => {
  it.each<[string, Made, string]>([
    [
      'a hook that is deleted first',
      { traits: { ...held, hook: hook() } },
      'the hook of the last run',
    ],
    [
      'a forced replacement',
      { traits: { ...held, updatesBy: 'delete-and-create' } },
      'deletes and creates',
    ],
    [
      'a changed Job',
      { traits: { ...held, templateChange: 'recreates' } },
      'replaces a changed Job',
    ],
    [
      'a failed Job',
      { traits: { ...held, recreatesFailed: 'every retry' } },
      'replaces a failed Job',
    ],
    [
      'a TTL under a watch',
      { spec, traits: { ...held, restoresAbsent: watched } },
      'the TTL deletes',
    ],
  ])('speaks for %s', (_case, options, words) => {
    const [finding] = judge(options)
    expect(finding?.what).toContain('a.test/hold')
    expect(finding?.why).toBe(`${finding?.why.split(';')[0]}; the sync waits`)
    expect(finding?.why).toContain(words)
  })

  it.each<[string, Made, readonly string[]]>([
    ['where nothing deletes the Job', { traits: held }, []],
    [
      'for a hook that stays',
      { traits: { ...held, hook: hook({ deletePolicies: ['hook-failed'] }) } },
      [],
    ],
    ['where nothing is known of the engine', { traits: { templateChange: 'recreates' } }, []],
    [
      'for finalizers of Kubernetes and Semel',
      { traits: { ...held, hook: hook() } },
      ['orphan', 'semel.dev/ledger'],
    ],
    ['where the engine leaves it alone', { traits: { ...held, hook: hook(), applies: false } }, []],
  ])('is silent %s', (_case, options, finalizers) => {
    expect(judge(options, ...finalizers)).toEqual([])
  })

  it('is silent without finalizers', () => {
    expect(
      finalizerHoldsJob.check?.(made({ traits: { ...held, hook: hook() } }), context()),
    ).toEqual([])
  })
})
