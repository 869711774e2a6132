import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { FLUX_OPERATOR, PROVIDERS, SETS } from './index.ts'
import { job, JOBS, map, MAPS, scene, set, SHOP, steps, type Scene } from './testing.ts'

const ONE = { resources: [job()] }

/** Applied and quiet at 100 s; what it told until then is forgotten. */
function applied(
  spec: JsonObject = ONE,
  every = '10m',
  marks: { [name: string]: string } = {},
): Scene {
  const shop = scene()
  shop.apply(set({ every, marks, spec }))
  shop.until(100)
  shop.told()
  return shop
}

function told(shop: Scene, until: number): readonly string[] {
  shop.until(until)
  return shop.told()
}

const BY_INTERVAL = 'reconciled, because its interval of 10m0s was over (interval)'

describe('flux-operator tells why it acts', () => {
  it('when a set is created', () => {
    const shop = scene()
    shop.apply(set({ spec: ONE }))
    expect(told(shop, 50)).toEqual([
      '0 O-1 reconciled, because the ResourceSet was created (revision)',
      '0 O-6 created Job <- Job shop/one',
    ])
  })

  it('when its spec changes', () => {
    const shop = applied()
    shop.apply(set({ every: '10m', spec: { resources: [job(), map('conf', '1')] } }))
    expect(told(shop, 5000)).toEqual([
      '100 O-1 reconciled, because its spec.resources changed (revision)',
      '100 O-6 created ConfigMap <- ConfigMap shop/conf',
    ])
  })

  it('when a Job is missing at an interval', () => {
    const shop = applied()
    shop.remove(JOBS, 'one')
    expect(told(shop, 5000)).toEqual([
      `600 O-1 ${BY_INTERVAL}`,
      '600 O-6 created Job <- Job shop/one',
    ])
  })

  it('when somebody nudges it', () => {
    const shop = applied()
    shop.remove(JOBS, 'one')
    const annotations = { 'reconcile.fluxcd.io/requestedAt': 'now' }
    shop.patch(SETS, 'app', { metadata: { annotations } })
    expect(told(shop, 101)[0]).toBe(
      '100 O-1 reconciled, because somebody asked for a reconcile (request)',
    )
  })

  it('when an annotation changes', () => {
    const shop = applied()
    shop.remove(JOBS, 'one')
    shop.patch(SETS, 'app', { metadata: { annotations: { team: 'data' } } })
    expect(told(shop, 101)[0]).toBe(
      '100 O-1 reconciled, because its annotation team changed (request)',
    )
  })

  it('when it starts', () => {
    const shop = applied()
    shop.cluster.stop(FLUX_OPERATOR)
    shop.remove(JOBS, 'one')
    shop.cluster.start(FLUX_OPERATOR)
    expect(told(shop, 101)).toEqual([
      '100 O-1 reconciled, because flux-operator started (start)',
      '100 O-6 created Job <- Job shop/one',
    ])
  })

  it('when its inputs change', () => {
    const shop = scene()
    const metadata = { name: 'tags', namespace: SHOP }
    const provider = (tag: string): JsonObject => ({
      apiVersion: 'fluxcd.controlplane.io/v1',
      kind: 'ResourceSetInputProvider',
      metadata,
      spec: { type: 'Static', defaultValues: { tag } },
    })
    shop.apply(provider('a'))
    const resources = [job({ name: 'run-<< inputs.tag >>' })]
    const spec = { inputsFrom: [{ kind: 'ResourceSetInputProvider', name: 'tags' }], resources }
    shop.apply(set({ spec }))
    shop.until(100)
    shop.told()
    shop.apply(provider('b'))
    expect(told(shop, 200)).toEqual([
      '100 O-1 reconciled, because ResourceSetInputProvider shop/tags exported other inputs (revision)',
      '100 O-6 created Job <- Job shop/run-b',
      '100 O-8 pruned Job <- Job shop/run-a',
    ])
    shop.remove(PROVIDERS, 'tags')
    expect(told(shop, 201)[0]).toMatch(/ResourceSetInputProvider shop\/tags/)
  })

  it('when a ConfigMap that it watches changes', () => {
    const shop = scene()
    shop.apply(map('conf', '1', { 'reconcile.fluxcd.io/watch': 'Enabled' }))
    const marks = { force: 'enabled' }
    const template = { checksumFrom: 'ConfigMap/shop/conf' }
    shop.apply(set({ every: '10m', spec: { resources: [job({ marks, template })] } }))
    shop.until(100)
    shop.told()
    shop.patch(MAPS, 'conf', { data: { value: '2' } })
    expect(told(shop, 200).slice(0, 2)).toEqual([
      '100 O-1 reconciled, because ConfigMap shop/conf changed (revision)',
      '100 O-9 deleted Job to replace it <- Job shop/one',
    ])
  })

  it('when what it depends on becomes ready', () => {
    const on = { apiVersion: 'v1', kind: 'ConfigMap', name: 'base', namespace: SHOP }
    const shop = scene()
    shop.apply(set({ spec: { ...ONE, dependsOn: [on] } }))
    shop.until(12)
    shop.apply(map('base', '1'))
    expect(told(shop, 30)).toEqual([
      '15 O-1 reconciled, because what it depends on became ready (dependency)',
      '15 O-6 created Job <- Job shop/one',
    ])
  })

  it('when a failed Job may run again', () => {
    const marks = { recreateOnFailure: 'enabled' }
    const shop = scene()
    shop.apply(set({ spec: { wait: true, resources: [job({ exit: 1, marks })] } }))
    const failed = "failed early due to stalled resources: [Job/shop/one status: 'Failed']"
    expect(told(shop, 14)).toEqual([
      '0 O-1 reconciled, because the ResourceSet was created (revision)',
      '0 O-6 created Job <- Job shop/one',
      `5 O-2 failed: ${failed}`,
      `7 O-1 reconciled, because the attempt before failed: ${failed} (retry)`,
      '7 O-10 deleted failed Job to run it again <- Job shop/one',
      '12 O-6 created Job <- Job shop/one',
    ])
  })

  it('and names the race in it', () => {
    const marks = { recreateOnFailure: 'enabled' }
    const shop = scene()
    shop.apply(set({ spec: { wait: true, resources: [job({ exit: 1, marks })] } }))
    shop.until(14)
    const races = shop.causes.flatMap(({ data }) => data?.['race'] ?? [])
    expect(races).toEqual([expect.stringContaining('in one of 15 recordings')])
  })

  it('when a Job goes between two looks', () => {
    const shop = scene()
    shop.apply(set({ spec: { wait: true, resources: [job({ ttl: 1, seconds: 2 })] } }))
    const lines = told(shop, 60)
    expect(lines.at(-1)).toBe('5 O-11 found Job gone <- Job shop/one')
  })

  it('when a Job is refused', () => {
    const shop = applied()
    shop.apply(set({ every: '10m', spec: { resources: [job({ image: '2' })] } }))
    const lines = told(shop, 101)
    expect(lines[0]).toBe('100 O-1 reconciled, because its spec.resources changed (revision)')
    expect(lines[1]).toMatch(
      /^100 O-6 refused Job: Job\.batch "one" is invalid: spec\.template: .* <- Job shop\/one$/,
    )
    expect(lines[2]).toMatch(/^100 O-2 failed: Job\/shop\/one dry-run failed/)
    expect(lines[3]).toMatch(/^100 O-1 reconciled, because the attempt before failed: /)
  })

  it('when a step begins', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job()]) }))
    expect(told(shop, 50).slice(2)).toEqual([
      '5 O-6 began step deploy',
      '5 O-6 created ConfigMap <- ConfigMap shop/deployed',
    ])
  })

  it('when the set is deleted', () => {
    const shop = applied()
    shop.remove(SETS, 'app')
    expect(told(shop, 101)).toEqual([
      '100 O-1 reconciled, because the ResourceSet was deleted (request)',
      '100 O-3 deleted Job <- Job shop/one',
    ])
  })
})

describe('flux-operator tells nothing', () => {
  it('at intervals that find everything in place', () => {
    expect(told(applied(steps([job()])), 86_400)).toEqual([])
  })

  it('when it starts and finds everything in place', () => {
    const shop = applied()
    shop.cluster.stop(FLUX_OPERATOR)
    shop.cluster.start(FLUX_OPERATOR)
    expect(told(shop, 200)).toEqual([])
  })
})
