import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { JOBS } from './job/job.ts'
import { bodyOf, jobManifest, REAL, world, type World } from './job/testing.ts'

const NAME = 'ttl-after-finished-controller'

/** Seconds since the beginning at which the Job's deletion was asked for. */
function expiry(given: World, name = 'one'): number | undefined {
  const found = given.cluster.api.read.get(JOBS, 'default', name)
  const text = found?.metadata.deletionTimestamp
  return text === undefined ? undefined : Date.parse(text)
}

/** The first instant, by tenths of a second, at which the Job is being deleted or gone. */
function goesAt(given: World, until: number, name = 'one'): number | undefined {
  for (let tenth = Math.ceil(given.now() * 10); tenth <= until * 10; tenth += 1) {
    given.until(tenth / 10)
    const found = given.cluster.api.read.get(JOBS, 'default', name)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return tenth / 10
  }
  return undefined
}

const spec = (ttlSecondsAfterFinished: number, more: JsonObject = {}): JsonObject => ({
  ttlSecondsAfterFinished,
  ...more,
})

describe('a finished Job with a TTL', () => {
  it('is deleted so many seconds after its Complete condition (K-25)', () => {
    const given = world()
    given.create(jobManifest({ spec: spec(5), play: { duration: '2000' } }))
    expect(goesAt(given, 60)).toBe(7)
  })

  it('is deleted up to a second early, as the condition has whole seconds (K-25)', () => {
    const given = world({ ...REAL, offsetMs: 500 })
    given.create(jobManifest({ spec: spec(5), play: { duration: '2000' } }))
    given.until(3.2)
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @3.07')
    expect(goesAt(given, 60)).toBe(7.5)
  })

  it('goes with its pods first, and only if it is still that Job (K-26)', () => {
    const given = world()
    const job = bodyOf(given.create(jobManifest({ spec: spec(5), play: { duration: '2000' } })))
    given.until(8)
    const { uid } = job.metadata
    expect(given.requests.filter(({ verb, user }) => verb === 'delete' && user === NAME)).toEqual([
      expect.objectContaining({
        name: 'one',
        body: expect.objectContaining({ propagationPolicy: 'Foreground', preconditions: { uid } }),
      }),
    ])
    expect(given.pods[0]?.deleted).toBe(7)
  })

  it('goes at once with TTL 0', () => {
    const given = world()
    given.create(jobManifest({ spec: spec(0), play: { duration: '2000' } }))
    expect(goesAt(given, 60)).toBe(2)
  })

  it('goes when it failed, too', () => {
    const given = world()
    given.create(
      jobManifest({ spec: spec(3, { backoffLimit: 0 }), play: { duration: '1000', exit: '1' } }),
    )
    expect(goesAt(given, 60)).toBe(4)
  })

  it('waits for its last pod to stop before it counts (K-27)', () => {
    const given = world()
    const more = { activeDeadlineSeconds: 4 }
    given.create(jobManifest({ spec: spec(2, more), play: { duration: '60000', linger: '6000' } }))
    expect(goesAt(given, 60)).toBe(12)
  })

  it('goes at its time although somebody suspends it', () => {
    const given = world()
    given.create(jobManifest({ spec: spec(8), play: { duration: '1000' } }))
    given.until(4)
    given.patch('one', { spec: { suspend: true } })
    expect(goesAt(given, 60)).toBe(9)
  })

  it.each([
    ['raised', 20, 21],
    ['lowered', 2, 3],
    ['removed', null, undefined],
  ])('honours a TTL that was %s meanwhile (K-26)', (_, ttl, expected) => {
    const given = world()
    given.create(jobManifest({ spec: spec(8), play: { duration: '1000' } }))
    given.until(2)
    given.patch('one', { spec: { ttlSecondsAfterFinished: ttl } })
    expect(goesAt(given, 60)).toBe(expected)
  })

  it('goes when the controller is back, if it expired while it was away (K-28)', () => {
    const given = world()
    given.create(jobManifest({ spec: spec(8), play: { duration: '1000' } }))
    given.until(2)
    given.cluster.stop(NAME)
    given.until(50)
    expect(expiry(given)).toBeUndefined()
    given.cluster.start(NAME)
    expect(goesAt(given, 60)).toBe(50)
  })

  it('goes like any other when somebody else manages it', () => {
    const given = world()
    given.create(jobManifest({ spec: spec(3, { managedBy: 'semel.dev/replay' }) }))
    const met = { type: 'SuccessCriteriaMet', status: 'True' }
    const at = '2026-01-05T00:00:01Z'
    const conditions = [
      { ...met, lastTransitionTime: at },
      { type: 'Complete', status: 'True', lastTransitionTime: at },
    ]
    given.until(1)
    const status = { conditions, startTime: at, completionTime: at }
    expect(given.patch('one', { status }, 'status').code).toBe(200)
    expect(goesAt(given, 60)).toBe(4)
  })
})

describe('nothing is deleted', () => {
  it('without a TTL', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '1000' } }))
    expect(goesAt(given, 100)).toBeUndefined()
  })

  it('as long as the Job runs or is suspended', () => {
    const given = world()
    given.create(jobManifest({ spec: spec(1, { suspend: true }) }))
    expect(goesAt(given, 100)).toBeUndefined()
  })
})
