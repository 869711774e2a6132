import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededChance } from '../../../cluster/chance.ts'
import { tickAfter } from './schedule.ts'
import { configMapText, jobText, scene, type JobText, type Scene } from './testing.ts'

/** The same scenarios each time; SEED=n tries others, RUNS=n more of them. */
const SEED = Number(process.env['SEED'] ?? 20_261_130)
const RUNS = Number(process.env['RUNS'] ?? 40)

type Act =
  | { readonly do: 'commit'; readonly jobs: readonly JobText[]; readonly map: number }
  | { readonly do: 'delete' | 'label' | 'touch' | 'finalizer'; readonly name: string }
  | { readonly do: 'suspend' | 'resume' | 'force' }
  | { readonly do: 'restart' }

const name = fc.constantFrom('one', 'two')
const job = fc.record(
  {
    name,
    image: fc.constantFrom('1', '2'),
    ttl: fc.constantFrom(0, 3, 25, 400),
    seconds: fc.integer({ min: 1, max: 40 }),
    exit: fc.constantFrom(0, 0, 1),
  },
  { requiredKeys: ['name', 'seconds'] },
)
const jobs = fc.uniqueArray(job, { selector: (one) => one.name, minLength: 1, maxLength: 2 })
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('commit' as const), jobs, map: fc.integer({ min: 0, max: 2 }) }),
  fc.record({
    do: fc.constantFrom('delete', 'label', 'touch', 'finalizer'),
    name,
  }) as fc.Arbitrary<Act>,
  fc.record({ do: fc.constantFrom('suspend', 'resume', 'force', 'restart') }) as fc.Arbitrary<Act>,
)
const spec = fc.record(
  {
    interval: fc.constantFrom('10s', '37s', '5m'),
    retryInterval: fc.constantFrom('5s', '1m'),
    timeout: fc.constantFrom('30s', '2m'),
    prune: fc.boolean(),
    wait: fc.boolean(),
    force: fc.boolean(),
  },
  { requiredKeys: ['interval', 'prune'] },
)
const scenario = fc.record({
  spec,
  jobs,
  acts: fc.array(fc.record({ after: fc.integer({ min: 1, max: 90 }), act }), { maxLength: 5 }),
})

function play(isEager: boolean, { spec: own, jobs: first, acts }: Scenario): Scene {
  const shop = scene({ isEager })
  shop.commit(filesOf(first, 0))
  shop.apply(own)
  let seconds = 0
  for (const { after, act: next } of acts) {
    // At no instant of a tick: who comes first there is a matter of convention.
    seconds += after + 0.07
    shop.until(seconds)
    perform(shop, next)
  }
  shop.until(seconds + 300)
  return shop
}

type Scenario = typeof scenario extends fc.Arbitrary<infer One> ? One : never

function filesOf(all: readonly JobText[], map: number): { readonly [path: string]: string } {
  return {
    'map.yaml': configMapText('map', String(map)),
    ...Object.fromEntries(all.map((one) => [`${one.name ?? ''}.yaml`, jobText(one)])),
  }
}

function perform(shop: Scene, next: Act): void {
  if (next.do === 'commit') return shop.commit(filesOf(next.jobs, next.map))
  if (next.do === 'restart') {
    shop.cluster.stop('kustomize-controller')
    return shop.cluster.start('kustomize-controller')
  }
  if (next.do === 'force') return shop.patch('apps', { spec: { force: true } }, 'Kustomization')
  if (next.do === 'suspend' || next.do === 'resume') {
    return shop.patch('apps', { spec: { suspend: next.do === 'suspend' } }, 'Kustomization')
  }
  if (!('name' in next) || shop.job(next.name) === undefined) return
  if (next.do === 'delete') shop.remove(next.name)
  if (next.do === 'label') shop.patch(next.name, { metadata: { labels: { by: 'hand' } } })
  if (next.do === 'touch') shop.patch(next.name, { spec: { activeDeadlineSeconds: 9000 } })
  if (next.do === 'finalizer') shop.patch(next.name, { metadata: { finalizers: ['a.b/c'] } })
}

describe('ticks over an unchanged cluster', () => {
  it('leave out nothing: skipping them is coming at each of them', () => {
    fc.assert(
      fc.property(scenario, (one) => {
        const eager = play(true, one)
        const lazy = play(false, one)
        expect(lazy.runs()).toEqual(eager.runs())
        expect(lazy.ready()).toBe(eager.ready())
        expect(lazy.message()).toBe(eager.message())
        expect(lazy.causes).toEqual(eager.causes)
        expect(lazy.statuses).toEqual(eager.statuses)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  }, 600_000)

  it('lie on the multiples of interval and duration after the last one', () => {
    const next = { anchor: 1000, everyMs: 600, costMs: 10, isJittered: true, isPlanned: false }
    const chance = seededChance(1)
    expect(tickAfter(1000, next, 0, chance)).toBe(1600)
    expect(tickAfter(1600, next, 0, chance)).toBe(1600)
    expect(tickAfter(1601, next, 0, chance)).toBe(2210)
    expect(tickAfter(1000 + 600 + 610 * 1_000_000, next, 0, chance)).toBe(610_001_600)
  })

  it('F-1: with jitter never come before their time, and at most an interval late', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 1_000_000_000 }), (seed, later) => {
        const next = {
          anchor: 0,
          everyMs: 600_000,
          costMs: 150,
          isJittered: true,
          isPlanned: false,
        }
        const tick = tickAfter(later, next, 0.05, seededChance(seed))
        expect(tick).toBeGreaterThanOrEqual(later)
        expect(tick - later).toBeLessThanOrEqual(630_151)
      }),
    )
  })
})
