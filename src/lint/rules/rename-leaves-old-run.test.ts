import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { renameLeavesOldRun } from './rename-leaves-old-run.ts'

const orphans = { orphansPods: true } as const
const name = 'migrate-5d1e77aa'
const judge = (options: Made) => renameLeavesOldRun.check?.(made(options), context()) ?? []

describe('rename-leaves-old-run', () => {
  it('informs, and warns where the contract is never-again', () => {
    expect(judge({ name, traits: orphans })[0]?.severity).toBeUndefined()
    expect(renameLeavesOldRun.severity).toBe('info')
    const annotations = { 'semel.dev/contract': 'never-again' }
    expect(judge({ name, traits: orphans, annotations })[0]?.severity).toBe('warning')
  })

  it.each<[string, Made]>([
    ['for an engine that deletes the pods', { name }],
    ['for a name that stays', { traits: orphans }],
    [
      'where the pod has a deadline of its own',
      { name, traits: orphans, spec: { template: { spec: { activeDeadlineSeconds: 600 } } } },
    ],
    ['where rendering may bring one', { name, traits: orphans, open: ['spec.template.spec'] }],
    [
      'where a repeat converges',
      { name, traits: orphans, annotations: { 'semel.dev/contract': 'converges' } },
    ],
    ['for hooks', { name, traits: { ...orphans, hook: hook() } }],
    ['where the engine leaves it alone', { name, traits: { ...orphans, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
