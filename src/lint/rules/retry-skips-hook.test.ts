import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { retrySkipsHook } from './retry-skips-hook.ts'

const skipped = hook({
  annotation: 'helm.sh/hook',
  phases: ['pre-upgrade'],
  retrySkips: 'an install',
})
const judge = (options: Made) => retrySkipsHook.check?.(made(options), context()) ?? []

describe('retry-skips-hook', () => {
  it('says what the retry is, and which event is missing', () => {
    const [finding] = judge({ traits: { hook: skipped } })
    expect(finding?.why).toContain('the retry is an install')
    expect(finding?.remedy).toContain('pre-install,pre-upgrade')
    expect(finding?.at).toEqual(['metadata', 'annotations', 'helm.sh/hook'])
  })

  it.each<[string, Made]>([
    ['when the retry runs the hook again', { traits: { hook: hook() } }],
    ['for a Job that is no hook', {}],
    ['where the engine leaves it alone', { traits: { hook: skipped, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
