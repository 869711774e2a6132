import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { flux } from '../../../engines/flux.ts'
import { configMapText, jobText, started, type JobText } from './testing.ts'

const MARK = 'kustomize.toolkit.fluxcd.io'

const cases: readonly (readonly [string, JsonObject, JobText['annotations']])[] = [
  ['by default', { prune: false }, undefined],
  ['with prune', { prune: true }, undefined],
  ['with force', { prune: true, force: true }, undefined],
  ['with wait', { prune: true, wait: true }, undefined],
  ['forced by annotation', { prune: true }, { [`${MARK}/force`]: 'enabled' }],
  ['IfNotPresent', { prune: true }, { [`${MARK}/ssa`]: 'IfNotPresent' }],
  ['Ignore', { prune: true }, { [`${MARK}/ssa`]: 'Ignore' }],
  ['reconcile disabled', { prune: true }, { [`${MARK}/reconcile`]: 'disabled' }],
  ['prune disabled', { prune: true }, { [`${MARK}/prune`]: 'disabled' }],
  ['suspended', { prune: true, suspend: true }, undefined],
]

/** What lint asks of Flux is what the model of it does. */
describe.each(cases)('traits and behaviour agree: %s', (_, spec, annotations) => {
  const marks = annotations === undefined ? {} : { annotations }
  const carrier: JsonObject = {
    apiVersion: `${MARK}/v1`,
    kind: 'Kustomization',
    metadata: { name: 'apps', namespace: 'shop' },
    spec: { interval: '10m', ...spec },
  }
  const traits = flux.traits(carrier, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'one', ...marks },
    spec: { ttlSecondsAfterFinished: 1 },
  })

  it('applies', () => {
    const shop = started(spec, jobText(marks))
    shop.until(60)
    expect(shop.runs().length).toBe(traits.applies ? 1 : 0)
  })

  it('restores what is absent', () => {
    const shop = started(spec, jobText({ ...marks, ttl: 1 }))
    shop.until(1100)
    const [first = 0, second] = shop.runs()
    const restores = traits.restoresAbsent
    const period = 'periodSeconds' in restores ? restores.periodSeconds : undefined
    if (period === undefined || second === undefined) return expect(second).toBe(period)
    // The interval counts from the end of a wait, which lasts 5 s for a Job of 1 s.
    expect(second - first).toBe(period + (spec['wait'] === true ? 5 : 0))
  })

  it('meets a changed template', () => {
    if (!traits.applies) return
    const shop = started(spec, jobText(marks))
    shop.until(20)
    shop.commit({ '0.yaml': jobText({ ...marks, image: '2' }) })
    shop.until(40)
    const met =
      shop.runs().length === 2 ? 'recreates' : shop.ready().includes('True') ? 'skipped' : 'refused'
    expect(met).toBe(traits.templateChange)
  })

  it('removes what is no longer declared', () => {
    if (!traits.applies) return
    const shop = started(spec, jobText(marks))
    shop.until(20)
    shop.commit({ 'a.yaml': configMapText('a', '1') })
    shop.until(40)
    expect(shop.job('one') === undefined).toBe(traits.removesUndeclared)
  })
})
