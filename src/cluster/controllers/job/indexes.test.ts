import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countOf,
  firstFree,
  hasIndex,
  indexesOf,
  overlap,
  readIndexes,
  union,
  writeIndexes,
} from './indexes.ts'

describe('completion indexes as text', () => {
  it.each([
    ['nothing', [], ''],
    ['one index', [3], '3'],
    ['two neighbours, as two numbers', [3, 4], '3,4'],
    ['three neighbours, as a run', [2, 3, 4], '2-4'],
    ['a mixture', [0, 2, 3, 4, 6, 7], '0,2-4,6,7'],
  ])('writes %s', (_, indexes, text) => {
    expect(writeIndexes(indexesOf(indexes))).toBe(text)
  })

  it.each([
    ['leaves out indexes that the Job no longer wants', '0,2-9', 5, '0,2-4'],
    ['joins runs that touch', '0,1,2', 5, '0-2'],
    ['skips what is no number', 'a,1,b-3', 5, '1'],
    ['reads nothing from nothing', undefined, 5, ''],
  ])('%s', (_, text, completions, expected) => {
    expect(writeIndexes(readIndexes(text, completions))).toBe(expected)
  })
})

describe('sets of completion indexes', () => {
  const some = fc.uniqueArray(fc.nat(40), { maxLength: 25 })

  it('agree with sets of numbers', () => {
    fc.assert(
      fc.property(some, some, fc.nat(45), fc.nat(10), (one, other, completions, count) => {
        const left = indexesOf(one)
        const right = indexesOf(other)
        const both = new Set([...one, ...other])
        const joined = union(left, right)
        expect(joined).toEqual(indexesOf(both))
        expect(countOf(joined)).toBe(both.size)
        expect(overlap(left, right)).toBe(one.filter((index) => other.includes(index)).length)
        const free = firstFree(left, count, completions)
        const expected = []
        for (let at = 0; at < completions && expected.length < count; at += 1) {
          if (!one.includes(at)) expected.push(at)
        }
        expect(free).toEqual(expected)
        for (let at = 0; at < 45; at += 1) expect(hasIndex(left, at)).toBe(one.includes(at))
      }),
    )
  })

  it('read back what they wrote', () => {
    fc.assert(
      fc.property(some, (numbers) => {
        const indexes = indexesOf(numbers)
        expect(readIndexes(writeIndexes(indexes), 41)).toEqual(indexes)
      }),
    )
  })
})
