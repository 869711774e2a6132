import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusters, strongest } from './merge.ts'

const places = fc
  .array(fc.double({ min: -500, max: 1500, noNaN: true }), { maxLength: 200 })
  .map((list) => list.sort((one, other) => one - other))

describe('marks that stand close together', () => {
  it('become one with the next as long as each is nearer than the room', () => {
    expect(clusters([0, 10, 19, 60], 20)).toEqual([
      { first: 0, last: 2, from: 0, to: 19 },
      { first: 3, last: 3, from: 60, to: 60 },
    ])
  })

  it('are all in exactly one cluster, and clusters never touch', () => {
    fc.assert(
      fc.property(places, (list) => {
        const found = clusters(list, 20)
        expect(
          found.flatMap(({ first, last }) => last - first + 1).reduce((a, b) => a + b, 0),
        ).toBe(list.length)
        for (const [at, { from }] of found.entries()) {
          if (at > 0) expect(from - (found[at - 1]?.to ?? 0)).toBeGreaterThanOrEqual(20)
        }
      }),
    )
  })

  it('are left out where they are out of sight, and cut nowhere', () => {
    fc.assert(
      fc.property(places, (list) => {
        const all = clusters(list, 20).map((one) => JSON.stringify(one))
        for (const one of clusters(list, 20, 1000)) expect(all).toContain(JSON.stringify(one))
      }),
    )
  })

  it('are none where there is nothing', () => {
    expect(clusters([], 20)).toEqual([])
  })
})

describe('the stripe of a crowd', () => {
  it('shows one failure among a thousand', () => {
    const items = Array.from({ length: 1000 }, (_, at) => ({
      part: at / 1000,
      value: at === 500 ? 'failed' : 'complete',
    }))
    const found = strongest(items, 10, (value) => (value === 'failed' ? 1 : 0))
    expect(found.map(({ value }) => value)).toEqual(['complete', 'failed', 'complete'])
    expect(found[1]).toMatchObject({ from: 0.5, to: 0.6 })
  })

  it('leaves gaps where nothing was', () => {
    const items = [
      { part: 0, value: 'a' },
      { part: 1, value: 'a' },
    ]
    expect(strongest(items, 4, () => 0)).toHaveLength(2)
  })
})
