import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyMinute, hookRuns, life, ttlLoop } from '../../../test/simulate/histories.ts'
import type { Happening, History, JobLife } from '../history/history.ts'
import { pack, unpack } from './pack.ts'

/** The uid is the only thing that the page does without. */
function withoutUids(history: History): unknown {
  const lanes = history.lanes.map((lane) => ({
    ...lane,
    lives: lane.lives.map((life) => ({ ...life, uid: '' })),
  }))
  return { ...history, lanes }
}

function throughPage(history: History): History {
  return unpack(JSON.parse(JSON.stringify(pack(history))))
}

const text = fc.string({ unit: 'binary', maxLength: 12 }).map((one) => one.replaceAll('\u0001', ''))
const instant = fc.integer({ min: 0, max: 1e9 })
const steps = fc.array(
  fc.record(
    {
      at: instant,
      role: fc.constantFrom('trigger' as const, 'state' as const, 'effect' as const),
      actor: text,
      words: text,
      rule: text.filter((one) => one !== ''),
      page: text.filter((one) => one !== ''),
      unconfirmed: fc.constant(true as const),
      trigger: fc.constantFrom('interval' as const, 'watch' as const),
    },
    { requiredKeys: ['at', 'role', 'actor', 'words'] },
  ),
  { maxLength: 4 },
)
const lives: fc.Arbitrary<JobLife> = fc.record(
  {
    uid: text,
    namespace: text,
    name: text,
    cronJob: text.filter((one) => one !== ''),
    image: text,
    createdAt: instant,
    created: steps,
    cause: fc.constantFrom('first' as const, 'manual' as const, 'hook' as const),
    startedAt: instant,
    pods: fc.nat(7),
    executions: fc.nat(9),
    held: text.filter((one) => one !== ''),
    endedAt: instant,
    outcome: fc.constantFrom('complete' as const, 'failed' as const, 'waiting' as const),
    deletedAt: instant,
    deleted: steps.filter((list) => list.length > 0),
  },
  {
    requiredKeys: [
      'uid',
      'namespace',
      'name',
      'image',
      'createdAt',
      'created',
      'cause',
      'pods',
      'outcome',
    ],
  },
)

describe('a history in the page', () => {
  it.each([
    ['the TTL loop', ttlLoop],
    ['the hook', hookRuns],
    ['ten thousand runs', everyMinute],
  ])('comes back as it was: %s', (_, make) => {
    const history = make()
    expect(withoutUids(throughPage(history))).toEqual(withoutUids(history))
  })

  it('comes back as it was, whatever names, words and times it has', () => {
    fc.assert(
      fc.property(fc.array(lives, { maxLength: 5 }), (list) => {
        const history: History = {
          start: 1000,
          end: 2000,
          timing: { mode: 'realistic', seed: 3 },
          lanes: [{ name: 'a/b', kind: 'Job', lives: list }],
          happenings: [],
          warnings: [],
        }
        expect(withoutUids(throughPage(history))).toEqual(withoutUids(history))
      }),
    )
  })

  it('tells runs that repeat as distances, and comes back as it was', () => {
    const lives = Array.from({ length: 500 }, (_, at) =>
      life('a/b', at * 3_600_000 + (at % 50 === 7 ? 1 : 0), { pods: at % 100 === 50 ? 2 : 1 }),
    )
    const one: History = { ...ttlLoop(), lanes: [{ name: 'a/b', kind: 'Job', lives }] }
    expect(withoutUids(throughPage(one))).toEqual(withoutUids(one))
    expect(JSON.stringify(pack(one).lanes).length).toBeLessThan(7000)
  })

  it('takes less than a megabyte for 10,080 runs of a CronJob', () => {
    expect(JSON.stringify(pack(everyMinute())).length).toBeLessThan(1_000_000)
  })

  it('tells 100,000 rounds as stretches, and keeps every other event', () => {
    const happenings: Happening[] = Array.from({ length: 100_000 }, (_, at) => ({
      at: 1000 + at * 1000,
      row: 'Kustomization a/b',
      kind: at % 10_000 === 5 ? 'refused' : 'round',
      words: 'reconciled',
    }))
    const history = { ...ttlLoop(), start: 1000, end: 1000 + 1e8, happenings }
    const found = throughPage(history).happenings
    expect(found.length).toBeLessThan(3000)
    expect(found.filter(({ kind }) => kind === 'refused')).toHaveLength(10)
    const counted = found
      .filter(({ kind }) => kind === 'round')
      .map(({ words }) => Number(/^(\d+) rounds$/.exec(words)?.[1] ?? 1))
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(99_990)
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => a - b))
  })

  it('leaves out the chains of successes between the first and last when there are too many', () => {
    const { lanes, ...rest } = everyMinute()
    const [lane] = lanes
    const many = { ...rest, lanes: lane === undefined ? [] : Array.from({ length: 7 }, () => lane) }
    const found = throughPage(many).lanes[0]?.lives ?? []
    expect(found[0]?.created).toHaveLength(2)
    expect(found[5000]?.created).toHaveLength(0)
    expect(found.find(({ outcome }) => outcome === 'failed')?.created).toHaveLength(2)
    expect(found.at(-1)?.created).toHaveLength(2)
  })
})
