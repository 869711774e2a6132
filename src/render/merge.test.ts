import { describe, expect, it } from 'vitest'
import type { Json } from '../core/json.ts'
import { deepMerge, joined, keyedMerge, pick, tidied, unlessEmpty } from './merge.ts'

describe('pick', () => {
  it.each<[string, (Json | undefined)[], Json | undefined]>([
    ['the last that is there', [1, 2, undefined], 2],
    ['false, not true', [true, false], false],
    ['0, not 5', [5, 0], 0],
    ['empty text', ['x', ''], ''],
    ['an empty list', [['x'], []], []],
    ['nothing after null, so that a default applies', [5, null], undefined],
    ['nothing where nothing is', [undefined, undefined], undefined],
  ])('gives %s', (_case, levels, wanted) => {
    expect(pick(levels)).toEqual(wanted)
  })
})

describe('keyedMerge', () => {
  it('replaces whole entries, and null removes one or all', () => {
    expect(keyedMerge([{ a: { x: 1 }, b: 1 }, { a: { y: 2 } }])).toEqual({ a: { y: 2 }, b: 1 })
    expect(keyedMerge([{ a: 1, b: 2 }, { a: null }])).toEqual({ b: 2 })
    expect(keyedMerge([{ a: 1 }, null, { b: 2 }])).toEqual({ b: 2 })
    expect(keyedMerge([undefined, { a: '' }])).toEqual({ a: '' })
  })

  it('takes __proto__ for a name like any other', () => {
    const level = JSON.parse('{"__proto__": 1}') as Json
    expect(Object.keys(keyedMerge([level]))).toEqual(['__proto__'])
  })
})

describe('deepMerge', () => {
  it('merges mappings, replaces the rest, and tells nothing from an empty mapping', () => {
    expect(deepMerge([{ a: { x: 1, y: [1] } }, { a: { y: [2] } }])).toEqual({ a: { x: 1, y: [2] } })
    expect(deepMerge([{ a: { x: 1 } }, { a: true }])).toEqual({ a: true })
    expect(deepMerge([{ a: true }, { a: { x: 1 } }])).toEqual({ a: { x: 1 } })
    expect(deepMerge([{ a: 1 }, {}])).toEqual({ a: 1 })
    expect(deepMerge([{ a: 1 }, null])).toBeUndefined()
    expect(deepMerge([undefined])).toBeUndefined()
  })
})

describe('joined, tidied and unlessEmpty', () => {
  it('join lists, and null starts anew', () => {
    expect(joined([[1], undefined, [2]])).toEqual([1, 2])
    expect(joined([[1], null, [2]])).toEqual([2])
  })

  it('drop null members and sort keys, at every depth, and change no input', () => {
    const value = { b: null, a: { d: 1, c: [{ z: 1, y: null }] } }
    const before = JSON.stringify(value)
    expect(JSON.stringify(tidied(value))).toBe('{"a":{"c":[{"z":1}],"d":1}}')
    expect(JSON.stringify(value)).toBe(before)
  })

  it('leave out what says nothing, and keep what is falsy', () => {
    expect(unlessEmpty({})).toBeUndefined()
    expect(unlessEmpty([])).toBeUndefined()
    expect(unlessEmpty({ a: null })).toBeUndefined()
    expect(unlessEmpty(0)).toBe(0)
    expect(unlessEmpty('')).toBe('')
    expect(unlessEmpty(false)).toBe(false)
    expect(unlessEmpty({ a: {} })).toEqual({ a: {} })
  })
})
