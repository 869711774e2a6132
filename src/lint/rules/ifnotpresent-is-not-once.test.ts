import { describe, expect, it } from 'vitest'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import { ifnotpresentIsNotOnce } from './ifnotpresent-is-not-once.ts'

const MARK = { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' }
const SKIPS = { templateChange: 'skipped' } as const

const judge = (options: Made) => ifnotpresentIsNotOnce.check?.(made(options), context()) ?? []

describe('ifnotpresent-is-not-once', () => {
  it('warns of a TTL, which makes the Job absent', () => {
    const spec = { ttlSecondsAfterFinished: 3600 }
    const [finding] = judge({ annotations: MARK, spec, traits: SKIPS })
    expect(finding?.what).toBe('IfNotPresent does not keep Job shop/migrate from running again')
    expect(finding?.severity).toBeUndefined()
  })

  it('says without a TTL that a change never runs', () => {
    const [finding] = judge({ annotations: MARK, traits: SKIPS })
    expect(finding?.what).toContain('never runs while the Job exists')
    expect(finding?.severity).toBe('info')
  })

  it('reads the mark from labels and in any case', () => {
    const labels = { 'kustomize.toolkit.fluxcd.io/ssa': 'ifnotpresent' }
    expect(judge({ labels, traits: SKIPS })[0]?.at?.[1]).toBe('labels')
  })

  it.each<[string, Made]>([
    ['a Job without the mark', { traits: SKIPS }],
    ['another mode', { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge' } }],
    ['an engine that does not heed it', { annotations: MARK }],
    [
      'a repeat that converges',
      { annotations: { ...MARK, 'semel.dev/contract': 'converges' }, traits: SKIPS },
    ],
    [
      'a name that follows the content',
      { name: 'migrate-5d1e77aa', annotations: MARK, traits: SKIPS },
    ],
    ['a TTL that rendering may add', { annotations: MARK, open: ['spec'], traits: SKIPS }],
    [
      'a TTL that rendering decides',
      {
        annotations: MARK,
        spec: { ttlSecondsAfterFinished: '${TTL}' },
        traits: SKIPS,
      },
    ],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
