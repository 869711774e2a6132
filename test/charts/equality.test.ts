import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { helm3Path, helm4Path, oraclesMissing } from '../oracles.ts'
import { arbitraryCase, type Case } from './arbitrary.ts'
import { chartAnswers, ourAnswer, type Answer } from './harness.ts'
import { arbitraryWrongCase } from './wrong.ts'

const RUNS = Number(process.env['RUNS'] ?? 735)
const SEED = Number(process.env['SEED'] ?? 7)
const why = oraclesMissing === undefined ? '' : ` (${oraclesMissing})`

describe.skipIf(oraclesMissing !== undefined)(
  `the chart and semel render${why}`,
  { timeout: 180_000 },
  () => {
    const cases: readonly Case[] = fc.sample(arbitraryCase(), { numRuns: RUNS, seed: SEED })
    const ours = cases.map(ourAnswer)
    let helms: readonly string[] = []
    beforeAll(async () => {
      helms = [await helm3Path(), await helm4Path()]
    })

    it('are given enough values that are right, and some that are not', () => {
      const right = ours.filter(({ objects }) => objects.length > 0)
      expect(right.length).toBeGreaterThanOrEqual(RUNS * 0.681)
      expect(ours.length - right.length).toBeGreaterThan(RUNS / 30)
    })

    it.each([3, 4])('agree on generated values under Helm %i', async (version) => {
      const theirs = await chartAnswers(helms[version - 3] ?? '', cases)
      expect(theirs.length).toBe(cases.length)
      for (const [index, one] of cases.entries()) same(one, ours[index], theirs[index])
    })

    it.each([3, 4])('refuse the same for the same reasons under Helm %i', async (version) => {
      const wrong = fc.sample(arbitraryWrongCase(), { numRuns: Math.floor(RUNS / 3), seed: SEED })
      const theirs = await chartAnswers(helms[version - 3] ?? '', wrong)
      for (const [index, one] of wrong.entries()) same(one, ourAnswer(one), theirs[index])
    })
  },
)

function same(one: Case, ours: Answer | undefined, theirs: Answer | undefined): void {
  expect(theirs, JSON.stringify(one)).toEqual(ours)
}
