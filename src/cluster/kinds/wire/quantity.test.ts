import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText, quantityText, readQuantity } from './quantity.ts'

describe('a quantity in an answer', () => {
  test.each([
    ['1', '1'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1e3', '1e3'],
    ['1536Mi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['1u', '1m'],
    ['-1', '-1'],
    ['0', '0'],
    ['010', '10'],
    ['9223372036854775807', '9223372036854775807'],
    ['10Ei', '9223372036854775807'],
  ])('%s is written %s', (written, answered) => {
    expect(canonicalText(written, true)).toBe(answered)
  })

  test.each(['', 'x', '1 ', '1i', '1.1.1'])('%j is none and stays as it is', (text) => {
    expect(canonicalText(text, true)).toBe(text)
  })

  test('a size keeps its billionths, a resource does not', () => {
    expect(canonicalText('1n', false)).toBe('1n')
    expect(canonicalText('1n', true)).toBe('1m')
  })

  test('reads as the same value, and is its own answer', () => {
    const suffixes = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3')
    const numbers = fc.integer({ min: 1, max: 10 ** 9 })
    fc.assert(
      fc.property(numbers, suffixes, (number, suffix) => {
        const text = canonicalText(`${number}${suffix}`, true)
        const read = readQuantity(text)
        expect(read?.nano).toBe(readQuantity(`${number}${suffix}`)?.nano)
        expect(canonicalText(text, true)).toBe(text)
        expect(read === undefined ? '' : quantityText(read)).toBe(text)
      }),
    )
  })
})
