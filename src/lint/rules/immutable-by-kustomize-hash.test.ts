import { describe, expect, it } from 'vitest'
import { context, hook, made, placeIn, type Made } from '../../../test/lint/subject.ts'
import { immutableByKustomizeHash } from './immutable-by-kustomize-hash.ts'

const reads = (name: string) => ({
  template: { spec: { containers: [{ name: 'task', envFrom: [{ configMapRef: { name } }] }] } },
})

function judge(options: Made = {}) {
  const generated = { kind: 'ConfigMap', name: 'settings', annotations: {} } as const
  const subject = made({ spec: reads('settings'), ...options })
  const generatedNames = [{ ...generated, place: placeIn('shop/kustomization.yaml') }]
  return immutableByKustomizeHash.check?.({ ...subject, generatedNames }, context()) ?? []
}

describe('immutable-by-kustomize-hash', () => {
  it('points at the reference, and at the generator', () => {
    const [finding] = judge()
    expect(finding?.what).toBe(
      'Job shop/migrate keeps its name when the generated ConfigMap settings changes',
    )
    expect(finding?.at?.join('.')).toBe(
      'spec.template.spec.containers.0.envFrom.0.configMapRef.name',
    )
    expect(finding?.related).toHaveLength(1)
  })

  it('offers force where the carrier has it', () => {
    expect(judge({ settings: { force: 'false' } })[0]?.remedy).toContain('set force on the Job')
    expect(judge()[0]?.remedy).not.toContain('force')
  })

  it('counts optional references too, as their names change all the same', () => {
    const envFrom = [{ configMapRef: { name: 'settings', optional: true } }]
    const spec = { template: { spec: { containers: [{ name: 'task', envFrom }] } } }
    expect(judge({ spec })).toHaveLength(1)
  })

  it.each<[string, Made]>([
    ['another ConfigMap', { spec: reads('others') }],
    ['a hook', { traits: { hook: hook() } }],
    ['an engine that re-creates a changed Job', { traits: { templateChange: 'recreates' } }],
    ['an engine that skips the change', { traits: { templateChange: 'skipped' } }],
    ['a name that only rendering knows', { name: 'migrate-${TAG}' }],
    ['an object that the engine leaves alone', { traits: { applies: false } }],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })

  it('is silent for CronJobs', () => {
    expect(immutableByKustomizeHash.kinds).toEqual(['Job'])
  })
})
