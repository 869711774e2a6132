import { describe, expect, it } from 'vitest'
import type { Admission } from '../../api/admission.ts'
import { DEFAULT_LIMIT } from './index.ts'
import { jobManifest, REAL, world, type World } from './testing.ts'

const started = (given: World): readonly number[] => given.pods.map(({ created }) => created)
const played = (exit: string, more: object = {}) => ({ duration: '500', exit, ...more })

describe('retries of a failing Job (K-17, K-19)', () => {
  it('starts backoffLimit + 1 pods, each 10, 20, 40 ... s after the end of the one before', () => {
    const given = world()
    given.create(jobManifest({ play: played('1') }))
    given.until(2000)
    expect(started(given)).toEqual([0, 10, 30, 70, 150, 310, 630])
    expect(given.conditions).toEqual([
      'one FailureTarget=True BackoffLimitExceeded @630.5',
      'one Failed=True BackoffLimitExceeded @630.5',
    ])
    expect(given.job().status).toMatchObject({ failed: 7, ready: 0, terminating: 0 })
  })

  it('starts one pod with backoffLimit 0, and says so a second after its end', () => {
    const given = world(REAL)
    given.create(jobManifest({ spec: { backoffLimit: 0 }, play: played('1') }))
    given.until(60)
    expect(started(given)).toEqual([0.04])
    expect(given.conditions).toEqual([
      'one FailureTarget=True BackoffLimitExceeded @1.04',
      'one Failed=True BackoffLimitExceeded @1.04',
    ])
    expect(given.events.map(({ type, reason, message }) => [type, reason, message])).toEqual([
      ['Normal', 'SuccessfulCreate', `Created pod: ${given.pods[0]?.name}`],
      ['Warning', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'],
    ])
  })

  it('counts the delay from a whole second, so a retry may come almost a second early', () => {
    const given = world({ ...REAL, offsetMs: 240 })
    const spec = { completions: 3, parallelism: 1 }
    given.create(jobManifest({ spec, play: played('1,0,1,1,0,0') }))
    given.until(60)
    // Trace 007: a success resets the count.
    expect(started(given)).toEqual([0.04, 9.76, 10.76, 20.76, 40.76, 41.76])
  })

  it('takes three failures at once for three: all replacements come 40 s later', () => {
    const given = world()
    const spec = { completions: 3, parallelism: 3 }
    given.create(jobManifest({ spec, play: played('1,1,1,0') }))
    given.until(60)
    expect(started(given)).toEqual([0, 0, 0, 40, 40, 40])
  })

  it('never waits longer than 600 s', () => {
    const given = world()
    const spec = { completions: 8, parallelism: 8, backoffLimit: 20 }
    given.create(jobManifest({ spec, play: played('1,1,1,1,1,1,1,1,0') }))
    given.until(700)
    expect(new Set(started(given))).toEqual(new Set([0, 600]))
  })

  it('retries one index at once when another succeeded in the same second', () => {
    const given = world(REAL)
    const spec = { completionMode: 'Indexed', completions: 2, parallelism: 2 }
    const play = { duration: '500', 'exit-by-index': '{"1":"1,0"}' }
    given.create(jobManifest({ spec, play }))
    given.until(30)
    expect(started(given)).toEqual([0.04, 0.04, 1.04])
    expect(given.job().status).toMatchObject({ completedIndexes: '0,1', failed: 1 })
  })

  it('waits after an ignored failure, too, but does not count it for the limit', () => {
    const given = world()
    const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } }]
    const spec = { backoffLimit: 0, podFailurePolicy: { rules } }
    given.create(jobManifest({ spec, play: played('3,3,0') }))
    given.until(60)
    expect(started(given)).toEqual([0, 10, 30])
    expect(given.job().status?.failed).toBeUndefined()
    expect(given.conditions.at(-1)).toMatch(/^one Complete=True/)
  })

  it('forgets the delay when the controller restarts (K-18)', () => {
    const given = world()
    given.create(jobManifest({ play: played('1') }))
    given.until(34)
    given.cluster.stop('job-controller')
    given.until(35)
    given.cluster.start('job-controller')
    given.until(70)
    // Trace 077: the fourth pod comes with the new process, and the count begins again.
    expect(started(given)).toEqual([0, 10, 30, 35, 45, 65])
  })
})

describe('restarts in the pod (K-19, restartPolicy OnFailure)', () => {
  it.each([
    [0, 3.5, 1],
    [1, 3.5, 1],
    [3, 10.5, 3],
  ])(
    'with backoffLimit %i the Job fails at %f s, after %i restarts',
    (backoffLimit, at, restarts) => {
      const given = world()
      const play = played('1', { restart: '3000' })
      given.create(jobManifest({ spec: { backoffLimit }, play, restartPolicy: 'OnFailure' }))
      given.until(60)
      expect(given.pods).toHaveLength(1)
      expect(given.conditions[0]).toBe(`one FailureTarget=True BackoffLimitExceeded @${at}`)
      const [pod] = given.podsNow()
      expect(pod?.status?.containerStatuses?.[0]?.restartCount ?? restarts).toBe(restarts)
      expect(given.pods[0]?.deletionRequested).toBe(at)
    },
  )
})

describe('refused pods', () => {
  const quota = (until: number): Admission => ({
    name: 'quota',
    validate: ({ resource, operation, now }) =>
      resource.resource === 'pods' && operation === 'CREATE' && now < until
        ? { allowed: false, code: 403, reason: 'Forbidden', message: 'exceeded quota: q' }
        : { allowed: true },
  })

  it('are asked for again after 1, 2, 4 ... s, and the Job does not fail', () => {
    const given = world({ ...REAL, admission: [quota(Date.UTC(2026, 0, 5, 0, 0, 40))] })
    given.create(jobManifest({ play: played('0') }))
    given.until(120)
    // Trace 106: the quota went at 40 s, the pod came at 63 s.
    expect(started(given)).toEqual([63.04])
    const refused = given.events.filter(({ reason }) => reason === 'FailedCreate')
    expect(refused).toHaveLength(6)
    expect(refused[0]?.message).toMatch(/^Error creating: .*exceeded quota: q/)
    expect(given.conditions.at(-1)).toMatch(/^one Complete=True CompletionsReached/)
  })

  it('are asked for one at a time while the quota lasts, and twice as many after each success', () => {
    const given = world({ admission: [quota(Date.UTC(2026, 0, 5, 0, 0, 2))] })
    given.create(jobManifest({ spec: { completions: 8, parallelism: 8 }, play: played('0') }))
    given.until(1)
    expect(given.events.filter(({ reason }) => reason === 'FailedCreate')).toHaveLength(2)
    given.until(60)
    expect(given.pods).toHaveLength(8)
  })
})

describe('a client that may send 20 requests a second', () => {
  it('starts the last of a hundred Jobs after 10 s, and ends it after 28 s', () => {
    const given = world({ ...REAL, limit: DEFAULT_LIMIT })
    for (let at = 0; at < 100; at += 1) {
      given.create(jobManifest({ name: `j${at}`, play: { duration: '1000' } }))
    }
    given.until(120)
    // Trace 108: 10.6 s and 29 s.
    expect(Math.max(...started(given))).toBeCloseTo(10.5, 0)
    const ends = given.conditions
      .filter((text) => text.includes('Complete=True'))
      .map((text) => Number(text.split('@')[1]))
    expect(ends).toHaveLength(100)
    expect(Math.max(...ends)).toBeGreaterThan(26)
    expect(Math.max(...ends)).toBeLessThan(31)
  })

  it('is not noticed with a few Jobs', () => {
    const given = world({ ...REAL, limit: DEFAULT_LIMIT })
    for (let at = 0; at < 5; at += 1) given.create(jobManifest({ name: `j${at}` }))
    given.until(10)
    expect(new Set(started(given))).toEqual(new Set([0.04]))
  })
})
