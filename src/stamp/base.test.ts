import { describe, expect, it } from 'vitest'
import { fingerprint } from '../core/fingerprint.ts'
import type { JsonObject } from '../core/json.ts'
import { baseOf, contentNameOf, type Named } from './base.ts'

const object: JsonObject = {
  kind: 'Job',
  spec: { template: { spec: { containers: [{ name: 'main', image: 'a:1' }] } } },
}
const DIGEST = 'ab12cd34'.padEnd(64, '0')
const LONG = 'a-base-that-is-so-long-that-it-does-not-fit-into-a-name-at-all'

function base(name: string, named: Partial<Named> = {}): string {
  return baseOf({
    isStamped: true,
    kind: 'Job',
    object,
    name,
    recordedBase: undefined,
    recordedDigest: undefined,
    was: undefined,
    policy: 'intent',
    ...named,
  }).base
}

describe('the base of a name', () => {
  it('is the name itself before the first stamp', () => {
    expect(base('migrate')).toBe('migrate')
  })

  it('is the recorded one where the name was made from it, whatever the content is now', () => {
    const recorded = { recordedBase: 'migrate', recordedDigest: DIGEST }
    expect(base('migrate-ab12cd34', recorded)).toBe('migrate')
    expect(base('migrate-00000000', recorded)).toBe('migrate')
  })

  it('is the recorded one where a person has put the plain name back', () => {
    expect(base('migrate', { recordedBase: 'migrate', recordedDigest: DIGEST })).toBe('migrate')
  })

  it('is the recorded one while semel.dev/was keeps an older name', () => {
    expect(base('old', { recordedBase: 'migrate', was: 'old' })).toBe('migrate')
  })

  it('is the uncut one where the name had to be cut', () => {
    const name = contentNameOf('Job', object, LONG, DIGEST)
    expect(name).not.toContain(LONG)
    expect(base(name, { recordedBase: LONG, recordedDigest: DIGEST })).toBe(LONG)
  })

  it('is the new name of a stamped Job that was copied', () => {
    const recorded = { recordedBase: 'migrate', recordedDigest: DIGEST }
    expect(base('seed', recorded)).toBe('seed')
    expect(base('seed-and-more', recorded)).toBe('seed-and-more')
  })

  it('has the prefix that kustomize put before a stamped name', () => {
    const recorded = { recordedBase: 'migrate', recordedDigest: DIGEST }
    expect(base('prod-migrate-ab12cd34', recorded)).toBe('prod-migrate')
  })

  it('keeps a hash that somebody else has put there', () => {
    expect(base('migrate-ab12cd34')).toBe('migrate-ab12cd34')
    expect(base('x-ab12cd34', { recordedBase: 'y', recordedDigest: '9'.repeat(64) })).toBe(
      'x-ab12cd34',
    )
  })

  it('is found without annotations where the hash is that of the content', () => {
    const name = contentNameOf('Job', object, 'migrate', fingerprint(object).digest)
    expect(base(name)).toBe('migrate')
  })
})
