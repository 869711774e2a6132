import { describe, expect, it } from 'vitest'
import { context, made, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { referenceToHashedName } from './reference-to-hashed-name.ts'

const checking = (name: string, namespace = 'shop', kind = 'Job'): JsonObject => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'shop', namespace: 'flux-system' },
  spec: { healthChecks: [{ apiVersion: 'batch/v1', kind, name, namespace }] },
})

const judge = (options: Made, ...others: readonly JsonObject[]) =>
  referenceToHashedName.checkRepository?.(repositoryOf([made(options)], others), context()) ?? []

const HASHED = { name: 'migrate-5d1e77aa' }

describe('reference-to-hashed-name', () => {
  it('warns of the next change', () => {
    const [finding] = judge(HASHED, checking('migrate-5d1e77aa'))
    expect(finding?.what).toBe(
      'a health check of Kustomization flux-system/shop names Job shop/migrate-5d1e77aa, whose name changes with its content',
    )
    expect(finding?.severity).toBeUndefined()
  })

  it('says that a reference with an old hash leads to nothing', () => {
    const [finding] = judge(HASHED, checking('migrate-0a9b8c7d'))
    expect(finding?.severity).toBe('error')
    expect(finding?.what).toContain('which is called migrate-5d1e77aa now')
  })

  it('speaks for an old hash of a stamped name too', () => {
    const annotations = { 'semel.dev/fingerprint': 'intent v1 5d1e77aa' }
    expect(judge({ ...HASHED, annotations }, checking('migrate-0a9b8c7d'))).toHaveLength(1)
    expect(judge({ ...HASHED, annotations }, checking('migrate-5d1e77aa'))).toEqual([])
  })

  it.each<[string, Made, JsonObject]>([
    ['a name without a hash', { name: 'migrate' }, checking('migrate')],
    ['a date, which is no hash', { name: 'migrate-20261129' }, checking('migrate-20261129')],
    ['another namespace', HASHED, checking('migrate-5d1e77aa', 'blog')],
    ['another base name', HASHED, checking('import-5d1e77aa')],
    ['another kind', HASHED, checking('migrate-5d1e77aa', 'shop', 'Deployment')],
    [
      'an object that the engine leaves alone',
      { ...HASHED, traits: { applies: false } },
      checking('migrate-5d1e77aa'),
    ],
  ])('is silent for %s', (_, options, other) => {
    expect(judge(options, other)).toEqual([])
  })
})
