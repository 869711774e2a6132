import { describe, expect, it } from 'vitest'
import { context, made, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { quantitySpellingDrift } from './quantity-spelling-drift.ts'

const limited = (cpu: Json): JsonObject => ({
  template: {
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'task', image: 'api:1', resources: { limits: { cpu } } }],
    },
  },
})

const CARRIER = { kind: 'Kustomization', metadata: { name: 'shop', namespace: 'flux-system' } }

function both(one: Made, other: Made) {
  const subjects = [one, other].map((options) => made({ carrier: CARRIER, ...options }))
  return quantitySpellingDrift.checkRepository?.(repositoryOf(subjects), context()) ?? []
}

/** The Job as its file says it, and as a patch leaves it. */
function patched(name: string, before: Json, after: Json, more: Made = {}) {
  const subject = made({ name, spec: limited(after), ...more })
  const { manifest } = made({ name, spec: limited(before), ...more })
  return quantitySpellingDrift.check?.({ ...subject, manifest }, context()) ?? []
}

const one = { name: 'migrate-5d1e77aa', spec: limited('1') }
const other = { name: 'migrate-0a9b8c7d', spec: limited('1000m') }

describe('quantity-spelling-drift', () => {
  it('finds two Jobs that only the spelling keeps apart', () => {
    const [finding] = both(one, other)
    expect(finding?.what).toBe(
      'Job shop/migrate-5d1e77aa and Job shop/migrate-0a9b8c7d do the same: only the spelling of quantities differs',
    )
  })

  it.each<[string, Made, Made]>([
    ['another value', one, { ...other, spec: limited('1001m') }],
    ['the same spelling', one, { ...other, spec: limited('1') }],
    ['another base name', one, { ...other, name: 'import-0a9b8c7d' }],
    ['one name', one, { ...other, name: 'migrate-5d1e77aa' }],
    ['text that rendering decides', one, { ...other, spec: limited('{{ .Values.cpu }}') }],
    [
      'stamped names',
      one,
      { ...other, annotations: { 'semel.dev/fingerprint': 'intent v1 0a9b8c7d' } },
    ],
  ])('is silent for %s', (_, first, second) => {
    expect(both(first, second)).toEqual([])
  })

  it.each([
    [1, '1000m'],
    ['0.5', '500m'],
    [1, '1'],
  ])('informs of a patch that writes %j as %j', (before, after) => {
    const [finding] = patched('migrate-5d1e77aa', before, after)
    expect(finding?.severity).toBe('info')
    expect(finding?.at?.at(-1)).toBe('cpu')
  })

  it.each<[string, string, Json, Json, Made?]>([
    ['a patch with another value', 'migrate-5d1e77aa', '1', '2'],
    ['a patch that changes nothing', 'migrate-5d1e77aa', '1', '1'],
    ['a name without a hash', 'migrate', '1', '1000m'],
    [
      'a stamped name',
      'migrate-5d1e77aa',
      '1',
      '1000m',
      { annotations: { 'semel.dev/fingerprint': 'intent v1 5d1e77aa' } },
    ],
  ])('is silent for %s', (_, name, before, after, more) => {
    expect(patched(name, before, after, more)).toEqual([])
  })
})
