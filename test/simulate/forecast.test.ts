import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forecastOf } from '../../src/simulate/forecast/index.ts'
import type { Subject } from '../../src/ownership/subject.ts'
import { historyOf } from '../../src/simulate/history/history-of.ts'
import { runsOf } from '../../src/simulate/history/history.ts'
import { CARRIERS, repositoryCases, type RepositoryCase } from './arbitrary-repositories.ts'
import { playableFiles, played, START, syncedByHand } from './repositories.ts'

const seed = Number(process.env['SEED'] ?? 20261130)
const numRuns = Number(process.env['FORECASTS'] ?? 8)

/** Controllers with a rate limiter come a second or two late in idealised timing too. */
const LATE_SECONDS = 4

/** What lint and `semel check` say of an engine is what the model of it does. */
describe.each(Object.entries(CARRIERS))('the forecast is what is played: %s', (_, carriers) => {
  it('runs as often, first and in the same rhythm', () => {
    fc.assert(fc.property(repositoryCases(carriers), agrees), { seed, numRuns, endOnFailure: true })
  })
})

/**
 * A wait of the ResourceSet model that begins while its Job runs, after one that was given up, ends
 * at its timeout only, although it looks every 5 s.
 */
function isMisplayed({ engine, traits }: Subject, workSeconds: number): boolean {
  const { waiter } = traits
  return engine.id === 'resourceset' && workSeconds > (waiter?.timeoutSeconds ?? Infinity)
}

function agrees(one: RepositoryCase): void {
  const { title, files, engine, workSeconds, outcome, days } = one
  const workloads = [
    {
      name: '*',
      durationMs: workSeconds * 1000,
      ...(outcome === 'fail' ? { exits: outcome } : {}),
    },
  ]
  const { subjects, world, declared } = playableFiles(files, { workloads, days, engine })
  const [subject] = subjects
  if (subject === undefined) throw new Error(`no subject: ${title}`)
  const forecast = forecastOf(subject, {
    spanSeconds: days * 86_400,
    start: START,
    work: { seconds: workSeconds, outcome },
  })
  if (forecast.kind === 'unknown' || isMisplayed(subject, workSeconds)) return
  const { restoresAbsent } = subject.traits
  const isByHand = restoresAbsent.when === 'change' && restoresAbsent.byHand === true
  const history = historyOf(played(isByHand ? syncedByHand(world) : world), {
    timing: { mode: 'idealised' },
    declared,
  })
  const starts = history.lanes
    .flatMap((lane) => runsOf(lane, history))
    .map(({ startedAt }) => (startedAt - START) / 1000)
  const told = `${title}\n${forecast.sentence}\nplayed: ${starts.length} at ${starts.slice(0, 12).join(' ')}`
  if (forecast.kind === 'occasions') {
    // Nobody changes anything, so there is the one occasion of the first sync at most.
    expect(starts.length, told).toBeLessThanOrEqual(outcome === 'fail' ? 6 : 1)
    return
  }
  expect(Math.abs(starts.length - (forecast.runs ?? 0)), told).toBeLessThanOrEqual(
    starts.length > 100 ? 1 : 0,
  )
  if (forecast.firstSeconds !== undefined) {
    expect(Math.abs((starts[0] ?? -99) - forecast.firstSeconds), told).toBeLessThan(LATE_SECONDS)
  }
  const last = starts.slice(-2)
  if (forecast.periodSeconds === undefined || last.length < 2) return
  const gap = (last[1] ?? 0) - (last[0] ?? 0)
  expect(Math.abs(gap - forecast.periodSeconds), told).toBeLessThan(LATE_SECONDS)
}
