import { runsOf, type Happening, type History, type Lane } from '../history/history.ts'

/** Lanes under the engine object that applies them. */
export interface Group {
  readonly name: string
  /** Places in `history.lanes`. */
  readonly lanes: readonly number[]
  readonly isOpen: boolean
  /** Nothing to set apart: its head would say nothing. */
  readonly isHeadless: boolean
}

/** Up to so many lanes, everything is open. */
const ALL_OPEN = 60

const NOBODY = 'Applied by no engine'

/** In the order of their first lane. One group alone is always open, however large it is. */
export function groupsOf({ lanes }: History): readonly Group[] {
  const places = new Map<string, number[]>()
  for (const [at, { appliedBy = NOBODY }] of lanes.entries()) {
    const known = places.get(appliedBy)
    if (known === undefined) places.set(appliedBy, [at])
    else known.push(at)
  }
  const isOpen = lanes.length <= ALL_OPEN || places.size === 1
  return [...places].map(([name, lanes]) => {
    return { name, lanes, isOpen, isHeadless: name === NOBODY && places.size === 1 }
  })
}

export interface EventRow {
  readonly name: string
  readonly happenings: readonly Happening[]
}

/** Git first, then the engines in the order of their first word, the cluster last. */
export function eventRowsOf({ happenings }: History): readonly EventRow[] {
  const rows = new Map<string, Happening[]>()
  for (const one of happenings) {
    const row = rows.get(one.row)
    if (row === undefined) rows.set(one.row, [one])
    else row.push(one)
  }
  return [...rows]
    .map(([name, happenings]) => ({ name, happenings }))
    .sort((one, other) => rank(one.name) - rank(other.name))
}

function rank(row: string): number {
  return row === 'Git' ? 0 : row === 'cluster' ? 2 : 1
}

/** What the numbers at the top and the sentences need to know of one lane. */
export interface LaneCounts {
  readonly runs: number
  readonly failed: number
  /** Lives without a pod. */
  readonly waiting: number
  /** A Job that runs again; a CronJob is meant to. */
  readonly isRepeated: boolean
}

export function countsOf(lane: Lane, history: Pick<History, 'end'>): LaneCounts {
  const runs = runsOf(lane, history)
  return {
    runs: runs.length,
    failed: runs.filter(({ outcome }) => outcome === 'failed').length,
    waiting: lane.lives.length - runs.length,
    isRepeated: lane.kind === 'Job' && runs.length > 1,
  }
}
