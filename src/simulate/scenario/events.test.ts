import { describe, expect, it } from 'vitest'
import type { WorldEvent } from '../world/world.ts'
import { eventsOf } from './events.ts'
import type { Scenario, ScenarioEvent } from './format.ts'

const WEB =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 2}\n'
const JOB = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: seed, namespace: shop}\n'
const FILES = { 'deploy/web.yaml': WEB, 'deploy/job.yaml': JOB }

function planned(events: readonly ScenarioEvent[], kind = 'argocd') {
  const scenario: Scenario = {
    format: 'job-scenario/1',
    horizon: '24h',
    start: '2026-03-02T00:00:00Z',
    engine: { kind },
    events: [{ at: '0h', apply: ['deploy'] }, ...events],
  }
  const variant = { name: 'selfHeal on', settings: { kind }, changes: {} }
  const names = ['selfHeal on', 'selfHeal off']
  return eventsOf(scenario, variant, FILES, { isManifest: () => true, names })
}

function eventsIn(...events: readonly ScenarioEvent[]): readonly WorldEvent[] {
  const made = planned(events)
  return 'unplayable' in made ? [] : made.events.slice(1)
}

describe('eventsOf', () => {
  it('takes a change of a manifest for a commit, and one of the Application for an edit', () => {
    const [commit, ...others] = eventsIn({ at: '1h', change: { 'spec.replicas': 5 } })
    expect(others).toEqual([])
    expect(commit).toMatchObject({ kind: 'commit' })
    expect(commit?.kind === 'commit' && commit.files['deploy/web.yaml']).toContain('"replicas":5')
    const edit = eventsIn({ at: '1h', change: { 'spec.syncPolicy.automated.selfHeal': false } })
    expect(edit).toMatchObject([{ kind: 'change' }])
  })

  it('changes the object that the change names', () => {
    const [commit] = eventsIn({ at: '1h', change: { 'Job/shop/seed': { 'spec.suspend': true } } })
    expect(commit?.kind === 'commit' && commit.files['deploy/job.yaml']).toContain('"suspend":true')
  })

  it('writes the resources of a sync in full', () => {
    const sync = { by: 'person', resources: ['web', 'batch/Job/shop/seed', ':ConfigMap:x'] }
    expect(eventsIn({ at: '1h', sync })).toMatchObject([
      { event: { sync: { resources: ['Deployment/shop/web', 'Job/shop/seed', ':ConfigMap:x'] } } },
    ])
  })

  it('plays an event for the variants that it names, in words of its own', () => {
    expect(eventsIn({ at: '1h', sync: true, only: 'self_heal_off' })).toEqual([])
    expect(
      eventsIn({ at: '1h', sync: true, only: ['self_heal_off', 'self_heal_on'] }),
    ).toHaveLength(1)
  })

  it('repeats no more often than fits into the time', () => {
    expect(eventsIn({ every: '1h', from: '1h', count: 100_000, sync: true })).toHaveLength(23)
  })

  it('makes a commit that only has a name', () => {
    expect(eventsIn({ at: '1h', commit: 'c2' })).toMatchObject([{ kind: 'commit', revision: 'c2' }])
  })

  it.each<[string, ScenarioEvent, string]>([
    [
      'names a file that is not there',
      { at: '1h', apply: ['deploy/jbo.yaml'] },
      'events[1] at 1h: apply: deploy/jbo.yaml is not in the folder',
    ],
    [
      'has a drift in strange words',
      { at: '1h', drift: 'hello' },
      'events[1] at 1h: drift: "hello" is not understood',
    ],
    [
      'has a commit in strange words',
      { at: '1h', commit: 'c2', note: 'hello' },
      'events[1] at 1h: note: nobody can tell what changes by "hello"',
    ],
    [
      'names a variant that is not there',
      { at: '1h', only: 'red', sync: true },
      'events[1]: there is no variant "red": they are selfHeal on; selfHeal off',
    ],
    [
      'syncs what is not there',
      { at: '1h', sync: { resources: ['hello'] } },
      'events[1] at 1h: sync: there is no object "hello" that a sync could be of',
    ],
    [
      'says nothing',
      { at: '1h', object: 'Job/shop/seed' },
      'events[1] at 1h: it says nothing that happens',
    ],
  ])('refuses an event that %s', (_, event, unplayable) => {
    expect(planned([event])).toEqual({ unplayable })
  })

  it('refuses what its engine cannot hear', () => {
    const made = planned([{ at: '1h', sync: true }], 'kro')
    expect(made).toMatchObject({ unplayable: expect.stringContaining('nobody asks kro for this') })
  })
})
