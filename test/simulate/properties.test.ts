import { Cron } from 'croner'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCel } from '../../src/adapters/cel.ts'
import { historyOf } from '../../src/simulate/history/history-of.ts'
import { Play } from '../../src/simulate/world/play.ts'
import type { World } from '../../src/simulate/world/world.ts'
import {
  CARRIERS,
  cronCase,
  eventsOf,
  repositoryCases,
  troubles,
  type RepositoryCase,
  type Trouble,
} from './arbitrary-repositories.ts'
import { faultsOf, witness, type Witness } from './invariants.ts'
import { playableFiles, START } from './repositories.ts'

const seed = Number(process.env['SEED'] ?? 20261130)
/** Scenarios of each property and engine. */
const numRuns = Number(process.env['PLAYS'] ?? 10)

const HOURS = 6

const MINUTE_MS = 60_000

/** Whoever works by himself; a command that a person gives waits for its person. */
const engines = Object.entries(CARRIERS).filter(([name]) => name !== 'kubectl')

const anyCase = repositoryCases(fc.oneof(...engines.map(([, carriers]) => carriers)))

function worldOf(
  { files, engine, workSeconds, outcome }: RepositoryCase,
  events: readonly Trouble[],
): World {
  const fails = outcome === 'fail' ? { exits: outcome } : {}
  const workloads = [{ name: '*', durationMs: workSeconds * 1000, ...fails }]
  const { world } = playableFiles(files, { workloads, days: HOURS / 24, engine })
  return { ...world, events: [...world.events, ...eventsOf(events, world)] }
}

function started(world: World): Witness {
  return witness(new Play(world, { timing: { mode: 'idealised' } }, { cel: createCel() }))
}

describe.each(engines)('whatever happens under %s', (_, carriers) => {
  it('Kubernetes stays Kubernetes, and no Job is lost, doubled or without a cause', () => {
    const property = fc.property(repositoryCases(carriers), troubles, (chosen, events) => {
      const seen = started(worldOf(chosen, events))
      seen.play.finish()
      expect(faultsOf(seen), chosen.title).toEqual([])
    })
    fc.assert(property, { seed, numRuns, endOnFailure: true })
  })
})

describe('virtual time', () => {
  it('comes to the same whether it is gone through at once or minute by minute', () => {
    const property = fc.property(
      anyCase,
      troubles,
      fc.integer({ min: 1, max: 9 }),
      (chosen, events, step) => {
        const world = worldOf(chosen, events)
        const whole = started(world)
        whole.play.finish()
        const ticked = started(world)
        for (let at = world.start; at < world.end; at += step * MINUTE_MS) ticked.play.runTo(at)
        ticked.play.finish()
        expect(textOf(ticked), chosen.title).toBe(textOf(whole))
      },
    )
    fc.assert(property, { seed, numRuns: numRuns * 3, endOnFailure: true })
  })
})

function textOf({ play, writes }: Witness): string {
  const history = historyOf(play, { timing: { mode: 'idealised' } })
  return JSON.stringify([history, writes], undefined, 1)
}

describe('a CronJob', () => {
  it('runs when another reader of schedules says so, in any zone', () => {
    const property = fc.property(cronCase, ({ schedule, timeZone, files }) => {
      const days = 9
      const workloads = [{ name: '*', durationMs: 1000 }]
      const { world } = playableFiles(files, { workloads, days })
      const { play } = started(world)
      play.finish()
      const history = historyOf(play, { timing: { mode: 'idealised' } })
      const ran = history.lanes
        .flatMap(({ lives }) => lives)
        .map(({ createdAt }) => Math.floor(createdAt / MINUTE_MS) * MINUTE_MS)
      const cron = new Cron(schedule, { timezone: timeZone })
      const expected: number[] = []
      let next = cron.nextRun(new Date(START))
      while (next !== null && next.getTime() < world.end) {
        expected.push(next.getTime())
        next = cron.nextRun(next)
      }
      const told = `${schedule} ${timeZone}`
      expect(ran.map(iso), told).toEqual(expected.map(iso))
    })
    fc.assert(property, { seed, numRuns: numRuns * 5, endOnFailure: true })
  })
})

function iso(at: number): string {
  return new Date(at).toISOString()
}
