import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { lastWaveNotWaitedFor } from './last-wave-not-waited-for.ts'

const last = { comesLast: 'the last wave' }
const annotations = { 'argocd.argoproj.io/sync-wave': '5' }
const judge = (options: Made) => lastWaveNotWaitedFor.check?.(made(options), context()) ?? []

describe('last-wave-not-waited-for', () => {
  it('names the wave and points at it', () => {
    const [finding] = judge({ traits: last, annotations })
    expect(finding?.what).toBe('nobody waits for Job shop/migrate: wave 5 is the last one')
    expect(finding?.at).toEqual(['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'])
  })

  it.each<[string, Made]>([
    ['where something may follow', { annotations }],
    ['for hooks', { traits: { ...last, hook: hook() }, annotations }],
    [
      'where rendering may make it a hook',
      { traits: last, annotations, open: ['metadata'], hookTraits: { hook: hook() } },
    ],
    ['where the engine leaves it alone', { traits: { ...last, applies: false }, annotations }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
