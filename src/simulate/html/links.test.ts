import { describe, expect, it } from 'vitest'
import { HOUR, START, hookRuns, ttlLoop } from '../../../test/simulate/histories.ts'
import type { Happening } from '../history/history.ts'
import { firstAt, linksOf } from './links.ts'

describe('the lines to a run', () => {
  it('come from the round of the engine that applies it, and from the end of the life before', () => {
    const history = ttlLoop()
    const [lane] = history.lanes
    if (lane === undefined) throw new Error('no lane')
    const links = linksOf(lane, 2, history)
    expect(links.before).toBe(1)
    expect(new Set(links.happenings.map(({ kind }) => kind))).toEqual(new Set(['round', 'created']))
    expect(links.happenings.every(({ at }) => at === START + 50 * HOUR)).toBe(true)
  })

  it('come from the commit that began it', () => {
    const history = hookRuns()
    const [lane] = history.lanes
    if (lane === undefined) throw new Error('no lane')
    const kinds = linksOf(lane, 3, history).happenings.map(({ kind }) => kind)
    expect(kinds).toEqual(['commit', 'sync'])
    expect(linksOf(lane, 3, history).before).toBeUndefined()
  })

  it('are none to another engine that worked at the same instant', () => {
    const history = ttlLoop()
    const [lane] = history.lanes
    if (lane === undefined) throw new Error('no lane')
    const other: Happening = {
      at: START + 50 * HOUR,
      row: 'Kustomization flux-system/other',
      kind: 'round',
      words: 'reconciled',
    }
    const outage: Happening = { ...other, row: 'Git', kind: 'outage', until: START + 60 * HOUR }
    const happenings = [...history.happenings, other, outage].sort((a, b) => a.at - b.at)
    const found = linksOf(lane, 2, { ...history, happenings }).happenings
    expect(found).not.toContain(other)
    expect(found).not.toContain(outage)
  })

  it('are found by the first place that is not before an instant', () => {
    const at = (instant: number): Happening => ({ at: instant, row: '', kind: 'note', words: '' })
    const list = [at(1), at(3), at(3), at(5)]
    expect([0, 3, 4, 9].map((instant) => firstAt(list, instant))).toEqual([0, 1, 3, 4])
  })
})
