import { describe, expect, it } from 'vitest'
import { distributionOf, distributionSentence, sampleOf, type Sample } from './distribution.ts'
import { history, lane, life } from './testing.ts'

function sample(
  seed: number,
  starts: readonly number[],
  rest: { readonly runs?: number } = {},
): Sample {
  const lives = starts.map((from) => life({ from, ...rest }))
  return sampleOf(history([lane(lives)], { timing: { mode: 'realistic', seed } }))
}

describe('a distribution', () => {
  it('counts runs, first runs and runs beside each other over all plays', () => {
    const samples = [
      sample(1, [0, 25, 50]),
      sample(2, [1, 26]),
      sample(3, [0, 0.5], { runs: 2 }),
      sample(4, []),
    ]
    const { plays, seeds, lanes } = distributionOf(samples)
    expect([plays, seeds]).toEqual([4, { first: 1, last: 4 }])
    expect(lanes[0]).toMatchObject({
      name: 'shop/migrate',
      ran: 3,
      runs: { min: 0, median: 2, max: 3 },
      first: { min: 0, median: 0, max: 3_600_000 },
      overlapped: 1,
      counts: [
        { runs: 0, plays: 1 },
        { runs: 2, plays: 2 },
        { runs: 3, plays: 1 },
      ],
    })
  })

  it('counts a lane that a play does not have as one without a run', () => {
    const samples = [sample(1, [0]), sampleOf(history([]))]
    expect(distributionOf(samples).lanes[0]).toMatchObject({ ran: 1, runs: { min: 0, max: 1 } })
  })

  it('is empty for no play', () => {
    expect(distributionOf([])).toEqual({ plays: 0, start: 0, end: 0, lanes: [] })
  })

  it('takes a run that begins as the other ends for none beside it', () => {
    expect(sample(1, [0, 1], { runs: 1 }).lanes[0]?.overlaps).toBe(false)
  })

  it('says it in a sentence', () => {
    const all = distributionOf([sample(1, [0, 25]), sample(2, [1, 1.01, 26]), sample(3, [])])
    const [one] = all.lanes
    expect(one === undefined ? '' : distributionSentence(one, all)).toBe(
      '0 to 3 runs in 7 days, median 2; 1 of 3 plays have no run; first after 0 s to 1 h; ' +
        'two runs at one time in 1 of 3 plays',
    )
    const usual = distributionOf([1, 2, 3].map((seed) => sample(seed, seed === 3 ? [0] : [0, 25])))
    const [two] = usual.lanes
    expect(two === undefined ? '' : distributionSentence(two, usual)).toMatch(
      /^1 to 2 runs in 7 days, 2 in 2 of 3 plays; /,
    )
    const same = distributionOf([sample(1, [0]), sample(2, [0])])
    const [lone] = same.lanes
    expect(lone === undefined ? '' : distributionSentence(lone, same)).toBe(
      '1 run in 7 days in every play; first after 0 s',
    )
  })
})
