import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  runsOf,
  type History,
  type JobLife,
  type Outcome,
  type RunCause,
} from '../history/history.ts'
import { rowsOf } from './rows.ts'
import { sentenceOf } from './sentence.ts'
import { at, commits, happening, history, lane, life, START } from './testing.ts'
import { whyNotOf } from './why-not.ts'
import { whyOf } from './why.ts'

const causes: readonly RunCause[] = [
  'first',
  'changed',
  'restored',
  'replaced',
  'retried',
  'hook',
  'schedule',
  'manual',
]
const outcomes: readonly Outcome[] = ['complete', 'failed', 'running', 'gone', 'waiting']

const lives: fc.Arbitrary<readonly JobLife[]> = fc
  .array(
    fc.record({
      from: fc.double({ min: 0, max: 200, noNaN: true }),
      runs: fc.double({ min: 0, max: 30, noNaN: true }),
      kept: fc.option(fc.double({ min: 0, max: 50, noNaN: true })),
      cause: fc.constantFrom(...causes),
      outcome: fc.constantFrom(...outcomes),
      trigger: fc.constantFrom('interval', 'revision', 'request', 'watch', 'expiry'),
      name: fc.constantFrom('migrate', 'migrate-2'),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all
      .toSorted((one, other) => one.from - other.from)
      .map(({ from, runs, kept, cause, outcome, trigger, name }) =>
        life({
          from,
          runs,
          cause,
          outcome,
          trigger,
          name,
          ...(kept === null ? {} : { expires: from + runs + kept }),
          ...(outcome === 'waiting' ? { startedAt: undefined as never } : {}),
        }),
      ),
  )

const histories: fc.Arbitrary<History> = fc
  .record({ lives, kind: fc.constantFrom('Job', 'CronJob'), ttl: fc.option(fc.nat(90_000)) })
  .map(({ lives: own, kind, ttl }) =>
    history(
      [
        lane(own, {
          kind,
          ...(kind === 'CronJob' ? { schedule: '0 */3 * * *' } : {}),
          ...(ttl === null ? {} : { ttlSeconds: ttl }),
        }),
      ],
      { happenings: [...commits(0, 24, 48), happening(50, 'round', 'reconciled')] },
    ),
  )

/** What a program says when it forgot to look. */
const SLIP = /undefined|NaN|Infinity|null|\[object|\b1 runs\b|because $|: $| {2}/

it('says something sound of every history', () => {
  fc.assert(
    fc.property(histories, (played) => {
      for (const one of played.lanes) {
        const sentence = sentenceOf(one, played)
        expect(sentence).not.toMatch(SLIP)
        const count = runsOf(one, played).length
        if (count > 1) expect(sentence).toContain(`${count} runs in 7 days`)
        for (const cell of Object.values(rowsOf(played)[0] ?? {})) {
          if (typeof cell === 'string') expect(cell).not.toMatch(SLIP)
        }
      }
    }),
    { numRuns: 300, seed: 6 },
  )
})

it('answers for every time, and is exact where a run was going', () => {
  const hour = fc.double({ min: 0, max: 167.9, noNaN: true })
  fc.assert(
    fc.property(histories, hour, (played, hours) => {
      const instant = at(hours)
      const target = `shop/migrate@${(instant - START) / 1000}s`
      const why = whyOf(played, target)
      const [one] = played.lanes
      if (one === undefined) return
      const going = runsOf(one, played).filter(
        ({ startedAt, endedAt, deletedAt }) =>
          startedAt <= instant && instant < (endedAt ?? deletedAt ?? played.end),
      )
      if (why.kind === 'run') {
        expect(why.inexact === undefined).toBe(going.length > 0)
        expect(why.chain.map((step) => step.at)).toEqual(
          why.chain.map((step) => step.at).toSorted((first, second) => first - second),
        )
      } else expect(runsOf(one, played)).toEqual([])
      const answer = whyNotOf(played, target)
      expect(answer.running !== undefined).toBe(going.length > 0)
      expect(answer.state).not.toMatch(SLIP)
      for (const line of answer.different) expect(line).not.toMatch(SLIP)
    }),
    { numRuns: 300, seed: 6 },
  )
})
