import { describe, expect, it } from 'vitest'
import type { History } from '../../simulate/history/history.ts'
import { at, commits, daily, happening, history, lane, life } from '../../simulate/tell/testing.ts'
import { paintFor } from '../paint.ts'
import { widthOf } from '../words.ts'
import { timeline, wantsAscii } from './timeline.ts'

const pipe = { write: () => undefined, isTerminal: false, columns: undefined }

function drawn(played: History, width = 70, ascii = false): readonly string[] {
  return timeline(played, { paint: paintFor(pipe, 'never', {}), width, ascii })
}

describe('a timeline in the terminal', () => {
  it('draws runs, kept Jobs, commits and an axis', () => {
    expect(drawn(daily())).toEqual([
      '  shop/migrate  7  ●······●·······●······●·······●······●·······●·····',
      '  Git              C',
      '                   ┴──────┴──────┴──────┴───────┴──────┴──────┴───────',
      '                   0      1d     2d     3d      4d     5d     6d',
      '                   0 is 2026-01-05 00:00:00 UTC',
      '  ● run that completes   · the ended Job still exists   C commit',
    ])
  })

  it('has a form for each outcome', () => {
    const lives = [
      life({ from: 0, expires: 5 }),
      life({ from: 10, outcome: 'failed', expires: 15 }),
      life({ from: 20, runs: 8, outcome: 'gone', expires: 28 }),
      life({ from: 30, outcome: 'waiting', startedAt: undefined as never, expires: 31 }),
      life({ from: 40, outcome: 'running' }),
    ]
    const [row] = drawn(history([lane(lives)], { hours: 50 }))
    expect(row).toBe('  shop/migrate  4  ●·····    ✗·····    ○──────── ?·        ▶──────────')
    const [plain] = drawn(history([lane(lives)], { hours: 50 }), 70, true)
    expect(plain).toBe('  shop/migrate  4  *.....    x.....    o======== ?.        >==========')
  })

  it('merges crowded runs into their number, and lets a failure win', () => {
    const starts = [0, 0.1, 0.2, 20, 20.1, ...Array.from({ length: 12 }, (_, nth) => 40 + nth / 40)]
    const lives = starts.map((from) =>
      life({
        from,
        runs: 0.01,
        expires: from + 0.02,
        ...(from === 20.1 ? { outcome: 'failed' } : {}),
      }),
    )
    const rows = drawn(history([lane(lives)], { hours: 50 }))
    expect(rows[0]).toBe('  shop/migrate  17  3                   ✗                   +')
    expect(rows.at(-1)).toBe('  ✗ run that fails   2-9, + for more so many runs that complete')
  })

  it('shows an outage from its beginning to its end, and refusals above rounds', () => {
    const happenings = [
      happening(10, 'outage', 'the API server is down', { row: 'cluster', until: at(20) }),
      ...[0, 10, 30].map((hour) => happening(hour, 'round', 'reconciled')),
      happening(30, 'refused', 'refused Job'),
    ]
    const rows = drawn(history([lane([])], { hours: 50, happenings }), 80)
    const row = (name: string): string => rows.find((one) => one.includes(name)) ?? ''
    expect(row('cluster')).toMatch(/ {10}▒▒▒▒▒▒▒▒▒▒▒?$/)
    expect(row('shop')).toBeDefined()
    expect(rows.find((one) => one.includes('╷') && one.includes('R'))).toBeDefined()
  })

  it('puts Git before what else happens', () => {
    const happenings = [happening(0, 'round', 'reconciled'), ...commits(1)]
    const rows = drawn(history([lane([])], { happenings }))
    expect(rows.findIndex((row) => row.includes('Git'))).toBe(1)
  })

  it('draws nothing that is outside', () => {
    const lives = [life({ from: 0 }), life({ from: 50 }), life({ from: 60 })]
    expect(drawn(history([lane(lives)], { hours: 50 }))[0]).toMatch(/ 1  ●·+$/)
  })

  it.each([30, 40, 60, 80, 120, 200])('keeps to %i columns', (width) => {
    const long = lane(daily().lanes[0]?.lives ?? [], {
      name: 'a-long-namespace/a-very-long-name-of-a-job',
    })
    const rows = drawn({ ...daily(), lanes: [long] }, width)
    // The narrowest that it can be drawn in.
    const least = Math.max(width, 54)
    for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(least)
  })

  it.each([
    [0.01, /^ *0 +5s +10s/],
    [1, /^ *0 +10m +20m/],
    [10, /^ *0 +2h +4h/],
    [240, /^ *0 +2d +4d|^ *0 +1d +2d/],
    [24 * 365, /^ *0 +60d +120d/],
  ])('has sensible ticks for %d hours', (hours, expected) => {
    const rows = drawn(history([lane([])], { hours }))
    expect(rows.at(-1)).toMatch(/0 is/)
    expect(rows.at(-2)).toMatch(expected)
  })

  it('says how many Jobs it left out', () => {
    const lanes = Array.from({ length: 43 }, (_, nth) => lane([], { name: `shop/job-${nth}` }))
    expect(drawn(history(lanes)).join('\n')).toContain('… 3 more Jobs: -o json has all')
  })

  it('colours by outcome where there are colours', () => {
    const colored = timeline(daily(), {
      paint: paintFor(pipe, 'always', {}),
      width: 70,
      ascii: false,
    })
    expect(colored[0]).toContain('\u001b[32m●\u001b[39m')
  })
})

describe('a terminal wants ASCII', () => {
  it.each([
    [{}, false],
    [{ TERM: 'dumb' }, true],
    [{ LANG: 'C' }, true],
    [{ LANG: 'en_US.ISO-8859-1' }, true],
    [{ LANG: 'de_DE.UTF-8' }, false],
    [{ LC_ALL: 'C.utf8', LANG: 'C' }, false],
    [{ LC_CTYPE: 'POSIX', LANG: 'en_US.UTF-8' }, true],
    [{ LC_ALL: '', LANG: 'en_US.UTF-8' }, false],
  ])('%j: %s', (env, expected) => {
    expect(wantsAscii(env)).toBe(expected)
  })
})
