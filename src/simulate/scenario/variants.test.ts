import { describe, expect, it } from 'vitest'
import type { Scenario } from './format.ts'
import { matched } from './names.ts'
import { variantsOf } from './variants.ts'

function named(more: object): readonly [string, object][] {
  const scenario = { format: 'job-scenario/1', horizon: '1h', ...more } as Scenario
  return variantsOf(scenario, {}).map(({ name, settings }) => {
    const { kind: _, ...own } = settings
    return [name, own]
  })
}

describe('variantsOf', () => {
  it('tries each value of a setting, each with each of another', () => {
    const engine = { kind: 'argocd', prune: [true, false], selfHeal: [true, false] }
    expect(named({ engine })).toEqual([
      ['prune on, selfHeal on', { prune: true, selfHeal: true }],
      ['prune on, selfHeal off', { prune: true, selfHeal: false }],
      ['prune off, selfHeal on', { prune: false, selfHeal: true }],
      ['prune off, selfHeal off', { prune: false, selfHeal: false }],
    ])
  })

  it('tries the values within a setting, and keeps a setting that is a list by itself', () => {
    const engine = { kind: 'argocd', retry: { limit: [0, 5] }, syncOptions: ['Replace=true'] }
    expect(named({ engine })).toEqual([
      ['limit 0', { retry: { limit: 0 }, syncOptions: ['Replace=true'] }],
      ['limit 5', { retry: { limit: 5 }, syncOptions: ['Replace=true'] }],
    ])
  })

  it('gives a variant its settings, with or without the word engine', () => {
    const engine = { kind: 'argocd', selfHeal: true }
    const variants = {
      plain: {},
      own: { selfHeal: false },
      nested: { engine: { selfHeal: false } },
      dotted: { 'engine.selfHeal': false },
      field: { 'spec.x': 1, duration: '1h' },
    }
    expect(named({ engine, variants })).toEqual([
      ['plain', { selfHeal: true }],
      ['own', { selfHeal: false }],
      ['nested', { selfHeal: false }],
      ['dotted', { selfHeal: false }],
      ['field', { selfHeal: true }],
    ])
  })
})

describe('matched', () => {
  it('finds a variant by its words, in any order, and the rest by its place', () => {
    const names = ['selfHeal on', 'selfHeal off']
    expect(matched(['self_heal_off', 'self_heal_on'], names)).toEqual([1, 0])
    expect(
      matched(['drift_detection_off', 'drift_detection_enabled'], ['disabled', 'enabled']),
    ).toEqual([0, 1])
    expect(matched(['before_finalizers', 'after_finalizers'], ['2.10', '3.5'])).toEqual([0, 1])
    expect(matched(['one', 'two', 'three'], ['a', 'b'])).toEqual([0, 1, undefined])
  })
})
