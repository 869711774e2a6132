import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { jobManifest, REAL, world, type World } from './testing.ts'

const created = (given: World): readonly number[] => given.pods.map((pod) => pod.created)
const indexed = (spec: JsonObject): JsonObject => ({ completionMode: 'Indexed', ...spec })

describe('a Job that completes (K-20, K-21)', () => {
  it('says that its criteria are met, then that it is complete, a second after its last pod', () => {
    const given = world(REAL)
    given.create(jobManifest({ play: { duration: '3000' } }))
    given.until(30)
    expect(given.conditions).toEqual([
      'one SuccessCriteriaMet=True CompletionsReached @4.07',
      'one Complete=True CompletionsReached @4.07',
    ])
    expect(given.job().status).toEqual({
      conditions: expect.any(Array),
      startTime: '2026-01-05T00:00:00Z',
      completionTime: '2026-01-05T00:00:04Z',
      succeeded: 1,
      terminating: 0,
      uncountedTerminatedPods: {},
      ready: 0,
    })
    expect(given.events.at(-1)).toMatchObject({
      type: 'Normal',
      reason: 'Completed',
      message: 'Job completed',
    })
  })

  it('does so in the instant of the end when nothing takes time', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '3000' } }))
    given.until(30)
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @3')
  })

  it('without completions replaces no pod after the first success and waits for the others', () => {
    const given = world()
    given.create(jobManifest({ spec: { parallelism: 3 }, play: { duration: '2000,4000,6000' } }))
    given.until(30)
    expect(created(given)).toEqual([0, 0, 0])
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @6')
    expect(given.job().status).toMatchObject({ succeeded: 3 })
  })

  it('with completions 0 is complete without a pod', () => {
    const given = world()
    given.create(jobManifest({ spec: { completions: 0 } }))
    given.until(1)
    expect(given.pods).toEqual([])
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @0')
  })

  it('never starts a pod again, whatever is raised', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '1000' } }))
    given.create(
      jobManifest({ name: 'bad', spec: { backoffLimit: 0 }, play: { duration: '1', exit: '1' } }),
    )
    given.until(5)
    expect(given.patch('one', { spec: { parallelism: 3 } }).code).toBe(200)
    expect(given.patch('bad', { spec: { backoffLimit: 6 } }).code).toBe(200)
    given.until(60)
    expect(given.pods).toHaveLength(2)
  })
})

describe('a Job with a success policy (K-20)', () => {
  it('is complete when the others have stopped', () => {
    const given = world(REAL)
    const spec = indexed({
      completions: 3,
      parallelism: 3,
      successPolicy: { rules: [{ succeededIndexes: '0' }] },
    })
    const play = {
      duration: '1000',
      'duration-by-index': '{"1":30000,"2":30000}',
      linger: '4000',
    }
    given.create(jobManifest({ spec, play }))
    given.until(30)
    // Trace 020: met at 2.1 s, complete at 7.1 s.
    expect(given.conditions).toEqual([
      'one SuccessCriteriaMet=True SuccessPolicy @2.04',
      'one Complete=True SuccessPolicy @7.05',
    ])
    expect(given.job().status).toMatchObject({ succeeded: 1, completedIndexes: '0' })
    expect(given.job().status?.failed).toBeUndefined()
    expect(given.job().status?.conditions?.[0]?.message).toBe('Matched rules at index 0')
  })

  it('is complete although an index failed for good', () => {
    const given = world()
    const spec = indexed({
      completions: 4,
      parallelism: 4,
      backoffLimitPerIndex: 0,
      successPolicy: { rules: [{ succeededCount: 2 }] },
    })
    const play = {
      duration: '1000',
      'exit-by-index': '{"0":"1"}',
      'duration-by-index': '{"3":9000}',
    }
    given.create(jobManifest({ spec, play }))
    given.until(30)
    expect(given.conditions.at(-1)).toBe('one Complete=True SuccessPolicy @1')
  })
})

describe('a Job that fails (K-19, K-21)', () => {
  it('is FailureTarget at once, and Failed when its last pod has stopped', () => {
    const given = world(REAL)
    const spec = { activeDeadlineSeconds: 5 }
    given.create(jobManifest({ spec, play: { duration: '60000', linger: '4000' } }))
    given.until(30)
    expect(given.conditions).toEqual([
      'one FailureTarget=True DeadlineExceeded @5',
      'one Failed=True DeadlineExceeded @10.01',
    ])
    expect(given.pods[0]).toMatchObject({ deletionRequested: 5, ended: 9.01, phase: 'Failed' })
    expect(given.job().status).toMatchObject({ failed: 1 })
  })

  it('counts its deadline from a whole second, so up to a second early', () => {
    const given = world({ ...REAL, offsetMs: 700 })
    given.create(jobManifest({ spec: { activeDeadlineSeconds: 5 }, play: { duration: '60000' } }))
    given.until(30)
    expect(given.conditions[0]).toBe('one FailureTarget=True DeadlineExceeded @4.3')
  })

  it('fails at once when its deadline is lowered below the time that it ran', () => {
    const given = world(REAL)
    given.create(jobManifest({ spec: { activeDeadlineSeconds: 60 }, play: { duration: '90000' } }))
    given.until(8)
    given.patch('one', { spec: { activeDeadlineSeconds: 4 } })
    given.until(30)
    expect(given.conditions[0]).toBe('one FailureTarget=True DeadlineExceeded @8.015')
  })

  it('fails at its deadline although its pod had ended well while nobody looked', () => {
    const given = world()
    given.create(jobManifest({ spec: { activeDeadlineSeconds: 20 }, play: { duration: '10000' } }))
    given.until(1)
    given.cluster.stop('job-controller')
    given.until(60)
    given.cluster.start('job-controller')
    given.until(90)
    // Trace 075.
    expect(given.conditions.at(-1)).toBe('one Failed=True DeadlineExceeded @60')
    expect(given.pods[0]?.phase).toBe('Succeeded')
  })
})

describe('limits by index (K-17, K-19)', () => {
  it('gives an index up after its own limit, and the Job only when all others are done', () => {
    const given = world()
    const spec = indexed({ completions: 3, parallelism: 3, backoffLimitPerIndex: 1 })
    const play = {
      duration: '500',
      'exit-by-index': '{"1":"1"}',
      'duration-by-index': '{"2":15000}',
    }
    given.create(jobManifest({ spec, play }))
    given.until(60)
    expect(created(given)).toEqual([0, 0, 0, 10])
    expect(given.conditions.at(-1)).toBe('one Failed=True FailedIndexes @15')
    expect(given.job().status).toMatchObject({
      failed: 2,
      succeeded: 2,
      completedIndexes: '0,2',
      failedIndexes: '1',
    })
  })

  it('hands the count of failures on from pod to pod', () => {
    const given = world()
    const spec = indexed({ completions: 1, parallelism: 1, backoffLimitPerIndex: 2 })
    given.create(jobManifest({ spec, play: { duration: '500', 'exit-by-index': '{"0":"1,1,0"}' } }))
    given.until(60)
    const counts = given
      .podsNow()
      .map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'])
    expect(new Set(counts)).toEqual(new Set(['0', '1', '2']))
    expect(created(given)).toEqual([0, 10, 30])
    expect(given.conditions.at(-1)).toMatch(/^one Complete=True/)
  })

  it('ends with too many failed indexes, killing what has just started', () => {
    const given = world(REAL)
    const spec = indexed({
      completions: 4,
      parallelism: 2,
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 1,
    })
    const play = {
      duration: '1000',
      'exit-by-index': '{"0":"1","1":"1"}',
      'duration-by-index': '{"1":3000,"2":20000,"3":20000}',
    }
    given.create(jobManifest({ spec, play }))
    given.until(30)
    expect(given.pods.map(({ index }) => index)).toEqual(['0', '1', '2'])
    expect(given.conditions).toEqual([
      'one FailureTarget=True MaxFailedIndexesExceeded @4.04',
      'one Failed=True MaxFailedIndexesExceeded @5.04',
    ])
    expect(given.job().status).toMatchObject({ failed: 3, failedIndexes: '0,1' })
  })
})

describe('a pod failure policy (K-22)', () => {
  const exit = (action: string, values: readonly number[], more: JsonObject = {}): JsonObject => ({
    action,
    onExitCodes: { operator: 'In', values, ...more },
  })

  it('FailJob ends the Job, Failed when the others have stopped', () => {
    const given = world(REAL)
    const spec = indexed({
      completions: 2,
      parallelism: 2,
      podFailurePolicy: { rules: [exit('FailJob', [42])] },
    })
    const play = {
      duration: '1000',
      'exit-by-index': '{"0":"42"}',
      'duration-by-index': '{"1":30000}',
      linger: '3000',
    }
    given.create(jobManifest({ spec, play }))
    given.until(30)
    expect(given.conditions).toEqual([
      'one FailureTarget=True PodFailurePolicy @2.04',
      'one Failed=True PodFailurePolicy @6.05',
    ])
    const { name } = given.pods[0] ?? { name: '' }
    expect(given.job().status?.conditions?.[0]?.message).toBe(
      `Container main for pod default/${name} failed with exit code 42 matching FailJob rule at index 0`,
    )
  })

  it('goes by the first rule that fits', () => {
    const given = world()
    const rules = [
      exit('Count', [1]),
      { action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [1] } },
    ]
    given.create(
      jobManifest({
        spec: { podFailurePolicy: { rules } },
        play: { duration: '500', exit: '1,42' },
      }),
    )
    given.until(60)
    expect(created(given)).toEqual([0, 10])
    expect(given.conditions.at(-1)).toBe('one Failed=True PodFailurePolicy @10.5')
  })

  it('FailIndex gives the index up at its first failure', () => {
    const given = world()
    const spec = indexed({
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 5,
      podFailurePolicy: { rules: [exit('FailIndex', [42])] },
    })
    given.create(jobManifest({ spec, play: { duration: '500', 'exit-by-index': '{"1":"42"}' } }))
    given.until(60)
    expect(given.pods).toHaveLength(2)
    expect(given.conditions.at(-1)).toBe('one Failed=True FailedIndexes @0.5')
  })

  it('is silent about a container that its rule does not name', () => {
    const given = world()
    const rules = [exit('FailJob', [1], { containerName: 'other' })]
    const spec = { backoffLimit: 1, podFailurePolicy: { rules } }
    const pod = { initContainers: [{ name: 'other', image: 'registry.example.test/other:1' }] }
    given.create(jobManifest({ spec, play: { duration: '500', exit: '1' }, pod }))
    given.until(60)
    expect(given.conditions.at(-1)).toBe('one Failed=True BackoffLimitExceeded @10.5')
  })
})

describe('an end written by hand', () => {
  it.each([
    ['FailureTarget', 'one Failed=True ByHand @5.07'],
    ['SuccessCriteriaMet', 'one Complete=True ByHand @5.07'],
  ])('%s is honoured: pods are killed and the Job ends', (type, last) => {
    const given = world(REAL)
    given.create(jobManifest({ play: { duration: '20000', linger: '2000' } }))
    given.until(1.5)
    const conditions = [{ type, status: 'True', reason: 'ByHand', message: 'written by hand' }]
    given.patch('one', { status: { conditions } }, 'status')
    given.until(60)
    // Trace 103: with zero successes.
    expect(given.conditions.at(-1)).toMatch(last.split('@')[0] ?? '')
    expect(given.job().status?.succeeded).toBeUndefined()
    expect(given.pods).toHaveLength(1)
  })
})

describe('older versions', () => {
  it('1.30 writes the end at once, without interim condition', () => {
    const given = world({ minor: 30 })
    const spec = { activeDeadlineSeconds: 5 }
    given.create(jobManifest({ spec, play: { duration: '60000', linger: '4000' } }))
    given.create(jobManifest({ name: 'good', play: { duration: '1000' } }))
    given.until(30)
    expect(given.conditions).toEqual([
      'good Complete=True  @1',
      'one Failed=True DeadlineExceeded @5',
    ])
  })
})
