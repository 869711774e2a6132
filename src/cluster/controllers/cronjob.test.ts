import { describe, expect, it } from 'vitest'
import { CRONJOBS, JOBS } from './cronjob-job.ts'
import {
  cronManifest,
  job,
  jobSpec,
  life,
  play,
  PODS,
  reasons,
  touch,
  world,
  type World,
  type WorldOptions,
} from './testing.ts'

describe('a CronJob', () => {
  it('starts one Job per tick, a tenth of a second after it, named after its minute (K-29)', () => {
    const given = world()
    given.create(cronManifest(play(5)))
    given.until(180)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @110.1`, `${job(3)} @170.1`])
  })

  it('gives its Job labels, annotations, owner and the time of the tick in its zone', () => {
    const given = world()
    const manifest = cronManifest({ spec: { timeZone: 'Asia/Kolkata' } }) as {
      spec: { jobTemplate: object }
    }
    const metadata = { labels: { app: 'x' }, annotations: { note: 'y' } }
    const jobTemplate = { ...manifest.spec.jobTemplate, metadata }
    const cron = given.create({ ...manifest, spec: { ...manifest.spec, jobTemplate } })
    given.until(51)
    const made = given.get(JOBS, job(1))
    expect(made?.metadata).toMatchObject({
      labels: { app: 'x' },
      annotations: {
        note: 'y',
        'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-05T15:31:00+05:30',
      },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: 'tick',
          uid: cron.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    })
    expect(made?.metadata.managedFields?.[0]?.manager).toBe('kube-controller-manager')
  })

  it('notes in its status what runs, what was started last, and what succeeded last', () => {
    const given = world()
    given.create(cronManifest(play(5)))
    given.until(52)
    const running = given.get(CRONJOBS, 'tick')?.['status']
    expect(running).toMatchObject({
      active: [{ kind: 'Job', name: job(1), namespace: 'default', apiVersion: 'batch/v1' }],
      lastScheduleTime: '2026-01-05T10:01:00Z',
    })
    given.until(60)
    expect(given.get(CRONJOBS, 'tick')?.['status']).toEqual({
      lastScheduleTime: '2026-01-05T10:01:00Z',
      lastSuccessfulTime: '2026-01-05T10:01:05Z',
    })
    const made = reasons(given).map((text) => text.split(' ')[0])
    expect(made).toEqual(['SuccessfulCreate', 'SawCompletedJob'])
  })

  it('with Allow lets its Jobs run side by side (050)', () => {
    const given = world()
    given.create(cronManifest(play(90)))
    given.until(120)
    expect(given.get(CRONJOBS, 'tick')).toMatchObject({
      status: { active: [{ name: job(1) }, { name: job(2) }] },
    })
  })

  it('with Forbid starts the last blocked tick in the instant in which the Job ends (051)', () => {
    const given = world()
    given.create(cronManifest({ ...play(90), spec: { concurrencyPolicy: 'Forbid' } }))
    given.until(330)
    expect(given.jobs()).toEqual([
      `${job(1)} @50.1`,
      `${job(2)} @140.1`,
      `${job(4)} @230.1`,
      `${job(5)} @320.1`,
    ])
    expect(reasons(given)).toContain('JobAlreadyActive @110.1')
  })

  it('with Forbid and a short startingDeadlineSeconds really skips (051b)', () => {
    const given = world()
    const spec = { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 20 }
    given.create(cronManifest({ ...play(90), spec }))
    given.until(300)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(3)} @170.1`, `${job(5)} @290.1`])
  })

  it('with Replace deletes the old Job in the background, so its pod overlaps with the new one (052)', () => {
    const given = world()
    const spec = { concurrencyPolicy: 'Replace' }
    given.create(cronManifest({ spec, play: { duration: '90000', linger: '5000' } }))
    given.until(130)
    expect(life(given, job(1)).deleted).toBe(110.1)
    expect(life(given, job(2)).created).toBe(110.1)
    const [old, next] = given.lives.filter(({ kind }) => kind === 'Pod')
    expect(old?.deleted).toBeGreaterThan(next?.started ?? Infinity)
    expect(reasons(given)).toContain('SuccessfulDelete @110.1')
  })

  it('that is suspended plans nothing, and its running Job goes on (068)', () => {
    const given = world()
    given.create(cronManifest({ ...play(20) }))
    given.until(60)
    given.merge(CRONJOBS, 'tick', { spec: { suspend: true } })
    given.until(500)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`])
    expect(life(given, job(1)).ended).toBe('Complete @70.1')
    expect(given.cluster.nextAt()).toBeUndefined()
  })

  it('that is resumed starts its last missed tick at once, also when it never ran (054b)', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), spec: { suspend: true } }))
    given.until(200)
    given.merge(CRONJOBS, 'tick', { spec: { suspend: false } })
    given.until(240)
    expect(given.jobs()).toEqual([`${job(3)} @200`, `${job(4)} @230.1`])
  })

  it.each([
    [30, [`${job(3)} @170.1`]],
    [5, [`${job(2)} @115`, `${job(3)} @170.1`]],
  ])('resumed %i s after a tick, with a deadline of 10 s, starts %j (053)', (late, expected) => {
    const given = world()
    const spec = { suspend: true, startingDeadlineSeconds: 10 }
    given.create(cronManifest({ ...play(1), spec }))
    given.until(110 + late)
    given.merge(CRONJOBS, 'tick', { spec: { suspend: false } })
    given.until(180)
    expect(given.jobs()).toEqual(expected)
  })

  it('with startingDeadlineSeconds 0 never starts anything, with 1 always (066)', () => {
    const given = world()
    given.create(cronManifest({ name: 'none', spec: { startingDeadlineSeconds: 0 } }))
    given.create(cronManifest({ name: 'one', spec: { startingDeadlineSeconds: 1 } }))
    given.until(60)
    expect(given.jobs()).toEqual([`${job(1, 'one')} @50.1`])
  })

  it('whose last run lies in the future waits silently until then (054d)', () => {
    const given = world()
    given.create(cronManifest({ ...play(1) }))
    given.merge(
      CRONJOBS,
      'tick',
      { status: { lastScheduleTime: '2026-01-05T10:03:00Z' } },
      'status',
    )
    given.until(240)
    expect(given.jobs()).toEqual([`${job(4)} @230.1`])
    expect(reasons(given)[0]).toBe('SuccessfulCreate @230.1')
  })

  it('with more than 100 missed ticks warns once and starts the last one (054c, K-30)', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), spec: { suspend: true } }))
    given.until(200 * 60)
    given.merge(CRONJOBS, 'tick', { spec: { suspend: false } })
    given.until(200 * 60)
    given.cluster.step()
    expect(given.jobs()).toEqual([`${job(200)} @12000`])
    expect(reasons(given)).toEqual(['TooManyMissedTimes @12000', 'SuccessfulCreate @12000'])
  })

  it('counts @every from its creation, then from its last tick', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), schedule: '@every 90s' }))
    given.until(300)
    expect(given.jobs().map((text) => text.split('@')[1])).toEqual(['90.1', '180.1', '270.1'])
  })

  it('with a schedule that never comes is left alone, and says so once a tick is asked for', () => {
    const given = world()
    given.create(cronManifest({ schedule: '0 0 31 2 *' }))
    given.until(3600)
    expect(given.jobs()).toEqual([])
    expect(reasons(given)).toEqual(['InvalidSchedule @0'])
    expect(given.cluster.nextAt()).toBeUndefined()
  })

  it('of a yearly schedule costs one wake a year', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), schedule: '0 0 1 1 *' }))
    given.until(60)
    expect(given.cluster.nextAt()).toBe(Date.parse('2027-01-01T00:00:00.100Z'))
  })

  it('can overlook the missed ticks of a schedule of bursts (K-37)', () => {
    const given = world()
    given.create(cronManifest({ schedule: '0,1 12 * * *', spec: { suspend: true } }))
    given.until(3 * 3600)
    given.merge(CRONJOBS, 'tick', { spec: { suspend: false } })
    given.until(4 * 3600)
    expect(given.jobs()).toEqual([])
  })
})

describe('a CronJob whose schedule is edited', () => {
  /** Runs at 10:01 by its first schedule, then gets one that had a tick at 10:02. */
  function edited(options: WorldOptions = {}, seconds = 1): World {
    const given = world(options)
    given.create(cronManifest({ ...play(seconds), schedule: '1 * * * *' }))
    given.until(140)
    given.merge(CRONJOBS, 'tick', { spec: { schedule: '2 * * * *' } })
    return given
  }

  it('does not start a tick that has passed (055, 055b)', () => {
    const given = edited()
    given.until(600)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`])
  })

  it('starts it at the next touch (055d)', () => {
    const given = edited()
    given.until(150)
    given.merge(CRONJOBS, 'tick', touch)
    given.until(160)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @150`])
  })

  it('starts it when the controller is started again (055g)', () => {
    const given = edited()
    given.until(155)
    given.cluster.stop('cronjob-controller')
    given.cluster.start('cronjob-controller')
    given.until(160)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @155`])
  })

  it('starts it when a Job of its ends (055h)', () => {
    const given = edited({}, 151)
    given.until(210)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @201.1`])
  })

  it('starts it at the next tick of the old schedule, which is still looked at (K-41)', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), schedule: '1,6 * * * *' }))
    given.until(140)
    given.merge(CRONJOBS, 'tick', { spec: { schedule: '2 * * * *' } })
    given.until(400)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @350.1`])
  })

  it('plans the first tick of the new schedule', () => {
    const given = world()
    given.create(cronManifest({ ...play(1), schedule: '0 0 1 1 *' }))
    given.until(60)
    given.merge(CRONJOBS, 'tick', { spec: { schedule: '* * * * *' } })
    given.until(111)
    expect(given.jobs()).toEqual([`${job(2)} @110.1`])
  })
})

describe('the Jobs of a CronJob that ended', () => {
  it('are removed when the next one finishes, not when it starts (057)', () => {
    const given = world()
    const spec = { successfulJobsHistoryLimit: 1 }
    given.create(cronManifest({ ...play(5), spec }))
    given.until(120)
    expect(life(given, job(1)).deleted).toBe(115.1)
  })

  it('stay three succeeded and one failed by default (057b)', () => {
    const given = world()
    given.create(cronManifest({ ...play(1) }))
    const bad = { play: { duration: '1000', exit: '1' }, job: { backoffLimit: 0 } }
    given.create(cronManifest({ name: 'bad', ...bad }))
    given.until(600)
    const names = given.cluster.api.read.list(JOBS, 'default').map(({ metadata }) => metadata.name)
    expect(names).toEqual([job(10, 'bad'), job(8), job(9), job(10)].sort())
  })

  it('are removed by their TTL without a second run in the same minute (058)', () => {
    const given = world()
    given.create(cronManifest({ ...play(2), job: { ttlSecondsAfterFinished: 5 } }))
    given.until(170)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @110.1`])
    expect(life(given, job(1)).deleted).toBe(57)
  })

  it.each([
    [36, []],
    [37, ['byhand']],
  ])('in 1.%i may be those of another owner of the same name (K-39)', (minor, left) => {
    const given = world({ minor })
    given.create(cronManifest({ spec: { suspend: true, successfulJobsHistoryLimit: 0 } }))
    const other = given.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tick' } })
    const { apiVersion, kind, metadata } = other
    const owner = { apiVersion, kind, name: 'tick', uid: metadata.uid, controller: true }
    given.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'byhand', ownerReferences: [owner] },
      spec: jobSpec({ duration: '1000' }),
    })
    given.until(2)
    given.merge(CRONJOBS, 'tick', touch)
    given.until(3)
    const names = given.cluster.api.read.list(JOBS).map(({ metadata: { name } }) => name)
    expect(names).toEqual(left)
  })

  it.each([
    [30, 'status'],
    [31, 'condition'],
  ])('are told of in 1.%i with their %s (K-44)', (minor, word) => {
    const given = world({ minor })
    given.create(cronManifest(play(5)))
    given.until(60)
    const told = given.events.find(({ reason }) => reason === 'SawCompletedJob')
    expect(told?.message).toBe(`Saw completed job: ${job(1)}, ${word}: Complete`)
    expect(given.get(CRONJOBS, 'tick')).toMatchObject({
      status: { lastSuccessfulTime: '2026-01-05T10:01:05Z' },
    })
  })

  it('keep their template: an edit of it is for the next tick (065)', () => {
    const given = world()
    given.create(cronManifest({ ...play(30) }))
    given.until(60)
    const containers = [{ name: 'main', image: 'registry.example.test/one:2' }]
    const template = { spec: { containers } }
    given.merge(CRONJOBS, 'tick', { spec: { jobTemplate: { spec: { template } } } })
    given.until(120)
    const image = (name: string): unknown => JSON.stringify(given.get(JOBS, name)?.['spec'])
    expect(image(job(1))).toContain('one:1')
    expect(image(job(2))).toContain('one:2')
  })
})

describe('a CronJob that is deleted while its Job runs', () => {
  function deleted(policy: string | undefined): World {
    const given = world()
    given.create(cronManifest({ play: { duration: '30000', linger: '4000' } }))
    given.until(60)
    given.remove(CRONJOBS, 'tick', policy)
    given.until(200)
    return given
  }

  it.each([undefined, 'Background'])(
    'with propagation %s takes the Job with it at once (059b)',
    (policy) => {
      const given = deleted(policy)
      expect(life(given, job(1)).deleted).toBe(60)
      expect(given.cluster.api.read.list(PODS)).toEqual([])
      expect(given.jobs()).toHaveLength(1)
    },
  )

  it('with Orphan leaves the Job without owner, and it completes (059c)', () => {
    const given = deleted('Orphan')
    expect(life(given, job(1)).ended).toBe('Complete @80.1')
    expect(given.get(JOBS, job(1))?.metadata.ownerReferences).toBeUndefined()
    expect(given.get(CRONJOBS, 'tick')).toBeUndefined()
  })

  it('with Foreground stays until Job and pod are gone (059d)', () => {
    const given = world()
    given.create(cronManifest({ play: { duration: '30000', linger: '4000' } }))
    given.until(60)
    given.remove(CRONJOBS, 'tick', 'Foreground')
    given.until(63)
    expect(given.get(CRONJOBS, 'tick')?.metadata.deletionTimestamp).toBeDefined()
    expect(given.get(JOBS, job(1))?.metadata.finalizers).toEqual(['foregroundDeletion'])
    given.until(66)
    expect(given.get(CRONJOBS, 'tick')).toBeUndefined()
    expect(given.get(JOBS, job(1))).toBeUndefined()
  })

  it('and created again neither repeats the tick nor adopts the orphan (064)', () => {
    const given = world()
    given.create(cronManifest({ ...play(100), spec: { concurrencyPolicy: 'Forbid' } }))
    given.until(60)
    given.remove(CRONJOBS, 'tick', 'Orphan')
    given.until(61)
    given.create(cronManifest({ ...play(100), spec: { concurrencyPolicy: 'Forbid' } }))
    given.until(111)
    expect(given.jobs()).toEqual([`${job(1)} @50.1`, `${job(2)} @110.1`])
  })
})

describe('a controller that was down', () => {
  it.each([
    [undefined, [`${job(2)} @150`, `${job(3)} @170.1`]],
    [30, [`${job(3)} @170.1`]],
    [90, [`${job(2)} @150`, `${job(3)} @170.1`]],
  ])('over two ticks, with deadline %s, starts %j (070)', (deadline, expected) => {
    const given = world()
    const spec = deadline === undefined ? {} : { startingDeadlineSeconds: deadline }
    given.create(cronManifest({ ...play(1), spec }))
    given.until(1)
    given.cluster.stop('cronjob-controller')
    given.until(150)
    given.cluster.start('cronjob-controller')
    given.until(180)
    expect(given.jobs()).toEqual(expected)
  })
})
