import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { forceReplaceRunsEverySync } from './force-replace-runs-every-sync.ts'

const KEY = 'argocd.argoproj.io/sync-options'
const forced = {
  updatesBy: 'delete-and-create',
  recreatesUnchanged: 'every full sync',
  templateChange: 'recreates',
} as const

const judge = (options: Made) => forceReplaceRunsEverySync.check?.(made(options), context()) ?? []

describe('force-replace-runs-every-sync', () => {
  it('says on which occasion the unchanged Job runs', () => {
    const [finding] = judge({ traits: forced, annotations: { [KEY]: 'Force=true,Replace=true' } })
    expect(finding?.what).toBe(
      'Job shop/migrate is deleted and created, and so runs, at every full sync',
    )
    expect(finding?.at).toEqual(['metadata', 'annotations', KEY])
  })

  it('says that self-heal may run it twice, and only there', () => {
    const watch = { when: 'watch', delaySeconds: 0, rule: 'test' } as const
    const [healed] = judge({ traits: { ...forced, restoresAbsent: watch } })
    expect(healed?.why).toContain('self-heal may then take the new Job for a difference')
    expect(judge({ traits: forced })[0]?.why).not.toContain('self-heal')
  })

  it('points at the name, and to the option, when the option stands in the carrier', () => {
    const [finding] = judge({ traits: forced, settings: { Replace: 'true' } })
    expect(finding?.at).toEqual(['metadata', 'name'])
    expect(finding?.related).toHaveLength(1)
  })

  it.each<[string, Made]>([
    ['for an engine that applies', {}],
    [
      'where unchanged objects are left out',
      { traits: { updatesBy: 'delete-and-create', templateChange: 'recreates' } },
    ],
    [
      'where a repeat converges',
      { traits: forced, annotations: { 'semel.dev/contract': 'converges' } },
    ],
    ['for hooks', { traits: { ...forced, hook: hook() } }],
    ['where the engine leaves the object alone', { traits: { ...forced, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })

  it('is silent for CronJobs', () => {
    expect(forceReplaceRunsEverySync.kinds).toEqual(['Job'])
  })
})
