import { describe, expect, it } from 'vitest'
import type { Scenario, ScenarioEvent } from '../scenario/format.ts'
import { playScenario, type ScenarioRun } from '../scenario/play.ts'
import { scenarioEngines } from '../scenario/stages/index.ts'

const KUSTOMIZATION = `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {interval: 1h, path: ./deploy, prune: true, sourceRef: {kind: GitRepository, name: shop}}
`

function job(spec = ''): string {
  return `
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
  ${spec}
  template:
    spec:
      restartPolicy: Never
      containers: [{name: work, image: "registry.example.test/shop/migrate:1"}]
`
}

function played(
  events: readonly ScenarioEvent[],
  { spec = '', more = {} }: { readonly spec?: string; readonly more?: Partial<Scenario> } = {},
): ScenarioRun {
  const scenario: Scenario = {
    format: 'job-scenario/1',
    horizon: '24h',
    engine: { kind: 'flux-kustomization' },
    workloads: [{ job: 'shop/migrate', duration: '60s', exits: 'ok' }],
    events: [{ at: '0h', commit: 'c1', apply: ['deploy/job.yaml'] }, ...events],
    ...more,
  }
  const files = {
    'kustomization.yaml': KUSTOMIZATION,
    'deploy/job.yaml': job(spec),
    'deploy/other.yaml': job(spec).replace('name: migrate', 'name: other'),
  }
  const [run] = playScenario(scenario, files, scenarioEngines)
  if (run === undefined) throw new Error('nothing was played')
  return run
}

function hoursOf({ runs }: ScenarioRun): readonly number[] {
  return runs.map(({ startedAtSeconds }) => Math.round((startedAtSeconds / 3600) * 100) / 100)
}

describe('what people and the world do', () => {
  it.each<[string, readonly ScenarioEvent[], readonly number[]]>([
    ['nothing: it runs once', [], [0]],
    [
      'a person deletes the Job: it is back at the next interval',
      [{ at: '90m', drift: { object: 'Job/shop/migrate', delete: true } }],
      [0, 2],
    ],
    [
      'kubectl in words means the same',
      [{ at: '90m', drift: 'kubectl delete job migrate -n shop' }],
      [0, 2],
    ],
    [
      'the engine is down meanwhile: it is back when the engine is',
      [
        { at: '1h', outage: { of: 'engine', for: '4h30m' } },
        { at: '90m', drift: { object: 'Job/shop/migrate', delete: true } },
      ],
      [0, 5.5],
    ],
    [
      'the engine restarts: it looks at once',
      [
        { at: '90m', drift: { job: 'shop/migrate', delete: true } },
        { at: '100m', restart: true },
      ],
      [0, 1.67],
    ],
    ['a new cluster knows nothing', [{ at: '3h', rebuild: true }], [0, 3]],
    ['etcd from before the Job: it runs again', [{ at: '3h', restore: { to: '0h' } }], [0, 3]],
    ['etcd from after the Job: it does not', [{ at: '3h', restore: { back: '1h' } }], [0]],
    [
      'the API server is down: nothing is lost',
      [
        { at: '1h', outage: 'api-server', for: '2h' },
        { at: '4h10m', drift: { object: 'Job/shop/migrate', delete: true } },
      ],
      [0, 5],
    ],
    [
      'a commit while the API server is down comes when it is up',
      [
        { at: '1h', outage: 'api-server', for: '2h' },
        { at: '2h', commit: 'c2', apply: ['deploy/job.yaml', 'deploy/other.yaml'] },
      ],
      [0, 3],
    ],
    [
      'a tag moves: nothing runs because of it',
      [{ at: '3h', push: 'registry.example.test/shop/migrate:1' }],
      [0],
    ],
  ])('%s', (_, events, hours) => {
    const run = played(events)
    expect(run.unplayable).toBeUndefined()
    expect(hoursOf(run)).toEqual(hours)
  })

  it('the registry is down: the Job starts, its work waits', () => {
    const run = played([{ at: '0h', outage: 'registry', for: '2h' }])
    const [only] = run.runs
    expect(run.runs).toHaveLength(1)
    expect(only?.endedAtSeconds).toBeGreaterThan(2 * 3600)
    expect(only?.outcome).toBe('complete')
  })

  it('an event that nobody understands is named, not skipped', () => {
    const run = played([{ at: '1h', drift: 'the moon is full' }])
    expect(run.unplayable).toContain('drift: "the moon is full" is not understood')
  })

  it('a file that is not there is named, not skipped', () => {
    const run = played([{ at: '1h', apply: ['deploy/none.yaml'] }])
    expect(run.unplayable).toContain('deploy/none.yaml')
  })
})

describe('the cause of a run', () => {
  it('leads from the deletion through the interval to the creation', () => {
    const { history } = played([], { spec: 'ttlSecondsAfterFinished: 600' })
    const life = history?.lanes[0]?.lives[1]
    expect(life?.cause).toBe('restored')
    expect(life?.created.map(({ role, rule }) => [role, rule])).toEqual([
      ['trigger', 'K-26'],
      ['effect', 'K-26'],
      ['trigger', 'F-1'],
      ['state', undefined],
      ['effect', 'F-8'],
    ])
  })
})

describe('a loop', () => {
  it('is cut at the budget, and said to be without bound', () => {
    const scenario: Scenario = {
      format: 'job-scenario/1',
      horizon: '8760h',
      engine: { kind: 'generic-reconciler', detects_deletion: 'watch' },
      workloads: [{ job: 'shop/migrate', duration: '1s', exits: 'ok' }],
    }
    const files = { 'deploy/job.yaml': job('ttlSecondsAfterFinished: 0') }
    const budget = { livesOfLane: 50, steps: 1e6, stepsOfInstant: 1e5 }
    const [run] = playScenario(scenario, files, scenarioEngines, { budget })
    const [warning] = run?.history?.warnings ?? []
    expect(warning?.id).toBe('runs-without-bound')
    expect(warning?.what).toContain('shop/migrate runs without bound: 51 times in 50 s')
    expect(warning?.why).toContain('its TTL')
    expect(run?.runs.length).toBeLessThanOrEqual(51)
  })
})
