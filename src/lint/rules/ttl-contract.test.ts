import { describe, expect, it } from 'vitest'
import { context, made, placeIn, type Made } from '../../../test/lint/subject.ts'
import type { TtlContract } from '../rule.ts'
import { ttlContract } from './ttl-contract.ts'

const entry = (file: string, job: string) => ({
  file,
  job,
  reason: 'agreed with storage',
  place: placeIn('semel.yaml'),
})

const contract: TtlContract = {
  seconds: 86_400,
  none: [entry('apps/keep.yaml', 'keep'), entry('./apps/kernel.yaml', 'build-${KERNEL_TAG}')],
  value: [{ ...entry('apps/short.yaml', 'short'), seconds: 60 }],
}

const ttl = (seconds: number | string | null) => ({ ttlSecondsAfterFinished: seconds })

const judge = (options: Made, of: TtlContract | undefined = contract) =>
  ttlContract.check?.(made(options), context(of)) ?? []

describe('ttl-contract', () => {
  it.each<[string, Made]>([
    ['a Job with the agreed TTL', { spec: ttl(86_400) }],
    ['a Job of the list none without a TTL', { file: 'apps/keep.yaml', name: 'keep' }],
    [
      'a templated name as it is written',
      { file: 'apps/kernel.yaml', name: 'build-${KERNEL_TAG}' },
    ],
    ['an empty TTL in the list none', { file: 'apps/keep.yaml', name: 'keep', spec: ttl(null) }],
    [
      'a Job of the list value with its value',
      { file: './apps/short.yaml', name: 'short', spec: ttl(60) },
    ],
  ])('is silent for %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })

  it('is silent while semel.yaml has no ttlContract, and off by default', () => {
    expect(ttlContract.check?.(made({ spec: ttl(7) }), context())).toEqual([])
    expect(ttlContract.offByDefault).toBe(true)
  })

  it('is silent for CronJobs', () => {
    expect(ttlContract.kinds).toEqual(['Job'])
  })

  it.each<[string, Made, string, string]>([
    ['no TTL', {}, 'has no ttlSecondsAfterFinished', 'set ttlSecondsAfterFinished: 86400'],
    ['another TTL', { spec: ttl(3600) }, 'ttlSecondsAfterFinished: 3600', 'ttlContract.value'],
    ['a TTL as text', { spec: ttl('86400') }, '"86400"', 'set ttlSecondsAfterFinished: 86400'],
    [
      'a TTL in the list none',
      { file: 'apps/keep.yaml', name: 'keep', spec: ttl(86_400) },
      'ttlSecondsAfterFinished: 86400',
      'remove ttlSecondsAfterFinished, or take its entry out of ttlContract.none',
    ],
    [
      'no TTL in the list value',
      { file: 'apps/short.yaml', name: 'short' },
      'has no ttlSecondsAfterFinished',
      'set ttlSecondsAfterFinished: 60',
    ],
    [
      'the general TTL in the list value',
      { file: 'apps/short.yaml', name: 'short', spec: ttl(86_400) },
      'ttlSecondsAfterFinished: 86400',
      'set ttlSecondsAfterFinished: 60, or change its entry in ttlContract.value',
    ],
    [
      'an entry for another file',
      { file: 'apps/other.yaml', name: 'keep' },
      'has no ttlSecondsAfterFinished',
      'set ttlSecondsAfterFinished: 86400',
    ],
    [
      'an entry for another Job of the file',
      { file: 'apps/keep.yaml', name: 'keep-too' },
      'has no ttlSecondsAfterFinished',
      'set ttlSecondsAfterFinished: 86400',
    ],
  ])('speaks for %s', (_case, options, what, remedy) => {
    const found = judge(options)
    expect(found).toHaveLength(1)
    expect(found[0]?.severity).toBeUndefined()
    expect(found[0]?.what).toContain(what)
    expect(found[0]?.remedy).toContain(remedy)
  })

  it('points to the entry that it quotes', () => {
    const [finding] = judge({ file: 'apps/short.yaml', name: 'short' })
    expect(finding?.why).toContain('agreed with storage')
    expect(finding?.related?.[0]?.place.source.path).toBe('semel.yaml')
  })

  it.each<[string, Made]>([
    ['a templated TTL', { spec: ttl('${TTL}') }],
    ['a spec that rendering may add to', { open: ['spec'] }],
  ])('warns that it cannot see %s', (_case, options) => {
    const [finding] = judge(options)
    expect(finding?.severity).toBe('warning')
    expect(finding?.what).toContain('only known after rendering')
  })

  it('needs no TTL of a Job in the list none, rendered or not', () => {
    expect(judge({ file: 'apps/keep.yaml', name: 'keep', open: ['spec'] })).toEqual([])
  })
})
