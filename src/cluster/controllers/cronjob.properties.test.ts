import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CRONJOBS, JOBS } from './cronjob-job.ts'
import { cronManifest, touch, world, type World } from './testing.ts'

describe('for every CronJob', () => {
  const settings = fc.record({
    schedule: fc.constantFrom('* * * * *', '*/2 * * * *', '@every 45s', '1,2,7 * * * *'),
    concurrencyPolicy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
    successfulJobsHistoryLimit: fc.integer({ min: 0, max: 3 }),
    failedJobsHistoryLimit: fc.integer({ min: 0, max: 2 }),
    seconds: fc.integer({ min: 1, max: 150 }),
    exit: fc.constantFrom('0', '1', '0,1'),
    minor: fc.constantFrom(29, 31, 36, 37),
    seed: fc.integer({ min: 1, max: 1000 }),
    acts: fc.array(
      fc.record({
        at: fc.integer({ min: 1, max: 900 }),
        act: fc.constantFrom('touch', 'suspend', 'resume', 'restart', 'delete Job', 'lose status'),
      }),
      { maxLength: 6 },
    ),
  })
  type Settings = typeof settings extends fc.Arbitrary<infer Value> ? Value : never

  function start({ schedule, seconds, exit, minor, seed, ...more }: Settings): World {
    const given = world({ minor, seed })
    const { acts: _, ...spec } = more
    const manifest = cronManifest({
      schedule,
      spec,
      job: { backoffLimit: 0 },
      play: { duration: String(seconds * 1000), exit },
    })
    given.create(manifest)
    return given
  }

  function act(given: World, what: string): void {
    const [first] = given.cluster.api.read.list(JOBS, 'default')
    if (what === 'touch') given.merge(CRONJOBS, 'tick', touch)
    if (what === 'suspend') given.merge(CRONJOBS, 'tick', { spec: { suspend: true } })
    if (what === 'resume') given.merge(CRONJOBS, 'tick', { spec: { suspend: false } })
    if (what === 'lose status') {
      given.merge(CRONJOBS, 'tick', { status: { lastScheduleTime: null } }, 'status')
    }
    if (what === 'delete Job' && first !== undefined) {
      given.remove(JOBS, first.metadata.name, 'Background')
    }
    if (what === 'restart') {
      given.cluster.stop('cronjob-controller')
      given.cluster.start('cronjob-controller')
    }
  }

  function run(chosen: Settings, stepSeconds: number): World {
    const given = start(chosen)
    const acts = [...chosen.acts].sort((one, other) => one.at - other.at)
    for (let at = 0; at < 1000; at += stepSeconds) {
      const to = Math.min(at + stepSeconds, 1000)
      while (acts[0] !== undefined && acts[0].at <= to) {
        const next = acts.shift()
        if (next === undefined) break
        given.until(next.at)
        act(given, next.act)
      }
      given.until(to)
    }
    return given
  }

  const traceOf = (given: World): string => JSON.stringify([given.lives, given.requests])

  it('at most one Job of a tick exists at a time, and one starts a second time only if its status was lost', () => {
    fc.assert(
      fc.property(settings, (chosen) => {
        const given = run(chosen, 1000)
        const jobs = given.lives.filter(({ kind }) => kind === 'Job')
        const isLost = chosen.acts.some(({ act: what }) => what === 'lose status')
        const names = new Set(jobs.map(({ name }) => name))
        if (!isLost && chosen.schedule !== '@every 45s') expect(names.size).toBe(jobs.length)
        for (const one of jobs) {
          const twins = jobs.filter(({ name }) => name === one.name)
          for (const twin of twins) {
            const isApart =
              twin === one ||
              (one.deleted ?? Infinity) <= twin.created ||
              (twin.deleted ?? Infinity) <= one.created
            expect(isApart).toBe(true)
          }
        }
      }),
      { numRuns: 25, seed: 5 },
    )
  })

  it('the history limits hold whenever all is quiet', () => {
    fc.assert(
      fc.property(settings, (chosen) => {
        const given = run(chosen, 1000)
        const left = given.cluster.api.read.list(JOBS, 'default')
        const ended = (type: string): number =>
          left.filter((one) => JSON.stringify(one['status']).includes(`"type":"${type}"`)).length
        expect(ended('Complete')).toBeLessThanOrEqual(chosen.successfulJobsHistoryLimit)
        expect(ended('Failed')).toBeLessThanOrEqual(chosen.failedJobsHistoryLimit)
      }),
      { numRuns: 25, seed: 6 },
    )
  })

  it('the same seed gives the same trace, and jumping through time the same as walking', () => {
    fc.assert(
      fc.property(settings, (chosen) => {
        const jumped = traceOf(run(chosen, 1000))
        expect(traceOf(run(chosen, 1000)) === jumped).toBe(true)
        expect(traceOf(run(chosen, 7)) === jumped).toBe(true)
      }),
      { numRuns: 12, seed: 7 },
    )
  })

  it('a copy goes on as the original does', () => {
    fc.assert(
      fc.property(settings, fc.integer({ min: 1, max: 800 }), (chosen, at) => {
        const given = start({ ...chosen, acts: [] })
        given.until(at)
        const twin = given.cluster.copy()
        twin.runUntil(given.zero + 1_000_000)
        given.until(1000)
        const names = (cluster: World['cluster']): unknown => cluster.api.read.list(JOBS)
        expect(JSON.stringify(names(twin)) === JSON.stringify(names(given.cluster))).toBe(true)
      }),
      { numRuns: 12, seed: 8 },
    )
  })
})
