import { describe, expect, it } from 'vitest'
import type { Cel } from '../../../cluster/api/contract.ts'
import { listAt, stringAt } from '../../../core/json.ts'
import { PROVIDERS, SETS } from './index.ts'
import { job, JOBS, map, MAPS, scene, set, SHOP, steps } from './testing.ts'

/** Knows one expression: whether the object has the condition Complete. */
const cel: Cel = {
  evaluate: (_expression, { status }) => ({
    value: listAt(status, ['conditions']).some((one) => stringAt(one, ['type']) === 'Complete'),
  }),
}
const recreate = { recreateOnFailure: 'enabled' }
const force = { force: 'enabled' }
const provider = (values: { [key: string]: string }, labels?: { [key: string]: string }) => ({
  apiVersion: 'fluxcd.controlplane.io/v1',
  kind: 'ResourceSetInputProvider',
  metadata: { name: 'tags', namespace: SHOP, ...(labels === undefined ? {} : { labels }) },
  spec: { type: 'Static', defaultValues: values },
})

describe('when it reconciles (O-1 to O-3)', () => {
  it('O-2: a new set waits 0.75 s, because its finalizer counts as a failure', () => {
    const shop = scene()
    shop.apply(set({ spec: { resources: [job()] } }))
    shop.until(60)
    expect(shop.runs()).toEqual([0.75])
    expect(shop.ready()).toBe('Ready=True ReconciliationSucceeded')
  })

  it('O-2: errors are retried after 1.5 s, doubling, whatever the interval says', () => {
    const shop = scene()
    shop.apply(set({ spec: { wait: true, resources: [job({ exit: 1, marks: recreate })] } }))
    shop.until(60)
    // Wait 5 s, backoff 1.5 s, 3 s, 6 s, deletion 5 s each.
    expect(shop.runs()).toEqual([0.75, 12.25, 25.25, 41.25])
  })

  it('O-2: the backoff ends at 15 min: 640 runs in a week of failures (case 040)', () => {
    const shop = scene()
    const failing = job({ exit: 1, seconds: 60, marks: { ...recreate, ...force } })
    shop.apply(set({ spec: steps([failing], '5m') }))
    shop.until(43_200)
    const runs = shop.runs()
    const period = (runs.at(-1) ?? 0) - (runs.at(-2) ?? 0)
    // 900 s of backoff, 65 s until the failure is seen, 5 s until the old Job is gone.
    expect(period).toBe(970)
    expect(runs.length + (6.5 * 86_400) / period).toBeGreaterThan(600)
    expect(runs.length + (6.5 * 86_400) / period).toBeLessThan(660)
    expect(shop.message()).toContain('step "pre" health check failed')
    expect(shop.get(MAPS, 'deployed')).toBeUndefined()
  })

  it('O-1: an absent Job comes back at the interval, which counts from the end of the wait', () => {
    const shop = scene()
    shop.apply(set({ every: '10s', spec: { wait: true, resources: [job({ ttl: 8 })] } }))
    shop.until(40)
    expect(shop.runs()).toEqual([0.75, 15.75, 30.75])
  })

  it('O-3: a paused set does nothing, and catches up when the pause ends', () => {
    const shop = scene()
    shop.apply(set({ every: '10s', spec: { resources: [job({ ttl: 4 })] } }))
    shop.until(3)
    const paused = set({ marks: { reconcile: 'Disabled' }, spec: { resources: [job({ ttl: 4 })] } })
    shop.apply(paused)
    shop.until(100)
    expect(shop.runs()).toHaveLength(1)
    shop.apply(set({ spec: { resources: [job({ ttl: 4 })] } }))
    shop.until(110)
    expect(shop.runs()).toEqual([0.75, 100])
  })

  it('O-3: an object that is paused in its template is left out of the set', () => {
    const shop = scene()
    const resources = [job({ marks: { reconcile: 'disabled' } }), map('conf', '1')]
    shop.apply(set({ spec: { resources } }))
    shop.until(10)
    expect(shop.runs()).toEqual([])
    expect(shop.get(MAPS, 'conf')).toBeDefined()
  })
})

describe('inputs (O-4, O-5)', () => {
  const spec = {
    inputsFrom: [{ kind: 'ResourceSetInputProvider', selector: { matchLabels: { use: 'yes' } } }],
    resources: [job({ name: 'one-<< inputs.tag | replace "." "-" >>' })],
  }

  it('O-4: a Job per input, with what the template makes of it', () => {
    const shop = scene()
    const inputs = [{ tag: '1.0' }, { tag: '1.1' }]
    shop.apply(set({ spec: { inputs, resources: spec.resources } }))
    shop.until(10)
    expect(shop.runs('one-1-0')).toEqual([0.75])
    expect(shop.runs('one-1-1')).toEqual([0.75])
  })

  it('O-1: what a provider exports anew is applied at once', () => {
    const shop = scene()
    shop.apply(provider({ tag: 'a' }, { use: 'yes' }))
    shop.apply(set({ spec }))
    shop.until(10)
    shop.apply(provider({ tag: 'b' }, { use: 'yes' }))
    shop.until(20)
    expect(shop.runs('one-a')).toEqual([0.75])
    expect(shop.runs('one-b')).toEqual([10])
    expect(shop.get(JOBS, 'one-a')).toBeUndefined()
  })

  it('O-5: a selector that matches nothing deletes everything, and the set stays Ready', () => {
    const shop = scene()
    shop.apply(provider({ tag: 'a' }, { use: 'yes' }))
    shop.apply(set({ every: '10s', spec }))
    shop.until(15)
    shop.apply(provider({ tag: 'a' }, { use: 'no' }))
    shop.until(30)
    expect(shop.get(JOBS, 'one-a')).toBeUndefined()
    expect(shop.ready()).toBe('Ready=True ReconciliationSucceeded')
  })

  it('O-2: a named provider that is gone stalls the set, and keeps what it applied', () => {
    const shop = scene()
    shop.apply(provider({ tag: 'a' }))
    const inputsFrom = [{ kind: 'ResourceSetInputProvider', name: 'tags' }]
    shop.apply(set({ spec: { ...spec, inputsFrom } }))
    shop.until(10)
    shop.remove(PROVIDERS, 'tags')
    shop.until(7300)
    expect(shop.ready()).toBe('Ready=False BuildFailed')
    expect(shop.message()).toBe(
      'failed to compute inputs: failed to get provider shop/tags: ' +
        'ResourceSetInputProvider.fluxcd.controlplane.io "tags" not found',
    )
    expect(shop.get(JOBS, 'one-a')).toBeDefined()
  })
})

describe('steps (O-6, O-7, O-11)', () => {
  it('O-6: the first look comes at once, then each 5 s', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job()]) }))
    shop.until(5.7)
    expect(shop.get(MAPS, 'deployed')).toBeUndefined()
    shop.until(5.75)
    expect(shop.get(MAPS, 'deployed')).toBeDefined()
  })

  it('O-6: one object that is refused changes nothing of its step', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job(), map('beside', '1')]) }))
    shop.until(10)
    shop.apply(set({ spec: steps([job({ image: '2' }), map('beside', '2')]) }))
    shop.until(20)
    expect(shop.get(MAPS, 'beside')?.['data']).toEqual({ value: '1' })
    expect(shop.message()).toContain(
      'step "pre" apply failed: Job/shop/one dry-run failed (Invalid)',
    )
  })

  it('O-6: a wait holds one of ten workers', () => {
    const shop = scene()
    for (let at = 0; at < 12; at += 1) {
      const slow = job({ name: `slow-${at}`, seconds: 28 })
      shop.apply(set({ name: `set-${at}`, spec: { wait: true, resources: [slow] } }))
    }
    shop.until(30)
    expect(shop.runs()).toHaveLength(10)
    shop.until(31)
    expect(shop.runs().slice(10)).toEqual([30.75, 30.75])
  })

  it('O-11: a TTL below the poll lets a Job succeed for ever and never pass its step', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job({ ttl: 2 })], '20s') }))
    shop.until(22)
    expect(shop.message()).toContain(`timeout waiting for: [Job/shop/one status: 'NotFound']`)
    shop.until(60)
    expect(shop.runs()).toEqual([0.75, 22.25, 45.25])
    expect(shop.get(MAPS, 'deployed')).toBeUndefined()
  })

  it('O-11: a suspended Job passes its step at once', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job({ suspend: true })]) }))
    shop.until(1)
    expect(shop.get(MAPS, 'deployed')).toBeDefined()
  })

  it('O-14: a new event ends a wait at once', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job({ name: 'old', seconds: 60 })]) }))
    shop.until(3)
    shop.apply(set({ spec: steps([job({ name: 'new' })]) }))
    shop.until(9)
    expect(shop.runs('new')).toEqual([3])
    expect(shop.get(MAPS, 'deployed')).toBeDefined()
  })

  it('O-14: a nudge by annotation at Complete saves the rest of the poll', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job()]) }))
    shop.until(2)
    const annotations = { 'reconcile.fluxcd.io/requestedAt': '1' }
    shop.patch(SETS, 'app', { metadata: { annotations } })
    shop.until(2.1)
    expect(shop.get(MAPS, 'deployed')).toBeDefined()
    expect(shop.runs()).toEqual([0.75])
  })
})

describe('collection and deletion (O-8)', () => {
  it('deletes what left the set after the last step, and not while a step fails', () => {
    const shop = scene()
    shop.apply(set({ spec: steps([job({ name: 'v1' })]) }))
    shop.until(10)
    shop.apply(set({ spec: steps([job({ name: 'v2', exit: 1 })]) }))
    shop.until(20)
    expect(shop.get(JOBS, 'v1')).toBeDefined()
    shop.apply(set({ spec: steps([job({ name: 'v3' })]) }))
    shop.until(30)
    expect(shop.get(JOBS, 'v1')).toBeUndefined()
    expect(shop.get(JOBS, 'v2')).toBeUndefined()
  })

  it('keeps what says prune: disabled, also when the set is deleted; a new set adopts it', () => {
    const shop = scene()
    const spec = { resources: [job({ name: 'kept', marks: { prune: 'disabled' } }), job()] }
    shop.apply(set({ spec }))
    shop.until(10)
    shop.remove(SETS, 'app')
    shop.until(11)
    expect(shop.get(SETS, 'app')).toBeUndefined()
    expect(shop.get(JOBS, 'kept')).toBeDefined()
    expect(shop.get(JOBS, 'one')).toBeUndefined()
    shop.apply(set({ spec }))
    shop.until(20)
    expect(shop.runs('kept')).toHaveLength(1)
    expect(shop.runs('one')).toHaveLength(2)
  })

  it('leaves everything when a paused set is deleted', () => {
    const shop = scene()
    shop.apply(set({ spec: { resources: [job()] } }))
    shop.until(10)
    shop.patch(SETS, 'app', {
      metadata: { annotations: { 'fluxcd.controlplane.io/reconcile': 'disabled' } },
    })
    shop.remove(SETS, 'app')
    shop.until(20)
    expect(shop.get(SETS, 'app')).toBeUndefined()
    expect(shop.get(JOBS, 'one')).toBeDefined()
  })
})

describe('what runs again (O-9, O-10, O-13)', () => {
  it('O-9: another image is refused without force, and replaces the Job with it', () => {
    const shop = scene()
    shop.apply(set({ spec: { resources: [job()] } }))
    shop.until(10)
    shop.apply(set({ spec: { resources: [job({ image: '2' })] } }))
    shop.until(20)
    expect(shop.runs()).toHaveLength(1)
    shop.apply(set({ spec: { resources: [job({ image: '2', marks: force })] } }))
    shop.until(30)
    expect(shop.runs()).toEqual([0.75, 20])
  })

  it('O-9: the annotation on the live object alone is enough', () => {
    const shop = scene()
    shop.apply(
      set({ name: 'one', every: '10s', spec: { resources: [job({ image: '1', marks: force })] } }),
    )
    shop.until(5)
    shop.apply(set({ name: 'two', spec: { resources: [job({ image: '2' })] } }))
    shop.until(6)
    expect(shop.runs()).toHaveLength(2)
  })

  it('O-10: a foreign failed Job is protected for one attempt only', () => {
    const shop = scene()
    shop.apply(job({ exit: 1, marks: recreate }))
    shop.until(5)
    shop.apply(set({ spec: { wait: true, resources: [job({ exit: 1, marks: recreate })] } }))
    shop.until(6)
    expect(shop.runs()).toHaveLength(1)
    shop.until(15)
    expect(shop.runs()).toEqual([0, 12.25])
  })

  it('O-10: without a wait a failure is no error, so the interval counts', () => {
    const shop = scene()
    shop.apply(set({ every: '10s', spec: { resources: [job({ exit: 1, marks: recreate })] } }))
    shop.until(30)
    expect(shop.runs()).toEqual([0.75, 15.75])
  })

  it('O-10: silent for a Job that has not failed, and without the exact word', () => {
    const shop = scene()
    const resources = [
      job({ name: 'good', marks: recreate }),
      job({ name: 'bad', exit: 1, marks: { recreateOnFailure: 'Enabled' } }),
    ]
    shop.apply(set({ every: '10s', spec: { resources } }))
    shop.until(100)
    expect(shop.runs()).toHaveLength(2)
  })

  it('O-13: a labelled reference runs the Job at once, an unlabelled one at the interval', () => {
    const shop = scene()
    const label = { 'reconcile.fluxcd.io/watch': 'Enabled' }
    shop.apply(map('watched', '1', label))
    shop.apply(map('other', '1'))
    for (const name of ['watched', 'other']) {
      const template = { checksumFrom: `ConfigMap/shop/${name}` }
      shop.apply(
        set({ name, every: '20s', spec: { resources: [job({ name, marks: force, template })] } }),
      )
    }
    shop.until(10)
    shop.apply(map('watched', '2', label))
    shop.apply(map('other', '2'))
    shop.until(40)
    expect(shop.runs('watched')).toEqual([0.75, 10])
    expect(shop.runs('other')).toEqual([0.75, 20.75])
  })
})

describe('dependencies (O-12)', () => {
  const on = (readyExpr?: string) => ({
    dependsOn: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        name: 'first',
        namespace: SHOP,
        ready: true,
        ...(readyExpr === undefined ? {} : { readyExpr }),
      },
    ],
    resources: [job()],
  })
  const complete = `has(status.conditions) && status.conditions.exists(c, c.type == 'Complete')`

  it('is met by a Job that has started', () => {
    const shop = scene()
    shop.apply(job({ name: 'first', seconds: 60 }))
    shop.apply(set({ spec: on() }))
    shop.until(5)
    expect(shop.runs('one')).toEqual([0.75])
  })

  it('looks every 5 s, and never sees a success that its TTL removed before', () => {
    const shop = scene({ cel })
    shop.apply(job({ name: 'first', ttl: 2 }))
    shop.apply(set({ spec: on(complete) }))
    shop.until(3600)
    expect(shop.runs('one')).toEqual([])
    expect(shop.message()).toBe(
      'Retrying dependency check: dependency batch/v1/Job/shop/first not found: jobs.batch "first" not found',
    )
  })

  it('is met at the look after the success', () => {
    const shop = scene({ cel })
    shop.apply(job({ name: 'first', seconds: 3 }))
    shop.apply(set({ spec: on(complete) }))
    shop.until(10)
    expect(shop.runs('one')).toEqual([5.75])
  })
})
