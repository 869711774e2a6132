import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hook, made } from '../../test/lint/subject.ts'
import {
  comesWithEverySync,
  contractOf,
  duration,
  hashInName,
  isReplacedEachTime,
  label,
  mayBecomeHook,
  policiesKnown,
} from './helpers.ts'

describe('duration', () => {
  it.each([
    [0, '0 s'],
    [45, '45 s'],
    [90, '90 s'],
    [60, '1 min'],
    [300, '5 min'],
    [3600, '1 h'],
    [4200, '70 min'],
    [7200, '2 h'],
    [7260, '2 h 1 min'],
    [86_400, '24 h'],
    [90_000, '25 h'],
    [172_800, '2 days'],
    [604_800, '7 days'],
    [0.75, '0.75 s'],
    [601, '10 min'],
  ])('says %d s as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text)
  })

  it('never says a length that is off by more than a twentieth', () => {
    const unit: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, days: 86_400 }
    assert(
      property(integer({ min: 1, max: 40_000_000 }), (seconds) => {
        const words = duration(seconds).split(' ')
        let said = 0
        for (let at = 0; at < words.length; at += 2) {
          said += Number(words[at]) * (unit[words[at + 1] ?? ''] ?? Number.NaN)
        }
        expect(Math.abs(said - seconds) / seconds).toBeLessThan(0.05)
      }),
    )
  })
})

describe('label', () => {
  it('names kind, namespace and name', () => {
    expect(label(made())).toBe('Job shop/migrate')
  })

  it('keeps a templated name as it is written', () => {
    expect(label(made({ name: '{{ .Release.Name }}-migrate' }))).toBe(
      'Job shop/{{ .Release.Name }}-migrate',
    )
  })
})

describe('contractOf', () => {
  it.each([
    ['converges', 'converges'],
    ['never-again', 'never-again'],
    ['once', 'once'],
    ['convergent', 'once'],
    ['{{ .Values.contract }}', 'once'],
  ])('reads %s as %s', (word, contract) => {
    expect(contractOf(made({ annotations: { 'semel.dev/contract': word } }))).toBe(contract)
  })

  it('is once where nobody says anything', () => {
    expect(contractOf(made())).toBe('once')
  })
})

describe('hashInName', () => {
  it.each([
    'migrate-5d1e77aa',
    'migrate-0a1b2c3d4e',
    '{{ .Release.Name }}-migrate-{{ toYaml .Values.job | sha256sum | trunc 8 }}',
    'shop-{{ .Values.image | adler32sum }}',
    '<< inputs.name >>-<< inputs.tag | sha256sum | trunc 8 >>',
    '${schema.metadata.name}-${hash.fnv64a(json.marshal(schema.spec))}',
  ])('finds the hash in %s', (name) => {
    expect(hashInName(made({ name }))).toBeDefined()
  })

  it.each([
    'migrate',
    'migrate-20261129',
    'clean-facade',
    'migrate-v2',
    'migrate-abc12',
    'deadbeef',
    '{{ .Release.Name }}-migrate',
    '{{ include "shop.jobName" . }}',
    'migrate-{{ .Release.Revision }}',
  ])('proves nothing by %s', (name) => {
    expect(hashInName(made({ name }))).toBeUndefined()
  })

  it('believes the annotation that stamp leaves behind', () => {
    const annotations = { 'semel.dev/fingerprint': 'v1:0123' }
    expect(hashInName(made({ annotations }))).toBeDefined()
  })
})

describe('hooks', () => {
  it.each([
    [['before-hook-creation'], true],
    [['hook-succeeded', 'hook-failed'], true],
    [['hook-failed'], false],
    [[], false],
  ] as const)('with the policies %j run anew each time: %s', (deletePolicies, anew) => {
    expect(isReplacedEachTime(hook({ deletePolicies }))).toBe(anew)
  })

  it('come with every sync unless they have an occasion of their own', () => {
    expect(comesWithEverySync(hook())).toBe(true)
    expect(comesWithEverySync(hook({ phases: ['test'], onlyOn: 'test run' }))).toBe(false)
  })

  it('have unknown policies when one is templated, or when rendering may add one', () => {
    const key = 'helm.sh/hook-delete-policy'
    const written = hook({ policyAnnotations: [key] })
    const templated = { [key]: '{{ .Values.policy }}' }
    const open = ['metadata.annotations']
    expect(policiesKnown(made({ traits: { hook: written }, annotations: templated }))).toBe(false)
    expect(policiesKnown(made({ traits: { hook: hook() }, open }))).toBe(false)
    expect(policiesKnown(made({ traits: { hook: hook() } }))).toBe(true)
  })
})

describe('mayBecomeHook', () => {
  const hookTraits = { hook: hook() }

  it('is true when rendering may add annotations and the engine heeds hooks', () => {
    expect(mayBecomeHook(made({ open: ['metadata.annotations'], hookTraits }))).toBe(true)
    expect(mayBecomeHook(made({ open: ['metadata'], hookTraits }))).toBe(true)
  })

  it('is false where the engine does not heed hooks, or nothing can be added', () => {
    expect(mayBecomeHook(made({ open: ['metadata.annotations'] }))).toBe(false)
    expect(mayBecomeHook(made({ hookTraits }))).toBe(false)
  })
})
