import { describe, expect, test } from 'vitest'
import {
  dnsLabelFaults,
  domainPathFaults,
  envNameFaults,
  labelKeyFaults,
  labelValueFaults,
  portNameFaults,
  subdomainFaults,
} from './names.ts'

describe('text that is as it should be gives no fault', () => {
  test.each([
    ['label', dnsLabelFaults, ['a', '1-a', 'x'.repeat(63)]],
    ['subdomain', subdomainFaults, ['a', 'a.b-c.1', 'x'.repeat(253)]],
    ['label key', labelKeyFaults, ['a', 'A_b.c', 'x.y/Z', `${'x'.repeat(253)}/a`]],
    ['label value', labelValueFaults, ['', 'a', 'A_b.c', 'x'.repeat(63)]],
    ['port name', portNameFaults, ['http', 'a-1']],
  ] as const)('%s', (_, faults, values) => {
    for (const value of values) expect(faults(value)).toEqual([])
  })
})

describe('faults', () => {
  test('of a label count characters, of a label key bytes', () => {
    expect(dnsLabelFaults('x'.repeat(64))).toEqual(['must be no more than 63 characters'])
    expect(labelKeyFaults('x'.repeat(64))).toEqual(['name part must be no more than 63 bytes'])
  })

  test('of a label that is a subdomain speak of dots only', () => {
    expect(dnsLabelFaults('a.b')).toEqual(['must not contain dots'])
  })

  test.each([
    ['/a', 'prefix part must be non-empty'],
    ['a/', 'name part must be non-empty'],
    ['a/b/c', 'a valid label key must consist of'],
    ['A/b', 'prefix part a lowercase RFC 1123 subdomain'],
    ['-a', 'name part must consist of'],
  ])('of the key %j begin with %j', (key, beginning) => {
    expect(labelKeyFaults(key)[0]?.startsWith(beginning)).toBe(true)
  })

  test('of a managedBy without a domain name the whole text', () => {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")'
    expect(domainPathFaults('x')).toEqual([{ value: 'x', detail }])
    expect(domainPathFaults('semel.dev/replay')).toEqual([])
  })

  test('of names of variables depend on the version', () => {
    expect(envNameFaults('1 a', true)).toEqual([])
    expect(envNameFaults('1 a', false)).toHaveLength(1)
    expect(envNameFaults('a=b', true)).toHaveLength(1)
  })
})
