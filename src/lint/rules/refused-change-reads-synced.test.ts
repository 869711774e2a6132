import { describe, expect, it } from 'vitest'
import type { Traits } from '../../engines/engine.ts'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { refusedChangeReadsSynced } from './refused-change-reads-synced.ts'

const hidden: Partial<Traits> = {
  refusedReadsApplied: { setting: 'ServerSideApply', words: 'ServerSideApply=true' },
}
const judge = (options: Made) => refusedChangeReadsSynced.check?.(made(options), context()) ?? []

describe('refused-change-reads-synced', () => {
  it('names the option and points to it', () => {
    const [finding] = judge({ traits: hidden, settings: { ServerSideApply: 'true' } })
    expect(finding?.why).toContain('with ServerSideApply=true')
    expect(finding?.related).toHaveLength(1)
  })

  it('speaks also where a forced replacement is asked for, which is never reached', () => {
    expect(judge({ traits: { ...hidden, templateChange: 'recreates' } })).toHaveLength(1)
  })

  it.each<[string, Made]>([
    ['for an engine that shows the refusal', {}],
    ['for a hashed name', { traits: hidden, name: 'migrate-5d1e77aa' }],
    ['for generateName', { traits: hidden, generateName: 'migrate-' }],
    ['for hooks', { traits: { ...hidden, hook: hook() } }],
    [
      'where rendering may make it a hook',
      { traits: hidden, open: ['metadata'], hookTraits: { hook: hook() } },
    ],
    ['where the template is never applied', { traits: { ...hidden, templateChange: 'skipped' } }],
    ['where the engine leaves it alone', { traits: { ...hidden, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })

  it('is silent for CronJobs', () => {
    expect(refusedChangeReadsSynced.kinds).toEqual(['Job'])
  })
})
