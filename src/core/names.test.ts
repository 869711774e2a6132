import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from './faults.ts'
import { sha256Hex } from './hash.ts'
import {
  assertDistinct,
  contentName,
  hashSuffixOf,
  nameBudget,
  nameProblem,
  repairName,
  type NamedKind,
} from './names.ts'

const DIGEST = '3f9a1b2c'.padEnd(64, '0')
const INDEXED = { completionMode: 'Indexed', completions: 100 }
const LONG = 'customer-billing-eu-west-staging-ledger-schema-migrate-tenants'
const SIBLING = 'customer-billing-eu-west-staging-ledger-schema-migrate-archive'

describe('contentName', () => {
  it('ends in the first eight digits of the fingerprint', () => {
    expect(contentName({ kind: 'Job', base: 'migrate', fingerprint: DIGEST })).toEqual({
      name: 'migrate-3f9a1b2c',
      sha8: '3f9a1b2c',
      cut: false,
    })
  })

  it.each<[NamedKind, number]>([
    ['Job', 54],
    ['CronJob', 43],
  ])('keeps a base of a %s that just fits, and cuts a longer one', (kind, room) => {
    const fits = 'a'.repeat(room)
    const whole = contentName({ kind, base: fits, fingerprint: DIGEST })
    expect(whole).toMatchObject({ name: `${fits}-3f9a1b2c`, cut: false })
    const cut = contentName({ kind, base: `${fits}a`, fingerprint: DIGEST })
    expect(cut.cut).toBe(true)
    expect(cut.name).toBe(`${fits}-${cut.sha8}`)
    expect(cut.sha8).not.toBe(whole.sha8)
  })

  it('leaves room for the index in the host names of an Indexed Job', () => {
    const { name } = contentName({ kind: 'Job', base: LONG, fingerprint: DIGEST, ...INDEXED })
    expect(`${name}-99`.length).toBeLessThanOrEqual(63)
  })

  it('keeps two long names apart that begin alike and do the same', () => {
    expect([LONG.length, SIBLING.length]).toEqual([62, 62])
    const names = [LONG, SIBLING].map(
      (base) => contentName({ kind: 'Job', base, fingerprint: DIGEST }).name,
    )
    expect(names[0]?.slice(0, 54)).toBe(names[1]?.slice(0, 54))
    expect(names[0]).not.toBe(names[1])
    expect(names.map((name) => name.length)).toEqual([63, 63])
  })

  it('leaves no dash or dot at the cut', () => {
    const base = `${'a'.repeat(52)}-.-bcdefgh`.replace('-.-', '---')
    expect(contentName({ kind: 'Job', base, fingerprint: DIGEST }).name).toMatch(
      /^a{52}-[0-9a-f]{8}$/,
    )
  })

  it.each([
    ['Db_Migrate', 'db-migrate'],
    ['-migrate-', 'migrate'],
    ['', 'job'],
    ['db migrate!', 'db-migrate'],
    ['a.-b', 'a-b'],
  ])('refuses the base %j and proposes %s', (base, repaired) => {
    expect(() => contentName({ kind: 'Job', base, fingerprint: DIGEST })).toThrow(
      expect.objectContaining({ code: 'NAME_INVALID', remedy: `call it '${repaired}'` }) as Error,
    )
  })

  it('refuses a dot only where the name becomes a host name', () => {
    const input = { kind: 'Job', base: 'shop.migrate', fingerprint: DIGEST } as const
    expect(contentName(input).name).toBe('shop.migrate-3f9a1b2c')
    expect(() => contentName({ ...input, ...INDEXED })).toThrow(Fault)
  })

  it('always gives a name that Kubernetes takes, and never two for one or one for two', () => {
    const base = fc
      .stringMatching(/^[a-z0-9]([a-z0-9-]{0,90}[a-z0-9])?$/)
      .filter((text) => text.length > 0)
    const input = fc.record({
      kind: fc.constantFrom<NamedKind>('Job', 'CronJob'),
      base,
      fingerprint: fc.integer().map((seed) => sha256Hex(String(seed))),
      completionMode: fc.constantFrom('Indexed', 'NonIndexed'),
      completions: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    })
    fc.assert(
      fc.property(input, input, (one, other) => {
        const { completionMode, completions, kind } = one
        const job = { completionMode, completions }
        const spec = kind === 'Job' ? job : { jobTemplate: { spec: job } }
        const { name, sha8 } = contentName(one)
        expect(nameProblem(kind, name, spec)).toBeUndefined()
        expect(name.endsWith(`-${sha8}`)).toBe(true)
        const twin = contentName({ ...one, base: other.base })
        expect(twin.name === name).toBe(one.base === other.base)
      }),
    )
  })
})

describe('nameBudget', () => {
  it.each<[string, NamedKind, Record<string, unknown>, number]>([
    ['a Job', 'Job', {}, 63],
    ['a Job whose completions are not indexed', 'Job', { completions: 100 }, 63],
    ['an Indexed Job of one', 'Job', { completionMode: 'Indexed', completions: 1 }, 61],
    ['an Indexed Job of ten', 'Job', { completionMode: 'Indexed', completions: 10 }, 61],
    ['an Indexed Job of eleven', 'Job', { completionMode: 'Indexed', completions: 11 }, 60],
    ['an Indexed Job of none', 'Job', { completionMode: 'Indexed', completions: 0 }, 63],
    ['a CronJob', 'CronJob', {}, 52],
    [
      'a CronJob of Indexed Jobs of ten',
      'CronJob',
      { jobTemplate: { spec: { completionMode: 'Indexed', completions: 10 } } },
      52,
    ],
    ['a CronJob of Indexed Jobs of a hundred', 'CronJob', { jobTemplate: { spec: INDEXED } }, 51],
  ])('of %s', (_name, kind, spec, budget) => {
    expect(nameBudget(kind, spec as never)).toBe(budget)
  })
})

describe('nameProblem', () => {
  it.each<[NamedKind, string, string | undefined, number]>([
    ['Job', 'customer-billing-eu-west-staging', undefined, 32],
    ['Job', 'customer-billing-eu-west-staging-ledger-schema-migrate', undefined, 54],
    ['Job', 'customer-billing-eu-west-staging-ledger-schema-migrate-3f9a1b2c', undefined, 63],
    ['Job', 'customer-billing-eu-west-staging-ledger-schema-migrate-all-3f9a1b2c0', 'too-long', 68],
    ['CronJob', 'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeff', undefined, 52],
    ['CronJob', 'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeefff', 'too-long', 53],
    ['CronJob', 'timeseries-observability-prometheus-drop-chunk-a-3f9a1b2c', 'too-long', 57],
    ['Job', 'Migrate', 'invalid', 7],
    ['Job', 'migrate_db', 'invalid', 10],
    ['Job', 'shop.migrate', undefined, 12],
  ])('%s %s: %s', (kind, name, fault, length) => {
    expect(name.length).toBe(length)
    expect(nameProblem(kind, name, {})?.fault).toBe(fault)
  })

  it('says how many bytes and why', () => {
    expect(nameProblem('Job', 'a'.repeat(64), {})).toEqual({
      fault: 'too-long',
      length: 64,
      budget: 63,
      why: 'it has 64 bytes and 63 are allowed: the name becomes a label of the pods',
    })
    expect(nameProblem('Job', 'a'.repeat(62), INDEXED)?.why).toBe(
      'it has 62 bytes and 60 are allowed: the pods of an Indexed Job add a dash and their index to make their host name',
    )
    expect(nameProblem('CronJob', 'a'.repeat(53), {})?.why).toBe(
      'it has 53 bytes and 52 are allowed: Kubernetes adds a dash and a time to make the name of each Job',
    )
    expect(nameProblem('CronJob', 'a'.repeat(52), { jobTemplate: { spec: INDEXED } })?.why).toMatch(
      /52 bytes and 51 .* index/,
    )
    expect(nameProblem('Job', 'shop.migrate', INDEXED)).toMatchObject({
      fault: 'invalid',
      repaired: 'shop-migrate',
    })
  })

  it('says nothing of a templated name that may still fit', () => {
    expect(nameProblem('Job', '{{ .Release.Name }}-Migrate', {})).toBeUndefined()
    expect(nameProblem('Job', '${TAG}', {})).toBeUndefined()
  })

  it('says that a templated name is too long when its literal text alone is', () => {
    expect(nameProblem('Job', `{{ .Release.Name }}-${'a'.repeat(63)}`, {})?.length).toBe(64)
  })
})

describe('repairName', () => {
  it('gives a name that needs no repair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const repaired = repairName(text)
        expect(repaired).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
        expect(repairName(repaired)).toBe(repaired)
      }),
    )
  })
})

describe('hashSuffixOf', () => {
  it.each([
    ['migrate-3f9a1b2c', 'hex', '3f9a1b2c'],
    ['a-b-0a06e350', 'hex', '0a06e350'],
    [
      'migrate-0231d2e97649814295d3aa9c5627178f329a1f0826d6073954171c84d8e621fd',
      'hex',
      '0231d2e97649814295d3aa9c5627178f329a1f0826d6073954171c84d8e621fd',
    ],
    ['config-9gb6f8k2mt', 'kustomize', '9gb6f8k2mt'],
    ['config-dtb42ckm98', 'kustomize', 'dtb42ckm98'],
  ])('sees the hash of %s', (name, kind, hash) => {
    expect(hashSuffixOf(name)).toEqual({ kind, hash, base: name.slice(0, -hash.length - 1) })
  })

  it.each([
    'migrate',
    'migrate-20240101',
    'migrate-20240101123000',
    'migrate-1700000000',
    'grand-facade',
    'migrate-deadbeef',
    'migrate-defaced1',
    'migrate-3f9a1b2',
    'migrate-v1',
    'migrate-3F9A1B2C',
    'migrate-3f9a1b2c-',
    'migrate-3f9a1b2g',
    '-3f9a1b2c',
    '3f9a1b2c',
    'migrate-{{ .Values.tag }}',
    'migrate-bcdfghkmtb',
  ])('sees none in %s', (name) => {
    expect(hashSuffixOf(name)).toBeUndefined()
  })

  it('sees almost all hashes', () => {
    const seen = Array.from(
      { length: 2000 },
      (_, seed) => `a-${sha256Hex(String(seed)).slice(0, 8)}`,
    )
      .map(hashSuffixOf)
      .filter((suffix) => suffix?.kind === 'hex').length
    expect(seen).toBeGreaterThan(2000 * 0.95)
  })
})

describe('assertDistinct', () => {
  const job = { kind: 'Job', namespace: 'shop', name: 'a', from: 'one.yaml:1' }

  it('accepts the same name for another kind or namespace', () => {
    assertDistinct([job, { ...job, kind: 'CronJob' }, { ...job, namespace: 'other' }])
  })

  it('names both places of each collision', () => {
    const twin = { ...job, from: 'two.yaml:7' }
    const other = { kind: 'Job', name: 'b', from: 'three.yaml:1' }
    expect(() => assertDistinct([job, twin, other, { ...other, from: 'four.yaml:2' }])).toThrow(
      expect.objectContaining({
        code: 'NAME_COLLISION',
        message:
          'Job a comes from one.yaml:1 and two.yaml:7; Job b comes from three.yaml:1 and four.yaml:2',
      }) as Error,
    )
  })
})
