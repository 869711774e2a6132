import { describe, expect, it } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { targetOf } from './target.ts'
import { at, daily, history, lane, life } from './testing.ts'

const played = daily()

function fault(text: string, of = played): Fault {
  try {
    targetOf(of, text)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('JOB@TIME', () => {
  it.each([
    ['shop/migrate@25h', { kind: 'at', at: at(25) }],
    ['migrate@1d1h', { kind: 'at', at: at(25) }],
    ['shop/migrate@2026-01-06T01:00:00Z', { kind: 'at', at: at(25) }],
    ['shop/migrate@2026-01-06T02:00+01:00', { kind: 'at', at: at(25) }],
    ['shop/migrate@first', { kind: 'run', nth: 1 }],
    ['shop/migrate@last', { kind: 'run', nth: 7 }],
    ['shop/migrate', { kind: 'run', nth: 7 }],
    ['shop/migrate@#3', { kind: 'run', nth: 3 }],
  ])('reads %s', (text, moment) => {
    const target = targetOf(played, text)
    expect(target.lane.name).toBe('shop/migrate')
    expect(target.moment).toEqual(moment)
  })

  it('finds a lane by the name of one of its Job objects, and means that one alone', () => {
    const names = ['report-1', 'report-2'].map((name, nth) =>
      life({ from: nth, name, cronJob: 'report', cause: 'schedule' }),
    )
    const cron = history([lane(names, { name: 'shop/report', kind: 'CronJob' })])
    expect(targetOf(cron, 'report-2@first').runs).toEqual([names[1]])
    expect(targetOf(cron, 'shop/report-2@first').runs).toEqual([names[1]])
  })

  it('finds a generated name by its prefix and by a whole name', () => {
    const lives = [life({ from: 0, name: 'lint-x7k2p' })]
    const generated = history([lane(lives, { name: 'ci/lint-*' })])
    expect(targetOf(generated, 'lint-*').lane.name).toBe('ci/lint-*')
    expect(targetOf(generated, 'lint-x7k2p').lane.name).toBe('ci/lint-*')
  })

  it('lists the Jobs that share a name, and takes the whole name for one of them', () => {
    const two = history(['shop/migrate', 'blog/migrate'].map((name) => lane([], { name })))
    expect(fault('migrate@1h', two).message).toBe('migrate is the name of 2 Jobs')
    expect(fault('migrate@1h', two).why).toBe('shop/migrate and blog/migrate have it')
    expect(targetOf(two, 'blog/migrate@1h').lane.name).toBe('blog/migrate')
  })

  it('says what there is where the Job is not', () => {
    expect(fault('shop/migrat@1h').message).toContain('Did you mean shop/migrate?')
    expect(fault('x@1h').why).toBe('there is shop/migrate')
    expect(fault('x', history([])).why).toBe('nothing declares a Job')
  })

  it.each([
    ['shop/migrate@soon', 'soon behind @ is no time'],
    ['shop/migrate@', 'nothing behind @ is no time'],
    ['shop/migrate@2026-01-06T01:00:00', '2026-01-06T01:00:00 behind @ is no time'],
    ['shop/migrate@8d', '8d lies outside of what was played'],
    ['shop/migrate@7d', '7d lies outside of what was played'],
    ['shop/migrate@#8', 'shop/migrate has no run #8'],
    ['shop/migrate@#0', 'shop/migrate has no run #0'],
  ])('refuses %s', (text, message) => {
    expect(fault(text).message).toBe(message)
    expect(fault(text).code).toBe('USAGE')
  })

  it('takes the ends of the span where it never ran', () => {
    const never = history([lane([])])
    expect(targetOf(never, 'shop/migrate@last').moment).toEqual({ kind: 'at', at: at(168) - 1 })
    expect(fault('shop/migrate@#1', never).why).toBe('it never ran')
  })
})
