import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullName, isDnsLabel, labelValue, nameLimit, objectName, shortGroup } from './names.ts'

const HASH = '0231d2e97649814295d3aa9c5627178f329a1f0826d6073954171c84d8e621fd'

describe('the full name', () => {
  it.each<[string, string, string, string | undefined, string]>([
    ['shop', '', '', undefined, 'shop-app'],
    ['app', '', '', undefined, 'app'],
    ['my-app-prod', '', '', undefined, 'my-app-prod'],
    ['shop', 'jobs', '', undefined, 'shop-jobs'],
    ['shop-jobs', 'jobs', '', undefined, 'shop-jobs'],
    ['shop', '', '', 'web', 'shop-web'],
    ['shop', 'jobs', 'all', 'web', 'all'],
  ])(
    '%s, nameOverride %j, fullnameOverride %j, chart %j: %s',
    (name, part, whole, chart, wanted) => {
      const release = { name, namespace: 'prod', ...(chart === undefined ? {} : { chart }) }
      expect(fullName(release, { nameOverride: part, fullnameOverride: whole })).toBe(wanted)
    },
  )
})

describe('the short name of a group', () => {
  it.each([
    ['db', 'db'],
    ['customer-reports', 'customer'],
    ['migrate-data', 'migrate'],
    ['abcdefg--x', 'abcdefg'],
    ['12345678', '12345678'],
  ])('%s: %s', (group, short) => {
    expect(shortGroup(group)).toBe(short)
  })
})

describe('the name of an object', () => {
  it.each<[string, number, boolean, number]>([
    ['fits to the last character with its hash', 54, true, 63],
    ['is cut when one character is too much', 55, true, 63],
    ['fits to the last character without a hash', 63, false, 63],
    ['is cut without a hash', 64, false, 63],
  ])('%s', (_case, length, withHash, expected) => {
    const base = 'a'.repeat(length)
    const name = objectName(base, withHash ? HASH : undefined, 63)
    expect(name).toHaveLength(expected)
    expect(name.startsWith(base)).toBe(length === (withHash ? 54 : 63))
    if (withHash) expect(name.endsWith('-0231d2e9')).toBe(true)
  })

  it.each<[number, boolean]>([
    [43, true],
    [44, true],
    [52, false],
    [53, false],
  ])('of a CronJob has at most 52 characters, from a base of %i', (length, withHash) => {
    const name = objectName('b'.repeat(length), withHash ? HASH : undefined, 52)
    expect(name).toHaveLength(52)
    if (withHash) expect(name.endsWith('-0231d2e9')).toBe(true)
  })

  it('does not end in a dash before the digits of the base', () => {
    const name = objectName(`${'a'.repeat(46)}--${'b'.repeat(20)}`, HASH, 63)
    expect(name).toMatch(/^a{46}-[0-9a-f]{5}-0231d2e9$/)
  })

  it('keeps long bases with one beginning apart, even with the same hash', () => {
    const one = objectName(`${'a'.repeat(60)}-one`, HASH, 63)
    const other = objectName(`${'a'.repeat(60)}-two`, HASH, 63)
    expect(one).not.toBe(other)
  })

  it('is a DNS-1123 label within the limit, and ends in the hash, whatever the base is', () => {
    const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$/)
    fc.assert(
      fc.property(part, part, fc.constantFrom(63, 52, 40), (one, other, limit) => {
        const base = `${one}-${other}`
        const named = objectName(base, HASH, limit)
        expect(isDnsLabel(named)).toBe(true)
        expect(named.length).toBeLessThanOrEqual(limit)
        expect(named.endsWith('-0231d2e9')).toBe(true)
        expect(isDnsLabel(objectName(base, undefined, limit))).toBe(true)
        expect(labelValue(base).length).toBeLessThanOrEqual(63)
      }),
    )
  })
})

describe('the limit', () => {
  it('is 63, for a CronJob 52, and leaves room for the index of an Indexed Job’s pods', () => {
    expect(nameLimit('Job', {})).toBe(63)
    expect(nameLimit('CronJob', {})).toBe(52)
    expect(nameLimit('Job', { completionMode: 'Indexed', completions: 101 })).toBe(59)
  })
})
