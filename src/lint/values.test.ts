import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { at, type Json } from '../core/json.ts'
import { holdsText, stringsBelow } from './values.ts'

const json = fc.jsonValue() as fc.Arbitrary<Json>

it('finds every string at its path', () => {
  expect(stringsBelow({ a: ['x', { b: 'y' }], c: 1, d: null })).toEqual([
    { path: ['a', 0], text: 'x' },
    { path: ['a', 1, 'b'], text: 'y' },
  ])
  fc.assert(
    fc.property(json, (value) => {
      for (const { path, text } of stringsBelow(value)) expect(at(value, path)).toBe(text)
    }),
  )
})

it('holds a text exactly when one of its strings does', () => {
  fc.assert(
    fc.property(json, (value) => {
      const slow = stringsBelow(value).some(({ text }) => /[a-m]/.test(text))
      expect(holdsText(value, /[a-m]/)).toBe(slow)
    }),
  )
})
