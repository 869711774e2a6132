import { describe, expect, it } from 'vitest'
import { history, life, manyLanes } from '../../../test/simulate/histories.ts'
import type { Happening, Lane } from '../history/history.ts'
import { countsOf, eventRowsOf, groupsOf } from './groups.ts'

function lane(name: string, appliedBy?: string): Lane {
  return {
    name,
    kind: 'Job',
    lives: [life(name, 0)],
    ...(appliedBy === undefined ? {} : { appliedBy }),
  }
}

function happening(row: string): Happening {
  return { at: 0, row, kind: 'round', words: 'looked' }
}

describe('groups of lanes', () => {
  it('are one for each object that applies some, in the order of their first lane', () => {
    const lanes = [
      lane('a/x', 'Kustomization f/two'),
      lane('a/y', 'Kustomization f/one'),
      lane('a/z', 'Kustomization f/two'),
    ]
    expect(groupsOf({ lanes })).toMatchObject([
      { name: 'Kustomization f/two', lanes: [0, 2], isOpen: true, isHeadless: false },
      { name: 'Kustomization f/one', lanes: [1] },
    ])
  })

  it('are closed above 60 lanes, but for one that is alone', () => {
    expect(groupsOf(manyLanes(61)).some(({ isOpen }) => isOpen)).toBe(false)
    const lanes = Array.from({ length: 100 }, (_, at) => lane(`a/x${at}`, 'Kustomization f/one'))
    expect(groupsOf({ lanes })).toMatchObject([{ isOpen: true, isHeadless: false }])
  })

  it('have no head where nobody applies anything, or where each holds a single lane', () => {
    expect(groupsOf({ lanes: [lane('a/x'), lane('a/y')] })).toMatchObject([{ isHeadless: true }])
    const lanes = ['a', 'b', 'c'].map((name) => lane(`x/${name}`, `LabRun lab/${name}`))
    expect(groupsOf({ lanes }).map(({ isHeadless }) => isHeadless)).toEqual([true, true, true])
  })

  it('do not take a CronJob for its own engine', () => {
    const own: Lane = { ...lane('a/x', 'CronJob a/x'), kind: 'CronJob' }
    expect(groupsOf({ lanes: [own] })).toMatchObject([{ name: 'Applied by no engine' }])
  })
})

describe('rows of events', () => {
  it('begin with Git and end with the cluster', () => {
    const happenings = ['cluster', 'Kustomization f/one', 'Git'].map(happening)
    expect(eventRowsOf({ happenings, lanes: [] }).map(({ name }) => name)).toEqual([
      'Git',
      'Kustomization f/one',
      'cluster',
    ])
  })

  it('show all pods in one, and remember whose they were', () => {
    const rows = eventRowsOf({ happenings: ['Pod a/x-1', 'Pod a/x-2'].map(happening), lanes: [] })
    expect(rows).toHaveLength(1)
    expect(rows[0]?.name).toBe('Pods')
    expect(rows[0]?.sources.has('Pod a/x-2')).toBe(true)
  })

  it('show many objects of a kind in one, but not the one that applies a lane', () => {
    const names = Array.from({ length: 30 }, (_, at) => `Kustomization f/k${at}`)
    const lanes = [lane('a/x', 'Flux Kustomization f/k7')]
    const rows = eventRowsOf({ happenings: names.map(happening), lanes })
    expect(rows.map(({ name }) => name)).toEqual(['Kustomizations', 'Kustomization f/k7'])
    expect(rows[0]?.happenings).toHaveLength(29)
  })
})

describe('counts of a lane', () => {
  it('take a life without a pod for no run, and a CronJob for no repetition', () => {
    const { startedAt: _, ...waiting } = life('a/x', 5, { outcome: 'waiting', pods: 0 })
    const { lanes, end } = history(1, [
      { ...lane('a/x'), lives: [life('a/x', 0), life('a/x', 9), waiting] },
    ])
    const [job] = lanes
    if (job === undefined) throw new Error('no lane')
    expect(countsOf(job, { end })).toEqual({ runs: 2, failed: 0, waiting: 1, isRepeated: true })
    expect(countsOf({ ...job, kind: 'CronJob' }, { end }).isRepeated).toBe(false)
  })
})
