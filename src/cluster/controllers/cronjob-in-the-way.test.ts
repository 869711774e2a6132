import { describe, expect, it } from 'vitest'
import { REALISTIC } from '../actor.ts'
import { CRONJOBS, JOBS } from './cronjob-job.ts'
import { cronManifest, job, jobSpec, life, play, reasons, touch, world } from './testing.ts'

describe('a Job in the way of a CronJob', () => {
  it('one that was deleted by hand is not run again, not even over restarts (063, 079c)', () => {
    const given = world()
    given.create(cronManifest({ ...play(30) }))
    given.until(55)
    given.remove(JOBS, job(1), 'Background')
    given.until(60)
    given.cluster.stop('cronjob-controller')
    given.cluster.start('cronjob-controller')
    given.until(109)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`])
    expect(reasons(given)).toContain('MissingJob @55')
  })

  it('one made by hand is not seen by Forbid, but counts as success and for the history (061)', () => {
    const given = world()
    const spec = { concurrencyPolicy: 'Forbid', successfulJobsHistoryLimit: 0 }
    const cron = given.create(cronManifest({ ...play(30), spec }))
    const { apiVersion, kind, metadata } = cron
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }
    given.until(45)
    given.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'byhand', ownerReferences: [owner] },
      spec: jobSpec({ duration: '20000' }),
    })
    given.until(64)
    expect(reasons(given)[0]).toBe('UnexpectedJob @45')
    expect(life(given, job(1)).created).toBe(50.1)
    given.until(66)
    expect(given.get(CRONJOBS, 'tick')).toMatchObject({
      status: { active: [{ name: job(1) }], lastSuccessfulTime: '2026-01-05T10:01:15Z' },
    })
    expect(life(given, 'byhand').deleted).toBe(65)
  })

  it('one that is suspended blocks Forbid until it was resumed and ends (062)', () => {
    const given = world()
    const spec = { concurrencyPolicy: 'Forbid' }
    given.create(cronManifest({ ...play(10), spec, job: { suspend: true } }))
    given.until(300)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`])
    given.merge(JOBS, job(1), { spec: { suspend: false } })
    given.until(311)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(5)} @310`])
  })

  it('one that another controller manages blocks Forbid until somebody writes its end (091b)', () => {
    const given = world()
    const spec = { concurrencyPolicy: 'Forbid' }
    given.create(cronManifest({ spec, job: { managedBy: 'example.test/other' } }))
    given.until(200)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`])
    const at = '2026-01-05T10:03:30Z'
    const condition = { status: 'True', reason: 'CompletionsReached', lastTransitionTime: at }
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, ...condition }))
    const status = { startTime: '2026-01-05T10:01:00Z', completionTime: at, conditions }
    given.merge(JOBS, job(1), { status }, 'status')
    given.until(201)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(3)} @200`])
  })

  it('a foreign Job of the name of a tick delays the CronJob by a doubling pause (067, K-40)', () => {
    const given = world()
    given.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: job(1) },
      spec: jobSpec({ duration: '1000' }),
    })
    given.create(cronManifest({ ...play(1) }))
    given.until(150)
    const refused = given.requests.filter(
      ({ what, code }) => what === `create jobs/${job(1)}` && code === 409,
    )
    const pauses = refused.slice(1).map(({ at }, index) => at - (refused[index]?.at ?? 0))
    expect(pauses.map((pause) => Math.round(pause * 1000))).toEqual(
      Array.from({ length: 13 }, (_, n) => 5 * 2 ** n),
    )
    expect(given.jobs().slice(1)).toEqual([`${job(2)} @132.015`])
  })

  it('its own Job, when the status was lost, is not taken over up to 1.36 (067c)', () => {
    const given = world()
    given.create(cronManifest({ ...play(30) }))
    given.until(55)
    given.merge(CRONJOBS, 'tick', { status: { lastScheduleTime: null, active: null } }, 'status')
    given.until(400)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`])
    expect(reasons(given)).toContain('UnexpectedJob @55')
    given.until(430)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(7)} @423.635`])
  })

  it('since 1.37 its own Job is taken over', () => {
    const given = world({ minor: 37 })
    given.create(cronManifest({ ...play(30) }))
    given.until(55)
    given.merge(CRONJOBS, 'tick', { status: { lastScheduleTime: null, active: null } }, 'status')
    given.until(56)
    expect(given.get(CRONJOBS, 'tick')).toMatchObject({
      status: { active: [{ name: job(1) }], lastScheduleTime: '2026-01-05T10:01:00Z' },
    })
    given.until(111)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @110.1`])
  })

  it('since 1.37 a foreign Job of the name stops the CronJob until its next event', () => {
    const given = world({ minor: 37 })
    const metadata = { name: job(1) }
    given.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: jobSpec({ duration: '1' }),
    })
    given.create(cronManifest({ ...play(1) }))
    given.until(300)
    expect(given.jobs()).toEqual([`${job(1)} @0`])
    given.merge(CRONJOBS, 'tick', touch)
    given.until(301)
    expect(given.jobs()).toEqual([`${job(1)} @0`, `${job(5)} @300`])
  })

  it('with the Job removed by its TTL and the status lost, the same tick runs twice (067b)', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), job: { ttlSecondsAfterFinished: 0 } }))
    given.until(60)
    given.merge(CRONJOBS, 'tick', { status: { lastScheduleTime: null } }, 'status')
    given.until(100)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(1)} @60`])
  })

  it('an edit between the creation of the Job and the status leads to refusals, too (067d)', () => {
    const given = world({ latencies: REALISTIC })
    given.create(cronManifest({ ...play(30) }))
    given.until(50.295)
    expect(life(given, job(1)).created).toBe(50.29)
    given.merge(CRONJOBS, 'tick', touch)
    given.until(60)
    const writes = given.requests.filter(({ by, at }) => by === 'cronjob-controller' && at > 50)
    expect(writes.slice(0, 3).map(({ what, code }) => `${what} ${code}`)).toEqual([
      `create jobs/${job(1)} 201`,
      'update cronjobs/tick/status 409',
      `create jobs/${job(1)} 409`,
    ])
  })
})
