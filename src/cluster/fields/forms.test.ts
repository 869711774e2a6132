import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalQuantity } from '../../core/quantity.ts'
import { quantityForm } from './quantity-form.ts'
import { timeForm } from './time-form.ts'

const SUFFIXES = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-2']

describe('the written form of an amount', () => {
  it('has the same value, and is its own written form', () => {
    const written = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.nat(2 ** 31),
        fc.option(fc.nat(999)),
        fc.constantFrom(...SUFFIXES),
      )
      .map(([sign, whole, fraction, suffix]) => {
        return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${suffix}`
      })
    fc.assert(
      fc.property(written, (text) => {
        const form = quantityForm(text)
        if ('fault' in form) throw new Error(form.fault)
        expect(canonicalQuantity(form.text)).toBe(canonicalQuantity(text))
        expect(quantityForm(form.text)).toEqual(form)
      }),
      { numRuns: 1000 },
    )
  })

  it('is rounded up to thousandths for resources, and not otherwise', () => {
    expect(quantityForm('1n', true)).toEqual({ text: '1m' })
    expect(quantityForm('1n')).toEqual({ text: '1n' })
  })
})

describe('the written form of a time', () => {
  it('is UTC in whole seconds, and is its own written form', () => {
    const instant = fc.integer({ min: 0, max: 4_000_000_000 })
    const zone = fc.constantFrom('Z', '+01:00', '-11:30', '+14:00')
    fc.assert(
      fc.property(instant, zone, fc.nat(999), (seconds, offset, millis) => {
        const minutes = offset === 'Z' ? 0 : minutesOf(offset)
        const local = new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19)
        const expected = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
        expect(timeForm(`${local}.${millis}${offset}`)).toEqual({ text: expected })
        expect(timeForm(expected)).toEqual({ text: expected })
      }),
    )
  })

  it('keeps microseconds where the type has them', () => {
    const written = '2020-01-01T01:00:00.000123+01:00'
    expect(timeForm(written, true)).toEqual({ text: '2020-01-01T00:00:00.000123Z' })
  })
})

function minutesOf(offset: string): number {
  const sign = offset.startsWith('-') ? -1 : 1
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))
}
