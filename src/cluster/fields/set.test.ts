import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  difference,
  EMPTY,
  forEach,
  has,
  intersection,
  isEmpty,
  recursiveDifference,
  SetBuilder,
  union,
  type FieldSet,
} from './set.ts'

const ELEMENTS = ['f:a', 'f:b', 'k:{"name":"x"}', 'k:{"port":9}', 'k:{"port":80}', 'v:"s"', 'v:10']
const path = fc.array(fc.constantFrom(...ELEMENTS), { minLength: 1, maxLength: 3 })
const paths = fc.array(path, { maxLength: 12 })

function setOfPaths(list: readonly (readonly string[])[]): FieldSet {
  const builder = new SetBuilder()
  for (const one of list) builder.add(one)
  return builder.build()
}

function members(set: FieldSet): string[] {
  const found: string[] = []
  forEach(set, (at) => found.push(at.join(' ')))
  return found.sort()
}

function names(list: readonly (readonly string[])[]): Set<string> {
  return new Set(list.map((one) => one.join(' ')))
}

describe('sets of fields', () => {
  it('hold the paths that were added, each once, whatever the order', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = setOfPaths(list)
        expect(members(set)).toEqual([...names(list)].sort())
        expect(JSON.stringify(set)).toBe(JSON.stringify(setOfPaths(list.toReversed())))
        for (const one of list) expect(has(set, one)).toBe(true)
        expect(isEmpty(set)).toBe(list.length === 0)
      }),
    )
  })

  it('obey the laws of sets, member by member', () => {
    fc.assert(
      fc.property(paths, paths, (one, other) => {
        const [a, b] = [setOfPaths(one), setOfPaths(other)]
        const [inA, inB] = [names(one), names(other)]
        const both = [...inA].filter((name) => inB.has(name)).sort()
        const onlyA = [...inA].filter((name) => !inB.has(name)).sort()
        expect(members(union(a, b))).toEqual([...new Set([...inA, ...inB])].sort())
        expect(members(intersection(a, b))).toEqual(both)
        expect(members(difference(a, b))).toEqual(onlyA)
        expect(JSON.stringify(union(a, b))).toBe(JSON.stringify(union(b, a)))
        expect(union(difference(a, b), intersection(a, b))).toEqual(a)
      }),
    )
  })

  it('lose with a member all that is below it, when asked to', () => {
    fc.assert(
      fc.property(paths, paths, (one, other) => {
        const gone = names(other)
        const isGone = (at: readonly string[]): boolean =>
          at.some((_, depth) => gone.has(at.slice(0, depth + 1).join(' ')))
        const left = recursiveDifference(setOfPaths(one), setOfPaths(other))
        expect(members(left)).toEqual([...names(one.filter((at) => !isGone(at)))].sort())
      }),
    )
  })

  it('stay the same object where nothing changes', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = setOfPaths(list)
        expect(union(set, EMPTY)).toBe(set)
        expect(difference(set, EMPTY)).toBe(set)
        expect(union(set, setOfPaths(list))).toBe(set)
        expect(difference(set, setOfPaths([['f:nobody']]))).toBe(set)
      }),
    )
  })

  it('list fields before keys before values, and numbers by their size', () => {
    const set = setOfPaths([['v:10'], ['k:{"port":80}'], ['v:9'], ['k:{"port":9}'], ['f:z']])
    expect(Object.keys(set)).toEqual(['f:z', 'k:{"port":9}', 'k:{"port":80}', 'v:9', 'v:10'])
  })
})
