import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { SETS } from './index.ts'
import { job, JOBS, map, MAPS, scene, set, steps, type JobText, type Scene } from './testing.ts'

/** The same scenarios each time; SEED=n tries others. */
const SEED = Number(process.env['SEED'] ?? 20_261_130)

interface Scenario {
  readonly every: string
  readonly hasSteps: boolean
  readonly waits: boolean
  readonly jobs: readonly JobText[]
  readonly acts: readonly { readonly after: number; readonly act: Act; readonly name: string }[]
}

type Act = 'delete' | 'label' | 'image' | 'data' | 'nudge' | 'pause' | 'restart'

const name = fc.constantFrom('one', 'two')
const text: fc.Arbitrary<JobText> = fc.record(
  {
    name,
    ttl: fc.constantFrom(0, 3, 25, 400),
    seconds: fc.integer({ min: 1, max: 40 }),
    exit: fc.constantFrom(0, 0, 1),
    marks: fc.constantFrom({}, { force: 'enabled' }, { recreateOnFailure: 'enabled' }),
  },
  { requiredKeys: ['name', 'seconds'] },
) as fc.Arbitrary<JobText>
const scenario: fc.Arbitrary<Scenario> = fc.record({
  every: fc.constantFrom('10s', '37s', '5m'),
  hasSteps: fc.boolean(),
  waits: fc.boolean(),
  jobs: fc.uniqueArray(text, { selector: (one) => one.name, minLength: 1, maxLength: 2 }),
  acts: fc.array(
    fc.record({
      // Not on a tick: whether an act at the very instant of one comes before it says nothing.
      after: fc.integer({ min: 1, max: 90 }).map((seconds) => seconds + 0.137),
      act: fc.constantFrom<Act>('delete', 'label', 'image', 'data', 'nudge', 'pause', 'restart'),
      name,
    }),
    { maxLength: 4 },
  ),
})

function play(given: Scenario, skipsIdle: boolean): Scene {
  const shop = scene({ skipsIdle })
  const apply = (image: string, marks: { [name: string]: string } = {}): void => {
    const resources = [map('conf', '1'), ...given.jobs.map((one) => job({ ...one, image }))]
    const spec: JsonObject = given.hasSteps
      ? steps(resources, '30s')
      : { wait: given.waits, resources }
    shop.apply(set({ every: given.every, marks, spec }))
  }
  apply('1')
  let seconds = 0
  for (const { after, act, name: about } of given.acts) {
    seconds += after
    shop.until(seconds)
    perform(shop, act, about, apply)
  }
  shop.until(seconds + 400)
  return shop
}

function perform(
  shop: Scene,
  act: Act,
  about: string,
  apply: (image: string, marks?: { [name: string]: string }) => void,
): void {
  const isThere = shop.get(JOBS, about) !== undefined
  switch (act) {
    case 'delete':
      if (isThere) shop.remove(JOBS, about)
      break
    case 'label':
      if (isThere) shop.patch(JOBS, about, { spec: { backoffLimit: 3 } })
      break
    case 'data':
      if (shop.get(MAPS, 'conf') !== undefined) shop.patch(MAPS, 'conf', { data: { value: '2' } })
      break
    case 'image':
      apply('2')
      break
    case 'pause':
      apply('1', { reconcile: 'disabled' })
      break
    case 'nudge':
      shop.patch(SETS, 'app', {
        metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': String(shop.cluster.now) } },
      })
      break
    case 'restart':
    default:
      shop.cluster.stop('flux-operator')
      shop.cluster.start('flux-operator')
  }
}

describe('ticks of a set that has nothing to do', () => {
  it('change nothing when they are left out: the same Jobs for the same reasons', () => {
    const property = fc.property(scenario, (given) => {
      const [idle, eager] = [play(given, true), play(given, false)]
      expect(idle.runs()).toEqual(eager.runs())
      expect(idle.told()).toEqual(eager.told())
      expect(idle.ready()).toBe(eager.ready())
      expect(idle.get(MAPS, 'conf')?.['data']).toEqual(eager.get(MAPS, 'conf')?.['data'])
    })
    fc.assert(property, { numRuns: 25, seed: SEED })
  })

  it('cost no request: a year of a finished Job', () => {
    const shop = scene()
    shop.apply(set({ every: '1m', spec: { wait: true, resources: [job()] } }))
    shop.until(3600)
    const before = shop.requests.length
    shop.until(365 * 86_400)
    expect(shop.requests.length).toBe(before)
    shop.remove(JOBS, 'one')
    shop.until(365 * 86_400 + 61)
    expect(shop.runs()).toHaveLength(2)
  })
})
