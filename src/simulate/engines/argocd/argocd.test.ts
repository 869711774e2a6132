import { describe, expect, it } from 'vitest'
import { stringAt, type JsonObject } from '../../../core/json.ts'
import { APPLICATIONS, REFRESH } from './application.ts'
import { selfHealWaitSeconds } from './auto-sync.ts'
import { ARGOCD, IDEALISED_DELAYS } from './index.ts'
import { Observer } from '../../trace/observe.ts'
import { AUTO, configMap, FORCE_REPLACE, HEALING, hook, job, JOBS, Stage, ZERO } from './testing.ts'

describe('Argo CD syncs once per revision', () => {
  it('A-4: applies a new revision once, and refreshes apply nothing', () => {
    const stage = new Stage(HEALING).commit(job(), configMap('1')).start().until(10)
    for (let at = 0; at < 5; at += 1) {
      stage
        .patch({ metadata: { annotations: { [REFRESH]: at % 2 === 0 ? 'hard' : 'normal' } } })
        .until(20 + at)
    }
    expect(stage.until(1000).created()).toEqual([0])
    expect(stage.state('sync', 'status')).toBe('Synced')
    expect(stage.state('health', 'status')).toBe('Healthy')
  })

  it('A-3: never wipes out everything by itself', () => {
    const stage = new Stage(HEALING).commit(job()).start().until(10).commit().until(20)
    const [condition] = (stage.app['status'] as { conditions: JsonObject[] }).conditions
    expect(condition).toMatchObject({ type: 'SyncError' })
    expect(stringAt(condition, ['message'])).toMatch(/auto-sync will wipe out all resources$/)
    expect(stage.cluster.api.read.get(JOBS, 'shop', 'work')).toBeDefined()
  })

  it('A-4: a refused change fails, is retried and then left until the next revision', () => {
    const stage = new Stage(HEALING).commit(job()).start().until(10)
    stage.commit(job({ image: 'work:2' })).until(400)
    expect(stage.state('operationState', 'phase')).toBe('Failed')
    expect(stage.state('operationState', 'message')).toMatch(
      /field is immutable \(retried 5 times\)\.$/,
    )
    expect(stage.until(3000).created()).toEqual([0])
    expect(
      stage
        .commit(job({ name: 'work-2', image: 'work:2' }))
        .until(3100)
        .created('work-2'),
    ).toEqual([3000])
  })

  it('A-24: prunes the old name before it creates the new one', () => {
    const stage = new Stage(HEALING)
      .commit(job({ name: 'a' }))
      .start()
      .until(10)
    stage.commit(job({ name: 'b' })).until(20)
    const [one, other] = stage.observer.jobs
    expect([one?.deletionRequested, other?.created]).toEqual([10, 10])
  })

  it('A-3: without prune the old name stays and starts nothing', () => {
    const stage = new Stage(AUTO)
      .commit(job({ name: 'a' }))
      .start()
      .until(10)
    stage.commit(job({ name: 'b' })).until(1000)
    expect(stage.observer.jobs.map(({ name, deleted }) => [name, deleted])).toEqual([
      ['a', null],
      ['b', null],
    ])
    expect(stage.state('sync', 'status')).toBe('OutOfSync')
  })
})

describe('Argo CD heals what is missing', () => {
  it.each([
    [0, 0],
    [1, 2],
    [2, 6],
    [3, 18],
    [4, 54],
    [5, 162],
    [6, 300],
    [9, 300],
  ])('A-10: after %i attempts it waits %i s', (attempts, seconds) => {
    expect(selfHealWaitSeconds(attempts)).toBe(seconds)
  })

  it('A-10: a Job with a TTL runs again and again, with growing waits', () => {
    const stage = new Stage(HEALING).commit(job({ spec: { ttlSecondsAfterFinished: 5 } })).start()
    // Work and TTL take 5 s; the waits of 18 and 54 s are longer than that.
    expect(stage.until(100).created()).toEqual([0, 5, 10, 16, 34, 88])
  })

  it('A-10: without self-heal it is shown as OutOfSync and left', () => {
    const stage = new Stage(AUTO).commit(job({ spec: { ttlSecondsAfterFinished: 5 } })).start()
    expect(stage.until(1000).created()).toEqual([0])
    expect(stage.state('sync', 'status')).toBe('OutOfSync')
  })

  it('A-38: self-heal leaves hooks out', () => {
    const pre = job({ name: 'pre', annotations: hook('PreSync') })
    const stage = new Stage(HEALING)
      .commit(pre, job({ spec: { ttlSecondsAfterFinished: 5 } }))
      .start()
    stage.until(100)
    expect(stage.created('pre')).toEqual([0])
    expect(stage.created().length).toBeGreaterThan(3)
  })

  it('trace 038: a comparison that reads an old cache runs a Force,Replace Job twice', () => {
    const delays = { ...IDEALISED_DELAYS, staleShare: 40 / 109 }
    let runs = 0
    for (let seed = 0; seed < 60; seed += 1) {
      const stage = new Stage(HEALING, { delays }, seed)
      runs += stage
        .commit(job({ annotations: FORCE_REPLACE }))
        .start()
        .until(60)
        .created().length
    }
    expect(runs).toBeGreaterThan(60 + 10)
    expect(runs).toBeLessThan(60 + 45)
  })

  it('trace 038: idealised, the cache is never old', () => {
    const stage = new Stage(HEALING).commit(job({ annotations: FORCE_REPLACE })).start()
    expect(stage.until(60).created()).toEqual([0])
  })
})

describe('Argo CD runs hooks', () => {
  const pre = (image = 'work:1'): JsonObject =>
    job({ name: 'pre', image, annotations: hook('PreSync') })

  it('A-14: a change of a hook alone starts nothing', () => {
    const stage = new Stage(HEALING).commit(pre(), configMap('1')).start().until(10)
    expect(stage.commit(pre('work:2'), configMap('1')).until(1000).created('pre')).toEqual([0])
    expect(stage.state('sync', 'status')).toBe('Synced')
  })

  it('A-33: every full sync makes the hook anew, after the old one is gone', () => {
    const stage = new Stage(HEALING).commit(pre(), configMap('1')).start().until(10)
    stage.commit(pre(), configMap('2')).until(30).sync().until(60)
    expect(stage.created('pre')).toEqual([0, 12, 32])
    expect(stage.observer.jobs[0]?.deleted).toBeCloseTo(10, 1)
  })

  it('A-37: the hook finalizer is there while it runs and goes at its end', () => {
    const long = job({
      name: 'pre',
      annotations: hook('PreSync'),
      play: { 'play/duration': '20000' },
    })
    const stage = new Stage(AUTO).commit(long, configMap('1')).start().until(10)
    const finalizers = (): unknown =>
      stage.cluster.api.read.get(JOBS, 'shop', 'pre')?.metadata.finalizers
    expect(finalizers()).toEqual(['argocd.argoproj.io/hook-finalizer'])
    stage.until(60)
    expect(finalizers()).toBeUndefined()
  })

  it('A-9: a failing PreSync hook runs six times, and what comes after it never', () => {
    const bad = job({ name: 'pre', annotations: hook('PreSync'), play: { 'play/exit': '1' } })
    const stage = new Stage(AUTO).commit(bad, job()).start().until(2000)
    expect(stage.created('pre')).toHaveLength(6)
    expect(stage.created()).toEqual([])
    expect(stage.state('operationState', 'message')).toBe(
      'one or more synchronization tasks completed unsuccessfully (retried 5 times).',
    )
  })

  it('A-34: HookSucceeded deletes at the end of the operation', () => {
    const policy = { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' }
    const quick = job({ name: 'pre', annotations: hook('PreSync', policy) })
    const slow = job({
      name: 'post',
      annotations: hook('PostSync', policy),
      play: { 'play/duration': '9000' },
    })
    const stage = new Stage(AUTO).commit(quick, slow, configMap('1')).start().until(60)
    const [one, other] = stage.observer.jobs
    expect(one?.deletionRequested).toBe(other?.deletionRequested)
    expect(one?.deletionRequested).toBeGreaterThan(9)
  })

  it('A-36: generateName takes revision, phase and start, and a retry reuses the name', () => {
    const gen: JsonObject = {
      ...job({ play: { 'play/exit': '1,0' } }),
      metadata: { generateName: 'gen-', annotations: hook('PreSync') },
    }
    const stage = new Stage(AUTO).commit(gen).start().sync().until(60)
    const names = stage.observer.jobs.map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set([`gen-0000000-presync-${ZERO / 1000}`]))
  })

  it('A-31: a word that is no hook leaves the object out', () => {
    const typo = job({ name: 'typo', annotations: hook('PreSynch') })
    const stage = new Stage(AUTO).commit(typo, configMap('1')).start().until(60)
    expect(stage.created('typo')).toEqual([])
    expect(stage.state('sync', 'status')).toBe('Synced')
  })

  it('A-41: a controller that dies within 2 s of making a hook runs it twice', () => {
    const stage = new Stage(AUTO).commit(pre(), configMap('1')).start().until(1)
    stage.cluster.stop(ARGOCD)
    stage.until(5)
    stage.cluster.start(ARGOCD)
    // Nothing wakes the operation but the tick, 120 s after the start (A-1b).
    expect(stage.until(300).created('pre')).toEqual([0, 127])
  })

  it('A-41: later the hook is known and only waited for', () => {
    const long = job({
      name: 'pre',
      annotations: hook('PreSync'),
      play: { 'play/duration': '30000' },
    })
    const stage = new Stage(AUTO).commit(long, configMap('1')).start().until(10)
    stage.cluster.stop(ARGOCD)
    stage.until(15)
    stage.cluster.start(ARGOCD)
    expect(stage.until(300).created('pre')).toEqual([0])
    expect(stage.state('operationState', 'phase')).toBe('Succeeded')
  })

  it('A-39: Terminate deletes the running hook and fails the operation', () => {
    const long = job({
      name: 'pre',
      annotations: hook('PreSync'),
      play: { 'play/duration': '60000' },
    })
    const stage = new Stage(AUTO).commit(long, configMap('1')).start().until(10)
    stage.patch({ status: { operationState: { phase: 'Terminating' } } }).until(20)
    expect(stage.state('operationState', 'message')).toBe('Operation terminated')
    expect(stage.observer.jobs[0]?.deletionRequested).toBe(10)
  })
})

describe('Argo CD goes through waves', () => {
  const wave = (value: string): JsonObject => ({ 'argocd.argoproj.io/sync-wave': value })

  it('A-21: waits for the Job of a wave that another one follows', () => {
    const first = job({ annotations: wave('0'), play: { 'play/duration': '8000' } })
    const stage = new Stage(AUTO)
      .commit(first, job({ name: 'after', annotations: wave('1') }))
      .start()
    expect(stage.until(60).created('after')).toEqual([8])
  })

  it('A-21: does not wait for the last wave, so a failure there fails nothing', () => {
    const last = job({ annotations: wave('1'), play: { 'play/exit': '1' } })
    const stage = new Stage(AUTO)
      .commit(configMap('1', 'conf', wave('0')), last)
      .start()
      .until(60)
    expect(stage.state('operationState', 'phase')).toBe('Succeeded')
    expect(stage.state('health', 'status')).toBe('Degraded')
  })

  it('A-23: a Job that its TTL removes before it is looked at fails the sync', () => {
    const gone = job({ annotations: wave('0'), spec: { ttlSecondsAfterFinished: 0 } })
    const policy = { syncPolicy: { automated: {}, retry: { limit: 1 } } }
    const stage = new Stage(policy)
      .commit(gone, configMap('1', 'late', wave('1')))
      .start()
      .until(60)
    expect(stage.created()).toHaveLength(2)
    expect(stage.state('operationState', 'message')).toBe(
      'one or more synchronization tasks completed unsuccessfully, reason: Resource batch/Job/work ' +
        'is missing, it might have been deleted (retried 1 times).',
    )
  })
})

describe('Argo CD applies as its options say', () => {
  it('A-27: Force,Replace runs at every full sync', () => {
    const forced = job({ annotations: FORCE_REPLACE })
    const stage = new Stage(AUTO).commit(forced, configMap('1')).start().until(10)
    expect(stage.commit(forced, configMap('2')).until(20).created()).toEqual([0, 10])
  })

  it('A-28: ApplyOutOfSyncOnly leaves an unchanged one alone', () => {
    const policy = { syncPolicy: { automated: {}, syncOptions: ['ApplyOutOfSyncOnly=true'] } }
    const forced = job({ annotations: FORCE_REPLACE })
    const stage = new Stage(policy).commit(forced, configMap('1')).start().until(10)
    expect(stage.commit(forced, configMap('2')).until(20).created()).toEqual([0])
  })

  it('A-26: Force alone replaces only what is refused', () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'Force=true' }
    const stage = new Stage(AUTO).commit(job({ annotations }), configMap('1')).start().until(10)
    stage.commit(job({ annotations }), configMap('2')).until(20)
    expect(stage.created()).toEqual([0])
    expect(
      stage
        .commit(job({ annotations, image: 'work:2' }))
        .until(30)
        .created(),
    ).toEqual([0, 20])
  })

  it('A-15: under ServerSideApply a refused change reads Synced at the next tick', () => {
    const policy = { syncPolicy: { automated: {}, syncOptions: ['ServerSideApply=true'] } }
    const stage = new Stage(policy).commit(job(), configMap('1')).start().until(10)
    stage.commit(job({ image: 'work:2' }), configMap('2')).until(20)
    expect(stage.state('sync', 'status')).toBe('Unknown')
    // The tick at 120 s finds a comparison of 110 s, the one at 240 s makes a new one.
    stage.until(250)
    expect(stage.state('sync', 'status')).toBe('Synced')
    expect(stage.state('sync', 'revision')).toMatch(/2$/)
    const live = stage.cluster.api.read.get(
      { group: '', version: 'v1', resource: 'configmaps' },
      'shop',
      'conf',
    )
    expect(stringAt(live, ['data', 'v'])).toBe('1')
  })
})

describe('an Argo CD application that is deleted', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io']

  it('A-40: runs its PreDelete hook first, then everything goes', () => {
    const before = job({ name: 'before', annotations: hook('PreDelete') })
    const stage = new Stage(AUTO)
      .commit(before, job())
      .start()
      .until(10)
      .patch({ metadata: { finalizers } })
    const place = { resource: APPLICATIONS, namespace: 'argocd', name: 'shop' }
    stage
      .until(11)
      .patch({ metadata: { annotations: { [REFRESH]: 'normal' } } })
      .until(15)
    stage.cluster.request({ verb: 'delete', ...place, user: 'person' })
    stage.until(60)
    expect(stage.created('before')).toEqual([15])
    expect(stage.cluster.api.read.get(JOBS, 'shop', 'work')).toBeUndefined()
    expect(stage.cluster.api.read.get(APPLICATIONS, 'argocd', 'shop')).toBeUndefined()
  })
})

describe('Argo CD in a model cluster', () => {
  it('costs nothing while nothing changes, for a year', () => {
    const stage = new Stage(HEALING).commit(job(), configMap('1')).start().until(1000)
    let steps = 0
    const year = ZERO + 365 * 86_400_000
    while ((stage.cluster.nextAt() ?? Infinity) < year && stage.cluster.step()) steps += 1
    expect(steps).toBeLessThan(10)
  })

  it('goes on alike in a copy', () => {
    const stage = new Stage(HEALING)
      .commit(job({ spec: { ttlSecondsAfterFinished: 5 } }))
      .start()
      .until(7)
    const copied = new Observer(ZERO)
    const twin = stage.cluster.copy({ write: (event, at) => copied.write(event, at) })
    twin.runUntil(ZERO + 100_000)
    stage.until(100)
    const later = stage.created().filter((t) => t > 7)
    // The first one that the copy's observer sees was there before.
    const seen = copied.jobs.slice(1).map(({ created }) => Math.round(created))
    expect(seen).toEqual(later)
  })
})
