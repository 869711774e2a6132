import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalQuantity } from './quantity.ts'

describe('canonicalQuantity', () => {
  it.each<[string | number | bigint, string]>([
    ['1', '1'],
    [1, '1'],
    [1n, '1'],
    ['1000m', '1'],
    ['500m', '0.5'],
    ['0.5', '0.5'],
    [0.5, '0.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+1', '1'],
    ['-1', '-1'],
    ['-1500m', '-1.5'],
    ['0', '0'],
    ['-0', '0'],
    ['Mi', '0'],
    ['.', '0'],
    ['00.10', '0.1'],
    ['1k', '1000'],
    ['1Ki', '1024'],
    ['1M', '1000000'],
    ['1Mi', '1048576'],
    ['1G', '1000000000'],
    ['1Gi', '1073741824'],
    ['1024Mi', '1073741824'],
    ['1.5Gi', '1610612736'],
    ['1T', '1000000000000'],
    ['1Ti', '1099511627776'],
    ['1P', '1000000000000000'],
    ['1Pi', '1125899906842624'],
    ['1E', '1000000000000000000'],
    ['1Ei', '1152921504606846976'],
    ['1e3', '1000'],
    ['1E3', '1000'],
    ['1e+3', '1000'],
    ['15e-1', '1.5'],
    [1e21, '1000000000000000000000'],
    ['1u', '0.000001'],
    ['1n', '0.000000001'],
    [' 1 ', '1'],
    ['9007199254740993', '9007199254740993'],
  ])('reads %s as %s', (written, expected) => {
    expect(canonicalQuantity(written)).toBe(expected)
  })

  it.each([
    ['what is below a billionth is rounded up', '0.1n', 'nano', '0.000000001'],
    ['and away from zero when negative', '-0.1n', 'nano', '-0.000000001'],
    ['lists of resources are rounded up to thousandths', '1u', 'milli', '0.001'],
    ['of which nothing is left to round', '1001u', 'milli', '0.002'],
    ['a whole thousandth stays', '2000u', 'milli', '0.002'],
    ['a binary suffix is capped at 2^63 - 1', '100Ei', 'nano', '9223372036854775807'],
    ['a decimal one is not', '100E', 'nano', '100000000000000000000'],
  ] as const)('%s', (_name, written, scale, expected) => {
    expect(canonicalQuantity(written, scale)).toBe(expected)
  })

  it.each([
    '',
    ' ',
    '1 Gi',
    '1GiB',
    '1gi',
    '1K',
    '1mm',
    '0x10',
    '1_000',
    '1e',
    '1e1000',
    '{{ .Values.cpu }}',
    '${CPU}',
    'NaN',
  ])('takes %j for no quantity', (written) => {
    expect(canonicalQuantity(written)).toBeUndefined()
  })

  it('gives one text for all spellings of a value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (whole) => {
        const spellings = [
          `${whole}`,
          `${whole * 1000n}m`,
          `${whole}e0`,
          `${whole}.000`,
          `${whole}000e-3`,
        ]
        const texts = new Set(spellings.map((text) => canonicalQuantity(text)))
        expect([...texts]).toEqual([`${whole}`])
      }),
    )
  })

  it('is its own canonical text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (nano) => {
        const once = canonicalQuantity(`${nano}n`) ?? ''
        expect(canonicalQuantity(once)).toBe(once)
      }),
    )
  })
})
