import { describe, expect, it } from 'vitest'
import { resourceset } from '../../../engines/resourceset.ts'
import type { JsonObject } from '../../../core/json.ts'
import { job, JOBS, map, scene, set, steps, type JobText } from './testing.ts'

const every = '1m'
const MARKS: { readonly [name: string]: { readonly [mark: string]: string } } = {
  'no mark': {},
  force: { force: 'Enabled' },
  recreateOnFailure: { recreateOnFailure: 'enabled' },
  'prune: disabled': { prune: 'disabled' },
  paused: {},
}
const rows = Object.entries(MARKS).flatMap(([name, marks]) =>
  [true, false].map((hasSteps) => ({ name, marks, hasSteps })),
)

/** What lint asks of the engine is what the model does. */
describe.each(rows)('$name, steps: $hasSteps: the traits say what the model does', (row) => {
  const paused = row.name === 'paused' ? { marks: { reconcile: 'disabled' } } : {}
  const carrier = (text: JobText): JsonObject => {
    const resources = [job({ ...text, marks: row.marks }), map('conf', '1')]
    return set({ every, ...paused, spec: row.hasSteps ? steps(resources, '30s') : { resources } })
  }
  const traitsOf = (text: JobText): ReturnType<typeof resourceset.traits> =>
    resourceset.traits(carrier(text), job({ ...text, marks: row.marks }))

  it('about whether it applies the Job at all', () => {
    const shop = scene()
    shop.apply(carrier({}))
    shop.until(10)
    expect(shop.runs().length > 0).toBe(traitsOf({}).applies)
  })

  it('about a changed pod template', () => {
    const shop = scene()
    shop.apply(carrier({}))
    shop.until(10)
    shop.apply(carrier({ image: '2' }))
    shop.until(60)
    const { templateChange, applies } = traitsOf({})
    if (!applies) return expect(shop.runs()).toEqual([])
    expect(shop.runs().length > 1).toBe(templateChange === 'recreates')
    return expect(shop.message().includes('dry-run failed')).toBe(templateChange === 'refused')
  })

  it('about a Job that its TTL removed', () => {
    const shop = scene()
    const text = { ttl: 10 }
    shop.apply(carrier(text))
    shop.until(200)
    const { restoresAbsent } = traitsOf(text)
    expect(shop.runs().length > 1).toBe(restoresAbsent.when === 'interval')
    if (restoresAbsent.when !== 'interval') return
    // With a wait the interval counts from its end.
    const period = (shop.runs()[2] ?? 0) - (shop.runs()[1] ?? 0)
    expect(period - (restoresAbsent.periodSeconds ?? 0)).toBeLessThan(6)
  })

  it('about a failed Job', () => {
    const shop = scene()
    shop.apply(carrier({ exit: 1 }))
    shop.until(200)
    expect(shop.runs().length > 1).toBe(traitsOf({ exit: 1 }).recreatesFailed !== undefined)
  })

  it('about a Job that the set has no more', () => {
    const shop = scene()
    shop.apply(carrier({}))
    shop.until(10)
    const resources = [map('conf', '1')]
    shop.apply(set({ every, ...paused, spec: { resources } }))
    shop.until(60)
    const { removesUndeclared, applies } = traitsOf({})
    if (applies) expect(shop.get(JOBS, 'one') === undefined).toBe(removesUndeclared)
  })
})

describe('the waiter of a step', () => {
  const waiter = resourceset.traits(set({ spec: steps([job()], '30s') }), job()).waiter

  it('ends after its timeout', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job({ seconds: 300 })], '30s') }))
    const end = 0.75 + (waiter?.timeoutSeconds ?? 0)
    shop.until(end - 0.01)
    expect(shop.message()).toBe('Reconciliation in progress')
    shop.until(end)
    expect(shop.message()).toContain('timeout waiting for')
  })

  it('looks every 5 s, takes a suspended Job as done and an absent one as missing', () => {
    expect(waiter).toMatchObject({ pollSeconds: 5, suspended: 'done', absent: 'timeout' })
  })
})
