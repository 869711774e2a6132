import { describe, expect, it } from 'vitest'
import { integerAt } from '../../../core/json.ts'
import { configMapText, jobText, scene, started } from './testing.ts'

const FORCE = 'kustomize.toolkit.fluxcd.io/force'
const SSA = 'kustomize.toolkit.fluxcd.io/ssa'
const RECONCILE = 'kustomize.toolkit.fluxcd.io/reconcile'
const PRUNE = 'kustomize.toolkit.fluxcd.io/prune'

describe('the interval', () => {
  it('runs a Job without TTL once, and sends nothing while nothing changes (F-9)', () => {
    const shop = started({}, jobText())
    shop.until(3600)
    const sent = shop.requests.length
    shop.until(365 * 86_400)
    expect(shop.runs()).toEqual([0])
    expect(shop.requests.length).toBe(sent)
  })

  it('S4: brings back what the TTL removed at the next interval, prune or not', () => {
    for (const prune of [true, false]) {
      const shop = started({ prune }, jobText({ ttl: 60 }))
      shop.until(3000)
      expect(shop.runs()).toEqual([0, 600, 1200, 1800, 2400, 3000])
    }
  })

  it('S4: takes the smallest multiple of the interval that run and TTL fit in', () => {
    const shop = started({ interval: '1h' }, jobText({ ttl: 86_400, seconds: 300 }))
    shop.until(7 * 86_400)
    expect(shop.runs()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => n * 25 * 3600))
  })

  it('counts a Job that goes at the very second of a tick as gone', () => {
    const shop = started({ interval: '1h' }, jobText({ ttl: 3590, seconds: 10 }))
    shop.until(3 * 3600)
    expect(shop.runs()).toEqual([0, 3600, 7200, 10_800])
  })

  it('F-15, trace 061: counts from the end of the wait', () => {
    const shop = started({ wait: true, interval: '10s' }, jobText({ ttl: 2, seconds: 7 }))
    shop.until(61)
    expect(shop.runs()).toEqual([0, 20, 40, 60])
  })

  it('repeats a failure every retryInterval, without growth (F-2)', () => {
    const shop = started({ retryInterval: '2m' }, jobText())
    shop.until(10)
    shop.commit({ 'a.yaml': jobText({ image: '2' }) })
    shop.until(1000)
    expect(shop.runs()).toEqual([0])
    shop.remove('one')
    shop.until(1400)
    expect(shop.runs()).toEqual([0, 1090])
  })

  it('F-3, trace 036: does nothing while suspended, and all at once when resumed', () => {
    const shop = started({}, jobText({ ttl: 5 }))
    shop.until(30)
    shop.patch('apps', { spec: { suspend: true } }, 'Kustomization')
    shop.commit({ 'a.yaml': jobText({ ttl: 5, image: '2' }) })
    shop.until(5000)
    expect(shop.runs()).toEqual([0])
    shop.patch('apps', { spec: { suspend: false } }, 'Kustomization')
    shop.until(5001)
    expect(shop.runs()).toEqual([0, 5000])
  })

  it('F-1, trace 037: a revision runs an absent Job, whatever it changes', () => {
    const shop = started({}, jobText({ ttl: 5 }))
    shop.until(100)
    shop.commit({ '0.yaml': jobText({ ttl: 5 }) })
    shop.until(101)
    shop.commit({ '0.yaml': jobText({ ttl: 5 }) })
    shop.until(102)
    expect(shop.runs()).toEqual([0, 100])
  })

  it('F-1, trace 041: a request reconciles at once', () => {
    const shop = started({}, jobText({ ttl: 5 }))
    shop.until(100)
    const annotations = { 'reconcile.fluxcd.io/requestedAt': 'now' }
    shop.patch('apps', { metadata: { annotations } }, 'Kustomization')
    shop.until(101)
    expect(shop.runs()).toEqual([0, 100])
  })

  it('S7, trace 055: a restart reconciles everything at once', () => {
    const shop = started({}, jobText({ ttl: 5 }))
    shop.until(60)
    shop.cluster.stop('kustomize-controller')
    shop.until(1000)
    expect(shop.runs()).toEqual([0])
    shop.cluster.start('kustomize-controller')
    shop.until(1001)
    expect(shop.runs()).toEqual([0, 1000])
  })

  it('F-3, trace 056: a wait holds its worker', () => {
    const shop = scene({ concurrency: 1 })
    shop.commit({ 'a/job.yaml': jobText({ seconds: 12 }), 'b/job.yaml': jobText({ name: 'two' }) })
    shop.apply({ path: './a', wait: true }, 'slow')
    shop.until(1)
    shop.apply({ path: './b' }, 'quick')
    shop.until(60)
    expect(shop.runs('two')).toEqual([15])
  })
})

describe('what is refused and what is forced', () => {
  it('F-8, trace 006: one frozen Job keeps its whole stage back, and pruning and health', () => {
    const shop = started(
      { prune: true },
      jobText(),
      configMapText('a', '1'),
      configMapText('b', '1'),
    )
    shop.until(10)
    shop.commit({ 'j.yaml': jobText({ image: '2' }), 'a.yaml': configMapText('a', '2') })
    shop.until(20)
    expect(shop.ready()).toBe('Ready=False ReconciliationFailed')
    expect(shop.message()).toMatch(
      /^Job\/shop\/one dry-run failed \(Invalid\): .*field is immutable/,
    )
    const maps = shop.cluster.api.read.list(
      { group: '', version: 'v1', resource: 'configmaps' },
      'shop',
    )
    expect(maps.map(({ metadata }) => metadata.name)).toEqual(
      ['a', 'b', 'kube-root-ca.crt'].slice(0, maps.length),
    )
    expect(maps[0]?.['data']).toEqual({ v: '1' })
  })

  it.each([
    ['spec.force', { force: true }, undefined],
    ['trace 009: the annotation, in any case', {}, { [FORCE]: 'Enabled' }],
  ])('F-11: %s replaces', (_, spec, annotations) => {
    const shop = started(spec, jobText())
    shop.until(10)
    shop.commit({
      '0.yaml': jobText({ image: '2', ...(annotations === undefined ? {} : { annotations }) }),
    })
    shop.until(20)
    expect(shop.runs()).toEqual([0, 10])
    expect(shop.ready()).toBe('Ready=True ReconciliationSucceeded')
  })

  it('F-11, trace 011: waits for a finalizer without end, in steps of 2 s', () => {
    const shop = started({ force: true }, jobText())
    shop.until(10)
    shop.patch('one', { metadata: { finalizers: ['example.test/hold'] } })
    shop.commit({ '0.yaml': jobText({ image: '2' }) })
    shop.until(99)
    expect(shop.runs()).toEqual([0])
    shop.patch('one', { metadata: { finalizers: null } })
    shop.until(101)
    // kubectl has touched it: the clean-up fails, and only the retry creates the Job.
    expect(shop.message()).toMatch(
      /metadata.managedFields cleanup failed: jobs.batch "one" not found/,
    )
    shop.until(1000)
    expect(shop.runs()).toEqual([0, 700])
  })

  it('F-11, trace 012: loses the Job when the new manifest is invalid', () => {
    const shop = started({ force: true }, jobText())
    shop.until(10)
    shop.commit({
      '0.yaml': jobText({ image: '2' }).replace('restartPolicy: Never', 'restartPolicy: Always'),
    })
    shop.until(2000)
    expect(shop.job('one')).toBeUndefined()
    expect(shop.ready()).toBe('Ready=False ReconciliationFailed')
  })

  it('trace 010: force that kubectl put on the live Job is gone at the next interval', () => {
    const shop = started({}, jobText())
    shop.until(10)
    shop.patch('one', { metadata: { annotations: { [FORCE]: 'enabled' } } })
    shop.until(700)
    shop.commit({ '0.yaml': jobText({ image: '2' }) })
    shop.until(710)
    expect(shop.runs()).toEqual([0])
    expect(shop.ready()).toBe('Ready=False ReconciliationFailed')
  })

  it('F-11: but before that it is read, and used up by the replacement (trace 010b)', () => {
    const shop = started({}, jobText())
    shop.until(10)
    shop.patch('one', { metadata: { annotations: { [FORCE]: 'enabled' } } })
    shop.commit({ '0.yaml': jobText({ image: '2' }) })
    shop.until(1000)
    expect(shop.runs().length).toBe(2)
    expect(shop.job('one')?.metadata.annotations?.[FORCE]).toBeUndefined()
  })

  it('F-5, trace 035: a Job without a name ends the build', () => {
    const shop = started(
      {},
      jobText().replace('name: one', 'generateName: one-'),
      configMapText('a', '1'),
    )
    shop.until(10)
    expect(shop.ready()).toBe('Ready=False BuildFailed')
    expect(shop.message()).toMatch(/missing metadata.name in object \{\{batch\/v1 Job\}/)
    expect(shop.requests).toEqual([])
  })

  it('trace 053: what has no namespace has no place', () => {
    const shop = started({ targetNamespace: undefined }, jobText())
    shop.until(10)
    expect(shop.message()).toBe(
      'Job/one namespace not specified: the server could not find the requested resource\n',
    )
  })
})

describe('marks on objects (F-12)', () => {
  it('trace 013: IfNotPresent skips a change and restores what is absent', () => {
    const annotations = { [SSA]: 'IfNotPresent' }
    const shop = started({}, jobText({ annotations }))
    shop.until(10)
    shop.commit({ '0.yaml': jobText({ annotations, image: '2' }) })
    shop.until(20)
    expect(shop.ready()).toBe('Ready=True ReconciliationSucceeded')
    shop.remove('one')
    shop.until(1000)
    expect(shop.runs()).toEqual([0, 610])
  })

  it('trace 016: reconcile disabled is not even created, and not pruned', () => {
    const annotations = { [RECONCILE]: 'disabled' }
    const shop = started({ prune: true }, jobText({ annotations }))
    shop.until(700)
    expect(shop.runs()).toEqual([])
    shop.commit({ '0.yaml': jobText() })
    shop.until(710)
    shop.patch('one', { metadata: { annotations } })
    shop.commit({ 'x.yaml': configMapText('x', '1') })
    shop.until(5000)
    expect(shop.runs()).toEqual([700])
    expect(shop.job('one')).toBeDefined()
  })

  it('trace 017: prune disabled keeps what has left the source', () => {
    const shop = started({ prune: true }, jobText({ annotations: { [PRUNE]: 'Disabled' } }))
    shop.until(10)
    shop.commit({ 'x.yaml': configMapText('x', '1') })
    shop.until(1000)
    expect(shop.job('one')).toBeDefined()
  })

  it('trace 015: Merge leaves what kubectl wrote, Override takes it away', () => {
    for (const [ssa, left] of [
      ['Merge', 600],
      ['Override', undefined],
    ] as const) {
      const shop = started({}, jobText({ annotations: { [SSA]: ssa } }))
      shop.until(10)
      shop.patch('one', { spec: { activeDeadlineSeconds: 600 } })
      shop.until(1300)
      expect(integerAt(shop.job('one'), ['spec', 'activeDeadlineSeconds'])).toBe(left)
      expect(shop.runs()).toEqual([0])
    }
  })
})

describe('pruning (F-14)', () => {
  it('S8, trace 060: creates the new name, then deletes the old one', () => {
    const shop = started({ prune: true }, jobText({ name: 'one-a', seconds: 100 }))
    shop.until(10)
    shop.requests.length = 0
    shop.commit({ '0.yaml': jobText({ name: 'one-b' }) })
    shop.until(11)
    expect(shop.requests).toEqual(['dry one-b 201', 'apply one-b 201', 'delete one-a 200'])
  })

  it('trace 019: without prune what left is forgotten, and turning it on changes nothing', () => {
    const shop = started({}, jobText(), configMapText('a', '1'))
    shop.until(10)
    shop.commit({ 'a.yaml': configMapText('a', '1') })
    shop.until(20)
    shop.patch('apps', { spec: { prune: true } }, 'Kustomization')
    shop.until(2000)
    expect(shop.job('one')).toBeDefined()
  })

  it.each([
    ['MirrorPrune with prune', { prune: true }, false],
    ['MirrorPrune without prune', { prune: false }, true],
    ['Delete', { deletionPolicy: 'Delete' }, false],
    ['Orphan', { prune: true, deletionPolicy: 'Orphan' }, true],
    ['a suspended one', { prune: true, suspend: true }, true],
  ])('trace 044: deleting a Kustomization: %s', (_, spec, isKept) => {
    const shop = started({ prune: true }, jobText())
    shop.until(10)
    shop.patch('apps', { spec: { ...spec } }, 'Kustomization')
    shop.until(20)
    shop.remove('apps', 'Kustomization')
    shop.until(30)
    expect(shop.job('one') !== undefined).toBe(isKept)
    expect(shop.ready()).toBe('none')
  })
})
