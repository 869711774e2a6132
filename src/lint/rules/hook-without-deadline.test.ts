import { describe, expect, it } from 'vitest'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import { hookWithoutDeadline } from './hook-without-deadline.ts'

const ENDLESS = {
  hook: hook(),
  waiter: waiter({ who: 'the Argo CD sync', timeoutSeconds: undefined }),
}

const judge = (options: Made) => hookWithoutDeadline.check?.(made(options), context()) ?? []

describe('hook-without-deadline', () => {
  it('speaks for a hook whose waiter has no limit', () => {
    const [finding] = judge({ traits: ENDLESS })
    expect(finding?.what).toBe(
      'Job shop/migrate is a PreSync hook without a deadline, and the Argo CD sync waits for its end without a limit',
    )
    expect(finding?.remedy).toContain('spec.activeDeadlineSeconds')
  })

  it.each<[string, Made]>([
    ['a deadline', { traits: ENDLESS, spec: { activeDeadlineSeconds: 600 } }],
    [
      'a deadline that rendering decides',
      { traits: ENDLESS, spec: { activeDeadlineSeconds: '{{ .Values.d }}' } },
    ],
    ['a deadline that rendering may add', { traits: ENDLESS, open: ['spec'] }],
    ['a suspended hook', { traits: ENDLESS, spec: { suspend: true } }],
    ['a waiter that gives up by itself', { traits: { hook: hook(), waiter: waiter() } }],
    ['a hook that nobody waits for', { traits: { hook: hook() } }],
    ['a Job that is no hook', { traits: { waiter: ENDLESS.waiter } }],
    ['an object that the engine leaves alone', { traits: { ...ENDLESS, applies: false } }],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
