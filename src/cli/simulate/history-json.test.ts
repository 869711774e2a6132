import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { distributionOf, sampleOf } from '../../simulate/tell/distribution.ts'
import { at, commits, daily, happening, history, lane, life } from '../../simulate/tell/testing.ts'
import { distributionJson, historyJson, historyObject } from './history-json.ts'
import {
  distributionSchema,
  historySchema,
  simulationJsonSchema,
  simulationsSchema,
} from './history-schema.ts'

const options = { version: '1.2.3' }
const root = path.join(import.meta.dirname, '../../..')

/** Everything that a history can have. */
function full(): ReturnType<typeof daily> {
  const lives = [
    life({ from: 0, expires: 25, held: 'is suspended', cronJob: 'report' }),
    life({ from: 30, startedAt: undefined as never, outcome: 'waiting', pods: 0 }),
    life({ from: 40.001, outcome: 'running' }),
  ].map((one) => ({
    ...one,
    created: one.created.map((step) => ({
      ...step,
      page: 'docs/x.md#y',
      unconfirmed: true as const,
    })),
  }))
  const all = lane(lives, {
    kind: 'CronJob',
    contract: 'once',
    ttlSeconds: 60,
    schedule: '0 * * * *',
    timeZone: 'UTC',
    held: 'is suspended',
  })
  return history([all, lane([], { name: 'shop/other', unknown: 'a template' })], {
    timing: { mode: 'realistic', seed: 3 },
    happenings: [
      ...commits(0),
      happening(1, 'outage', 'down', { until: at(2), object: 'Job a/b', rule: 'F-1', page: 'p' }),
    ],
    warnings: [{ id: 'race', lanes: ['shop/migrate'], what: 'a', why: 'b', remedy: 'c' }],
  })
}

describe('semel.dev/simulation/v1', () => {
  it.each([
    ['a week of case 001', daily()],
    ['all that there can be', full()],
    ['nothing', history([])],
  ])('describes %s in its schema, and nothing is left out of it', (_, played) => {
    const json: unknown = JSON.parse(historyJson(played, { ...options, title: 'force' }))
    // Unknown keys are dropped, so a field that the schema does not describe would be missing.
    expect(historySchema.parse(json)).toEqual(json)
  })

  it('says each time as a time and as seconds, and numbers the runs', () => {
    const { jobs } = JSON.parse(historyJson(daily(), options)) as {
      jobs: { periodSeconds: number; lives: Record<string, unknown>[] }[]
    }
    expect(jobs[0]).toMatchObject({ runs: 7, periodSeconds: 90_000, outcomes: { complete: 7 } })
    expect(jobs[0]?.lives[1]).toMatchObject({
      run: 2,
      cause: 'restored',
      startedAt: '2026-01-06T01:00:00Z',
      startedSeconds: 90_000,
      endedSeconds: 90_300,
    })
  })

  it('does not number what never had a pod', () => {
    const { jobs } = JSON.parse(historyJson(full(), options)) as {
      jobs: { lives: { run?: number }[] }[]
    }
    expect(jobs[0]?.lives.map(({ run }) => run)).toEqual([1, undefined, 2])
  })

  it('is equal for equal histories, key by key', () => {
    expect(historyJson(daily(), options)).toBe(historyJson(daily(), options))
    expect(Object.keys(JSON.parse(historyJson(daily(), options)) as object)).toEqual([
      'format',
      'tool',
      'start',
      'end',
      'spanSeconds',
      'timing',
      'jobs',
      'happenings',
      'warnings',
    ])
  })
})

describe('semel.dev/simulation-distribution/v1', () => {
  it.each([
    ['some plays', [daily(), full(), history([])].map(sampleOf)],
    ['none', []],
  ])('describes %s in its schema', (_, samples) => {
    const json: unknown = JSON.parse(distributionJson(distributionOf(samples), options))
    expect(distributionSchema.parse(json)).toEqual(json)
  })
})

it('describes several plays, each with what else was asked of it', () => {
  const samples = [sampleOf(full())]
  const distribution: unknown = JSON.parse(distributionJson(distributionOf(samples), options))
  const again = [{ at: '2026-01-05T00:00:00Z', seconds: 0, cause: 'restored' }]
  const drilled = { name: 'shop/migrate', runsWithout: 0, runsWith: 1, again, missed: [] }
  const drills = [{ drill: 'rebuild', at: again[0]?.at, seconds: 0, what: 'x', jobs: [drilled] }]
  const simulations = [{ ...historyObject(full(), options), distribution, drills }]
  const json = JSON.parse(
    JSON.stringify({ format: 'semel.dev/simulations/v1', simulations }),
  ) as unknown
  expect(simulationsSchema.parse(json)).toEqual(json)
})

it('has a JSON Schema that is up to date', () => {
  const file = path.join(root, 'schema/simulation.schema.json')
  const current = simulationJsonSchema()
  if (process.env['UPDATE'] === '1') writeFileSync(file, current)
  expect(readFileSync(file, 'utf8')).toBe(current)
})
