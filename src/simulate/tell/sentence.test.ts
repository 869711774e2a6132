import { describe, expect, it } from 'vitest'
import type { Happening, JobLife, Lane } from '../history/history.ts'
import { sentenceOf } from './sentence.ts'
import {
  at,
  commits,
  daily,
  happening,
  history,
  lane,
  life,
  step,
  type LifeGiven,
} from './testing.ts'

const argocd = { actor: 'argocd-application-controller', rule: 'A-35' }
const app = { appliedBy: 'Argo CD Application argocd/shop' }

function say(
  lives: readonly JobLife[],
  rest: Partial<Lane> = {},
  happenings: readonly Happening[] = commits(0),
): string {
  const one = lane(lives, rest)
  return sentenceOf(one, history([one], { happenings }))
}

function hooks(hours: readonly number[], rest: Partial<LifeGiven> = {}): readonly JobLife[] {
  return hours.map((from) => life({ from, cause: 'hook', trigger: 'revision', ...argocd, ...rest }))
}

describe('the sentence of a Job', () => {
  it('says the period and both halves of a loop of TTL and interval', () => {
    const played = daily()
    expect(sentenceOf(played.lanes[0] ?? lane([]), played)).toBe(
      'runs now, then every 25 h: 7 runs in 7 days, because the TTL deletes it after 24 h and ' +
        'Flux restores it at the next interval',
    )
  })

  it('finds the round in a chain that also tells how the Job before went away', () => {
    const deleted = [
      step(24, 'trigger', 'ttl-after-finished-controller', 'its TTL', { trigger: 'expiry' }),
      step(24, 'effect', 'ttl-after-finished-controller', 'deleted Job shop/migrate'),
    ]
    const again = life({ from: 25 })
    const [round, ...rest] = again.created
    const created = [...(round === undefined ? [] : [round]), ...deleted, ...rest]
    const first = life({ from: 0, deletedAt: at(24), deleted })
    expect(say([first, { ...again, created }])).toBe(
      'runs now and again after 25 h: 2 runs in 7 days, because the TTL deletes it after 23 h 55 ' +
        'min and Flux restores it at the next interval',
    )
  })

  it.each([
    [
      'a Job without a TTL that stays',
      [life({ from: 0 })],
      {},
      'runs once, now: its Job has no TTL and stays',
    ],
    [
      'a Job whose TTL nobody answers',
      [life({ from: 2, expires: 3 })],
      { ttlSeconds: 3300 },
      'runs once, after 2 h: the TTL deletes it after 55 min and nothing creates it again',
    ],
    [
      'a Job whose TTL is not over',
      [life({ from: 0 })],
      { ttlSeconds: 864_000 },
      'runs once, now: its Job stays for the rest of this time (TTL 10 days)',
    ],
    [
      'a Job that fails',
      [life({ from: 0, outcome: 'failed' })],
      {},
      'runs once, now, and fails: its Job has no TTL and stays, and nothing tries it again',
    ],
    [
      'a Job that never ends',
      [life({ from: 1, outcome: 'running' })],
      {},
      'runs once, after 1 h, and has not ended 6 days 23 h later',
    ],
  ])('says why %s runs once', (_, lives, rest, expected) => {
    expect(say(lives, rest)).toBe(expected)
  })

  it('says what belongs to every commit', () => {
    expect(say(hooks([0, 24, 60]), app, commits(0, 24, 60))).toBe(
      'runs at every commit: 3 runs in 7 days, because it is a hook, and Argo CD runs hooks at ' +
        'every sync',
    )
    expect(say(hooks([0, 60]), app, commits(0, 24, 60))).toMatch(/^runs at 2 of 3 commits: 2 runs/)
  })

  it('says what belongs to every sync, whoever asked', () => {
    const row = 'Application argocd/shop'
    const syncs = [0, 3, 90].map((hour) =>
      happening(hour, 'round', `synced ${row}, because x`, { row }),
    )
    const lives = [0, 3, 90].flatMap((from) =>
      hooks([from], { trigger: from === 3 ? 'request' : 'revision' }),
    )
    expect(say(lives, app, [...commits(0, 90), ...syncs])).toMatch(/^runs at every sync: 3 runs/)
  })

  it('takes no occasion for the reason where one of them has two runs', () => {
    expect(say(hooks([0, 1, 24]), app, commits(0, 24))).toMatch(/^runs now, then 2 times more/)
  })

  it('says about every where the distances differ, and their ends', () => {
    const lives = [0, 24.5, 50, 74].map((from) => life({ from, expires: from + 24 }))
    expect(say(lives)).toMatch(
      /^runs now, then about every 24 h 30 min \(24 h to 25 h 30 min\) until 3 days 2 h/,
    )
  })

  it('finds a rhythm that sets in later', () => {
    const lives = [0, 3.5, 5, 6, 7, 8, 9].map((from) => life({ from, expires: from + 0.5 }))
    const one = lane(lives)
    expect(sentenceOf(one, history([one], { hours: 10 }))).toMatch(
      /^runs now, after 3 h 30 min, after 5 h, then every 1 h: 7 runs in 10 h/,
    )
  })

  it('says that pauses grow until they no longer do', () => {
    const starts = [0, 0.1, 0.3, 0.7, 1.5, ...Array.from({ length: 30 }, (_, nth) => 3 + nth)]
    const lives = starts.map((from) =>
      life({
        from,
        outcome: 'failed',
        ...(from > 0 ? { cause: 'retried', trigger: 'retry' } : {}),
      }),
    )
    const one = lane(lives)
    expect(sentenceOf(one, history([one], { hours: 33 }))).toMatch(
      /^runs now, 5 times more until 3 h have passed, then every 1 h: 35 runs in 33 h/,
    )
  })

  it('gives rounds of several kinds one reason', () => {
    const lives = [0, 1, 2, 3].map((from) =>
      life({ from, expires: from + 0.5, ...(from === 2 ? { trigger: 'retry' as const } : {}) }),
    )
    expect(say(lives)).toContain(
      'Flux restores it at the next interval (twice) or at the next retry (once)',
    )
  })

  it('takes the TTL from the lives where no spec is there any more', () => {
    const lives = [0, 2].map((from) => life({ from, expires: from + 1 + 1 / 12 }))
    expect(say(lives)).toContain('because the TTL deletes it after 1 h and Flux restores it')
  })

  it('says when a rhythm stopped', () => {
    const lives = [0, 2, 4, 6].map((from) => life({ from, expires: from + 1 }))
    expect(say(lives)).toMatch(/^runs now, then every 2 h until 6 h have passed: 4 runs/)
  })

  it('names every reason with its number where there are several', () => {
    const lives = [
      life({ from: 0, expires: 20 }),
      life({ from: 25, expires: 40 }),
      life({ from: 30, cause: 'changed', trigger: 'revision' }),
      life({ from: 120, cause: 'restored', expires: 130 }),
    ]
    const text = say(lives)
    expect(text).toContain('Flux restores it at the next interval (once)')
    expect(text).toContain('Flux creates it with other content with the next revision (once)')
    expect(text).toContain('Flux creates it again at the next interval (once)')
  })

  it('counts what did not end well', () => {
    const outcomes = ['complete', 'failed', 'gone', 'failed'] as const
    const lives = outcomes.map((outcome, nth) =>
      life({ from: nth * 10, expires: nth * 10 + 5, outcome }),
    )
    expect(say(lives)).toContain(
      '4 runs in 7 days (2 failed and 1 deleted before the end), because',
    )
    const bad = lives.map((one) => ({ ...one, outcome: 'failed' as const }))
    expect(say(bad)).toContain('4 runs in 7 days, all of them failed, because')
  })

  it('takes no new name for a Job that came back', () => {
    const lives = [0, 1, 2, 3].map((from) =>
      life({ from, name: `lint-${from}`, trigger: 'schedule', actor: 'kubectl-schedule' }),
    )
    expect(say(lives, { name: 'ci/lint-*' })).toContain(
      'because kubectl creates a new one at its next run',
    )
  })

  it('says that a replace at each sync needs no change', () => {
    const lives = [0, 1, 2, 3].map((from) =>
      life({ from, ...(from > 0 ? { cause: 'replaced' as const } : {}), ...argocd }),
    )
    expect(say(lives, app)).toContain(
      'because Argo CD deletes it and creates it again at every sync, changed or not',
    )
  })

  it('says that a loop has no bound', () => {
    const lives = [0, 0.1, 0.2, 0.3].map((from) =>
      life({ from, expires: from + 0.05, trigger: 'watch', actor: 'kro' }),
    )
    const one = lane(lives, { ttlSeconds: 0 })
    const warning = { id: 'runs-without-bound', lanes: [one.name], what: '', why: '' }
    expect(sentenceOf(one, history([one], { warnings: [warning] }))).toBe(
      'runs without bound: 4 runs in 18 min, because the TTL deletes it as soon as it ends and ' +
        'kro restores it as soon as it is gone',
    )
  })

  it('does not guess what nobody can tell', () => {
    expect(say([], { unknown: 'its name is filled in by a chart that is not here' })).toBe(
      'how often it runs cannot be told: its name is filled in by a chart that is not here',
    )
  })
})

describe('the sentence of a Job that never runs', () => {
  const refused = "refused Job: Invalid value: 'x': field is immutable"
  it.each<[string, readonly JobLife[], Partial<Lane>, readonly Happening[], string]>([
    ['held', [], { held: 'is suspended' }, [], 'it is suspended'],
    [
      'refused',
      [],
      {},
      [1, 2].map((hour) => happening(hour, 'refused', refused, { object: 'Job shop/migrate' })),
      `${refused} (2 times)`,
    ],
    [
      'behind a carrier that fails',
      [],
      {},
      [happening(1, 'failed', 'failed to build: no such file')],
      'Flux Kustomization flux-system/shop does not get that far: failed to build: no such file',
    ],
    [
      'of a carrier at rest',
      [],
      {},
      [],
      'Flux Kustomization flux-system/shop did nothing in this time',
    ],
    [
      'not among what is applied',
      [],
      {},
      [happening(1, 'round', 'reconciled')],
      'Flux Kustomization flux-system/shop worked once and never created it',
    ],
    [
      'applied by nobody',
      [],
      { appliedBy: undefined as never },
      [],
      'nothing that is played applies it',
    ],
    [
      'without a pod',
      [life({ from: 0, startedAt: undefined as never, outcome: 'waiting', pods: 0 })],
      {},
      [],
      'its Job exists and no pod of it was ever created',
    ],
    [
      'without a tick',
      [],
      { kind: 'CronJob', schedule: '0 0 1 6 *' },
      [],
      'no tick of `0 0 1 6 *` falls into these 7 days',
    ],
    [
      'with ticks only',
      [],
      { kind: 'CronJob', schedule: '0 * * * *' },
      [],
      '168 ticks of `0 * * * *` passed and none started a Job',
    ],
  ])('%s', (_, lives, rest, happenings, expected) => {
    expect(say(lives, rest, happenings)).toBe(`never runs in 7 days: ${expected}`)
  })
})

describe('the sentence of a CronJob', () => {
  function ticks(hours: readonly number[], runs: number): readonly JobLife[] {
    return hours.map((from) =>
      life({
        from,
        runs,
        cause: 'schedule',
        name: `report-${at(from) / 60_000}`,
        cronJob: 'report',
      }),
    )
  }
  const cron = { kind: 'CronJob', name: 'shop/report', schedule: '0 * * * *' } as const
  const hours = Array.from({ length: 168 }, (_, hour) => hour)

  it('says how often and by which schedule', () => {
    expect(say(ticks(hours, 0.1), cron)).toBe('168 runs in 7 days: at minute 0 of every hour')
  })

  it('says which ticks found a run in their way', () => {
    const kept = hours.filter((hour) => hour % 3 === 0)
    expect(say(ticks(kept, 2.5), cron)).toBe(
      '56 runs in 7 days: at minute 0 of every hour; 112 ticks started nothing, because the run ' +
        'before was still going',
    )
  })

  it('says how many ticks nothing was in the way of', () => {
    const kept = hours.filter((hour) => hour < 10 || hour > 20)
    expect(say(ticks(kept, 0.1), cron)).toContain(
      '; 11 ticks started nothing, with no run in the way',
    )
  })

  it('says which ticks passed while it was suspended', () => {
    const suspended = [{ from: at(9.5), until: at(15.5) }]
    const kept = hours.filter((hour) => hour < 10 || hour > 20)
    expect(say(ticks(kept, 0.1), { ...cron, suspended })).toContain(
      '; 11 ticks started nothing, 6 while it was suspended and 5 with no run in the way',
    )
  })

  it('takes a late start for the tick of its name', () => {
    const late = ticks(hours, 0.1).map((one) => ({ ...one, startedAt: one.createdAt + 300_000 }))
    expect(say(late, cron)).not.toContain('started nothing')
  })

  it('counts the ticks of its own time zone', () => {
    const zone = { ...cron, schedule: '30 2 * * *', timeZone: 'Europe/Berlin' }
    const lives = ticks(
      [0, 1, 2, 3, 4, 5, 6].map((day) => day * 24 + 1.5),
      0.1,
    )
    expect(say(lives, zone)).toBe('7 runs in 7 days: at 02:30 every day (Europe/Berlin)')
  })

  it('ends its ticks where the CronJob was removed', () => {
    const gone = happening(24, 'pruned', 'pruned', { object: 'CronJob shop/report' })
    expect(say(ticks(hours.slice(0, 24), 0.1), cron, [gone])).not.toContain('started nothing')
  })
})
