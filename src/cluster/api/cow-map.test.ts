import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CowMap } from './cow-map.ts'

const KEYS = ['a', 'b', 'c'] as const
const step = fc.record({
  side: fc.constantFrom('one', 'other'),
  key: fc.constantFrom(...KEYS),
  value: fc.option(fc.integer(), { nil: undefined }),
})

test('a copy and its original change independently', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(step), (before, after) => {
      const one = new CowMap<string, number>()
      const plain = { one: new Map<string, number>(), other: new Map<string, number>() }
      for (const { key, value } of before) {
        write(one, key, value)
        write(plain.one, key, value)
      }
      plain.other = new Map(plain.one)
      const both = { one, other: one.copy() }
      for (const { side, key, value } of after) {
        write(both[side], key, value)
        write(plain[side], key, value)
      }
      for (const side of ['one', 'other'] as const) {
        const entries = KEYS.map((key) => [key, both[side].get(key)])
        expect(entries).toEqual(KEYS.map((key) => [key, plain[side].get(key)]))
        expect(both[side].size).toBe(plain[side].size)
      }
    }),
  )
})

test('own clones a value once after a copy, and only where a copy shares it', () => {
  const one = new CowMap<string, { count: number }>([['a', { count: 1 }]])
  expect(one.own('a', () => ({ count: 9 }))).toEqual({ count: 1 })
  const other = one.copy()
  const mine = other.own('a', ({ count }) => ({ count }))
  if (mine !== undefined) mine.count = 2
  expect(other.own('a', () => ({ count: 9 }))).toBe(mine)
  expect([one.get('a'), other.get('a')]).toEqual([{ count: 1 }, { count: 2 }])
})

function write(
  map: { set(key: string, value: number): unknown; delete(key: string): unknown },
  key: string,
  value: number | undefined,
): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}
