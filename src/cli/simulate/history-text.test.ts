import { describe, expect, it } from 'vitest'
import type { History } from '../../simulate/history/history.ts'
import { whyNotOf } from '../../simulate/tell/why-not.ts'
import { whyOf } from '../../simulate/tell/why.ts'
import { commits, daily, happening, history, lane, life } from '../../simulate/tell/testing.ts'
import { paintFor } from '../paint.ts'
import { widthOf } from '../words.ts'
import { historyText } from './history-text.ts'
import { whyNotText, whyText } from './why-text.ts'

const pipe = { write: () => undefined, isTerminal: false, columns: undefined }
const paint = paintFor(pipe, 'never', {})

function text(played: History, width = 80, ascii = false): string {
  return historyText(played, { paint, width, ascii })
}

describe('a history on a terminal', () => {
  it('has what is played, a sentence, a table, a timeline and the next question', () => {
    const said = text(daily())
    expect(said).toMatch(/^7 days from 2026-01-05 00:00:00 UTC, idealised timing: 1 Job\n\n/)
    expect(said).toContain(
      '  runs now, then every 25 h: 7 runs in 7 days, because the TTL deletes it',
    )
    expect(said).toMatch(/NAME +APPLIED BY +RUNS +FIRST +EVERY +OUTCOMES\n/)
    expect(said).toMatch(/shop\/migrate +Flux.*shop +7 +now +every 25 h +7 complete\n/)
    expect(said).toContain('●···')
    expect(said).toMatch(
      /Next: `semel simulate --why shop\/migrate@#2` prints what led to that run\n$/,
    )
  })

  it('has the reasons in the table where there is room', () => {
    expect(text(daily(), 119)).not.toMatch(/OUTCOMES +WHY/)
    expect(text(daily(), 160)).toMatch(/OUTCOMES +WHY\n.*the TTL deletes it after 24 h and Flux/)
  })

  it('leaves out columns on a narrow terminal', () => {
    expect(text(daily(), 60)).toMatch(/\n {2}NAME +RUNS +EVERY +OUTCOMES\n/)
  })

  it.each([60, 80, 100, 140])('never wraps at %i columns', (width) => {
    const lives = daily().lanes[0]?.lives ?? []
    const lanes = [
      lane(lives, { name: 'a-long-namespace/a-job-with-a-long-name', appliedBy: 'x'.repeat(90) }),
    ]
    for (const row of text({ ...daily(), lanes }, width)
      .split('\n')
      .filter(isNoCommand)) {
      expect(widthOf(row)).toBeLessThanOrEqual(width)
    }
  })

  it('is ASCII where the terminal is', () => {
    const lanes = [
      lane(daily().lanes[0]?.lives ?? [], { name: 'n'.repeat(60), appliedBy: 'x'.repeat(90) }),
    ]
    const said = text({ ...daily(), lanes }, 60, true)
    // oxlint-disable-next-line no-control-regex -- that is what ASCII is
    expect(said).toMatch(/^[\n\u0020-\u007e]*$/)
    expect(said).toContain('*...')
  })

  it('names the seed', () => {
    const played = history([lane([])], { timing: { mode: 'realistic', seed: 7 } })
    expect(text(played)).toContain('realistic timing, seed 7: 1 Job')
  })

  it('says what is to be known before it is believed', () => {
    const warning = {
      id: 'race',
      lanes: ['shop/migrate'],
      what: 'the outcome is a race; the common one was taken',
      why: 'a comparison may read an old cache',
      remedy: '--seed N --runs M draws it',
    }
    expect(text({ ...daily(), warnings: [warning] })).toContain(
      [
        'warning  race  shop/migrate',
        '  what    the outcome is a race; the common one was taken',
        '  why     a comparison may read an old cache',
        '  remedy  --seed N --runs M draws it',
      ].join('\n'),
    )
  })

  it('says that there is nothing, and what would make a silent Job run', () => {
    expect(text(history([]))).toContain('No Job or CronJob is declared, and none was created.')
    expect(text(history([lane([])]))).toContain('`semel simulate --why-not shop/migrate@0s`')
  })

  it('counts what it has no sentences for', () => {
    const lanes = Array.from({ length: 30 }, (_, nth) => lane([], { name: `shop/job-${nth}` }))
    expect(text(history(lanes))).toContain('5 more Jobs below\n')
  })
})

/** A command that is to be copied is not broken. */
function isNoCommand(row: string): boolean {
  return !row.startsWith('Next: ')
}

describe('a cause chain on a terminal', () => {
  it('has each link with its time, its actor, its rule and page', () => {
    const life25 = life({ from: 25, rule: 'F-8', expires: 49 })
    const lives = [
      life({ from: 0, expires: 24 }),
      {
        ...life25,
        created: life25.created.map((step) =>
          step.rule === 'F-8'
            ? { ...step, page: 'docs/engines/flux.md#f-8', unconfirmed: true as const }
            : step,
        ),
      },
    ]
    const played = history([lane(lives, { contract: 'once' })], { happenings: commits(0) })
    expect(
      whyText(whyOf(played, 'shop/migrate@26h'), played, { paint, width: 100, ascii: true }),
    ).toBe(
      [
        'shop/migrate, run #2 of 2',
        '  Not exact: no run was going at 1d2h; this one ended 55 min before',
        '  began at 1d1h (2026-01-06 01:00:00 UTC), completed 5 min later',
        '  In short: the TTL deletes it after 23 h 55 min and Flux restores it at the next interval',
        '',
        'Why it was created',
        '  1d1h  trigger  its interval of 1h0m0s was over',
        '                 kustomize-controller, rule F-1',
        '        |',
        '  1d1h  state    there was no Job shop/migrate',
        '                 kube-apiserver',
        '        |',
        '  1d1h  effect   created Job shop/migrate',
        '                 kustomize-controller, rule F-8 (no recording has shown it):',
        '                 docs/engines/flux.md#f-8',
        '',
        'How it went away',
        '  2d1h  trigger  its TTL was over',
        '                 ttl-after-finished-controller, rule K-25',
        '        |',
        '  2d1h  effect   deleted Job shop/migrate',
        '                 ttl-after-finished-controller, rule K-26',
        '',
        '  applied by Flux Kustomization flux-system/shop; image shop/migrate:1; contract once',
        '',
      ].join('\n'),
    )
  })

  it('says why there is none', () => {
    const played = history([lane([], { unknown: 'its name is a template' })])
    expect(whyText(whyOf(played, 'shop/migrate'), played, { paint, width: 100, ascii: true })).toBe(
      'shop/migrate\n  how often it runs cannot be told: its name is a template\n',
    )
  })
})

describe('silence on a terminal', () => {
  it('has what there was, what is in the way, what comes and what to change', () => {
    const happenings = [
      happening(1, 'round', 'reconciled'),
      happening(1, 'refused', 'refused Job: field is immutable', { object: 'Job shop/migrate' }),
    ]
    const played = history([lane([life({ from: 0 })])], { happenings })
    const answer = whyNotOf(played, 'shop/migrate@26h')
    expect(whyNotText(answer, played, { paint, width: 100, ascii: true })).toBe(
      [
        'shop/migrate at 1d2h (2026-01-06 02:00:00 UTC): no run',
        '  there was   Job shop/migrate was complete since 5m: a finished Job never runs again, and without a',
        '              TTL it stays',
        '  in the way  refused Job: field is immutable (at 1h)',
        '  last work   1h: Kustomization flux-system/shop: refused Job: field is immutable',
        '  next run    none until the end at 7d',
        '  to change   another content under another name, for example with the hash of its content in the',
        '              name',
        '              its deletion, if its engine creates again what is declared and absent',
        '',
      ].join('\n'),
    )
  })

  it('points to the run that was going all the same', () => {
    const said = whyNotText(whyNotOf(daily(), 'shop/migrate@25h1m'), daily(), {
      paint,
      width: 100,
      ascii: true,
    })
    expect(said).toMatch(/^shop\/migrate at 1d1h1m .*: run #2 was going\n/)
    expect(said).toMatch(/`semel simulate --why shop\/migrate@#2` says why\n$/)
  })
})
