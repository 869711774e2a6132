import { describe, expect, it } from 'vitest'
import type { FactsAt } from './facts.ts'
import { at, commits, daily, happening, history, lane, life, step, ttlDeletion } from './testing.ts'
import { whyNotOf, type WhyNot } from './why-not.ts'
import { whyOf, type WhyRun } from './why.ts'

function run(target: string, of = daily()): WhyRun {
  const why = whyOf(of, target)
  if (why.kind !== 'run') throw new Error(why.words)
  return why
}

describe('why a run came', () => {
  it('finds the run that was going', () => {
    const why = run('shop/migrate@25h1m')
    expect([why.nth, why.of, why.inexact]).toEqual([2, 7, undefined])
    expect(why.inShort).toBe(
      'the TTL deletes it after 24 h and Flux restores it at the next interval',
    )
  })

  it.each([
    ['30h', 2, 'no run was going at 1d6h; this one ended 4 h 55 min before'],
    ['49h', 3, 'no run was going at 2d1h; this one began 1 h later'],
    ['1d1h5m', 2, 'no run was going at 1d1h5m; this one ended at that instant'],
  ])('says that the run nearest to %s is not exact', (time, nth, inexact) => {
    const why = run(`shop/migrate@${time}`)
    expect([why.nth, why.inexact]).toEqual([nth, inexact])
  })

  it('takes the latest of several that were going, and names the others', () => {
    const lives = [0, 1, 2].map((from) => life({ from, runs: 10, name: `lint-${from}` }))
    const why = run('ci/lint-*@5h', history([lane(lives, { name: 'ci/lint-*' })]))
    expect([why.nth, why.beside, why.inexact]).toEqual([3, [1, 2], undefined])
  })

  it('tells the chain in the order of time, the end of the Job before it first', () => {
    const deleted = ttlDeletion(24.5)
    const again = life({ from: 25 })
    const [round, state, effect] = again.created
    const created = [round, ...deleted, state, effect].filter((one) => one !== undefined)
    const lives = [life({ from: 0, expires: 24.5 }), { ...again, created }]
    const { chain } = run('shop/migrate@#2', history([lane(lives)]))
    expect(chain.map(({ words }) => words)).toEqual([
      'its TTL was over',
      'deleted Job shop/migrate',
      'its interval of 1h0m0s was over',
      'there was no Job shop/migrate',
      'created Job shop/migrate',
    ])
  })

  it('keeps the end of the Job before a round of the same instant first', () => {
    const deleted = [step(5, 'effect', 'job-controller', 'deleted Job shop/migrate')]
    const again = life({ from: 5, trigger: 'watch' })
    const created = [...again.created.slice(0, 1), ...deleted, ...again.created.slice(1)]
    const lives = [life({ from: 0, deletedAt: at(5), deleted }), { ...again, created }]
    const { chain } = run('shop/migrate@#2', history([lane(lives)]))
    expect(chain.map(({ role }) => role)).toEqual(['effect', 'trigger', 'state', 'effect'])
  })

  it('puts what began the end of the Job before it first, when both are of one instant', () => {
    const deleted = [
      step(5, 'effect', 'flux-operator', 'deleted failed Job'),
      step(5, 'trigger', 'flux-operator', 'the attempt before failed', { trigger: 'retry' }),
    ]
    const again = life({ from: 5 })
    const lives = [
      life({ from: 0, deletedAt: at(5), deleted }),
      { ...again, created: [...deleted, ...again.created.slice(2)] },
    ]
    const { chain } = run('shop/migrate@#2', history([lane(lives)]))
    expect(chain.map(({ role }) => role)).toEqual(['trigger', 'effect', 'effect'])
  })

  it('says why there is no run to explain', () => {
    expect(whyOf(history([lane([], { held: 'is suspended' })]), 'shop/migrate')).toMatchObject({
      kind: 'never',
      words: 'it is suspended',
    })
  })
})

function silent(target: string, of = daily(), facts: FactsAt = {}): WhyNot {
  return whyNotOf(of, target, { factsAt: () => facts })
}

describe('why no run came', () => {
  it('says what there was, what its TTL does and when it runs next', () => {
    const answer = silent('shop/migrate@30h')
    expect(answer.state).toBe(
      'Job shop/migrate was complete since 1d1h5m: a finished Job never runs again, and its TTL of ' +
        '24 h ends at 2d1h5m',
    )
    expect(answer.nextRun?.run.startedAt).toBe(at(50))
    expect(answer.different).toContain(
      'its deletion: Flux creates again what is declared and absent',
    )
    expect(answer.running).toBeUndefined()
  })

  it('says since when the Job is gone, who deleted it, and how to have it sooner', () => {
    const answer = silent('shop/migrate@24h30m')
    expect(answer.state).toBe(
      'there was no such Job since 1d5m: ttl-after-finished-controller deleted Job shop/migrate',
    )
    expect(answer.different).toEqual([
      'a round of Flux in which it is declared creates it (flux reconcile kustomization shop -n ' +
        'flux-system)',
    ])
  })

  it('says what its engine did last and does next, of the two nexts the nearer', () => {
    const rounds = [1, 2, 3].map((hour) => happening(hour, 'round', `round ${hour}`))
    const played = history([lane([life({ from: 1 })])], { happenings: rounds })
    expect(silent('shop/migrate@2h30m', played).last?.words).toMatch(/round 2$/)
    expect(silent('shop/migrate@2h30m', played).next?.words).toMatch(/round 3$/)
    const planned = silent('shop/migrate@2h30m', played, { nextWake: at(2.75) }).next
    expect(planned).toEqual({
      at: at(2.75),
      words: 'Flux Kustomization flux-system/shop looks again',
    })
  })

  it('names what stands in the way: outages, suspension, refusals of the last round', () => {
    const happenings = [
      ...commits(0),
      happening(1, 'outage', 'Git is down', { row: 'Git', until: at(5) }),
      happening(2, 'round', 'reconciled'),
      happening(2, 'refused', 'refused Job: field is immutable', { object: 'Job shop/migrate' }),
    ]
    const played = history([lane([life({ from: 0 })])], { happenings })
    const { blocks } = silent('shop/migrate@3h', played, {
      carrier: { spec: { suspend: true } },
      down: ['source-controller'],
    })
    expect(blocks).toEqual([
      'Git is down (until 5h)',
      'the process of source-controller was down',
      'Flux Kustomization flux-system/shop was suspended (spec.suspend: true)',
      'refused Job: field is immutable (at 2h)',
    ])
    expect(silent('shop/migrate@5h', played).blocks).not.toContain('Git is down (until 5h)')
  })

  it('forgets a refusal that a later round no longer had', () => {
    const happenings = [
      happening(1, 'round', 'reconciled'),
      happening(1, 'refused', 'refused Job', { object: 'Job shop/other' }),
      happening(2, 'round', 'reconciled'),
    ]
    const played = history([lane([life({ from: 0 })])], { happenings })
    expect(silent('shop/migrate@3h', played).blocks).toEqual([])
  })

  it('says that it is suspended, and what to set', () => {
    const waiting = life({
      from: 0,
      outcome: 'waiting',
      startedAt: undefined as never,
      endedAt: undefined as never,
    })
    const answer = silent('shop/migrate@3h', history([lane([waiting])]), {
      object: { spec: { suspend: true } },
    })
    expect(answer.state).toContain('had no pod: it is suspended (spec.suspend: true)')
    expect(answer.different).toEqual(['set spec.suspend of the Job to false'])
  })

  it('says that a finished Job without a TTL stays', () => {
    const played = history([lane([life({ from: 0, outcome: 'failed' })])])
    const { state, different, nextRun } = silent('shop/migrate@3h', played)
    expect(state).toContain(
      'was failed since 5m: a finished Job never runs again, and without a TTL',
    )
    expect(different[1]).toMatch(/^its deletion, if/)
    expect(nextRun).toBeUndefined()
  })

  it('says what makes a hook run again', () => {
    const hook = life({ from: 0, cause: 'hook', actor: 'argocd-application-controller' })
    const appliedBy = 'Argo CD Application argocd/shop'
    const answer = silent('shop/migrate@3h', history([lane([hook], { appliedBy })]))
    expect(answer.different).toEqual(['a sync runs it again (argocd app sync shop)'])
  })

  it('says of a CronJob which run its tick met, and which tick comes next', () => {
    const lives = [life({ from: 0, runs: 3, cause: 'schedule', name: 'report-1' })]
    const cron = lane(
      lives.map((one) => ({ ...one, name: `report-${one.createdAt / 60_000}` })),
      { kind: 'CronJob', name: 'shop/report', schedule: '0 * * * *' },
    )
    const busy = silent('report@2h30m', history([cron]))
    expect(busy.running?.nth).toBe(1)
    expect(busy.state).toBe(
      'its last tick was at 2h and started nothing: the run that began at 0s was going until 3h',
    )
    const after = silent('report@4h30m', history([cron]))
    expect(after.state).toBe('its last tick was at 4h and started nothing, with no run in the way')
    expect(after.different).toEqual([
      'wait for its next tick at 5h',
      'start one by hand: kubectl create job report-by-hand --from=cronjob/report -n shop',
    ])
  })

  it('says that it ran all the same', () => {
    const answer = silent('shop/migrate@25h1m')
    expect(answer.running?.nth).toBe(2)
    expect(answer.different).toEqual([])
  })

  it('knows less without facts, and says no more', () => {
    expect(whyNotOf(daily(), 'shop/migrate@30h').blocks).toEqual([])
  })
})
