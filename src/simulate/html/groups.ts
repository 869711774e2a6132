import { runsOf, type Happening, type History, type Lane } from '../history/history.ts'

/** Lanes under the engine object that applies them. */
export interface Group {
  readonly name: string
  /** Places in `history.lanes`. */
  readonly lanes: readonly number[]
  readonly isOpen: boolean
  /** Nothing to set apart: its head would only take room. */
  readonly isHeadless: boolean
}

/** Up to so many lanes, everything is open. */
const ALL_OPEN = 60

const NOBODY = 'Applied by no engine'

/** Who applies a lane; a CronJob that only its own name stands for is applied by nobody. */
export function carrierOf({ appliedBy, kind, name }: Lane): string | undefined {
  return appliedBy === `${kind} ${name}` ? undefined : appliedBy
}

/** In the order of their first lane. One group alone is always open, however large it is. */
export function groupsOf({ lanes }: Pick<History, 'lanes'>): readonly Group[] {
  const places = new Map<string, number[]>()
  for (const [at, lane] of lanes.entries()) {
    const carrier = carrierOf(lane) ?? NOBODY
    const known = places.get(carrier)
    if (known === undefined) places.set(carrier, [at])
    else known.push(at)
  }
  const groups = [...places]
  const areSingle = groups.length > 2 && groups.every(([, { length }]) => length === 1)
  const isNobody = groups.length === 1 && groups[0]?.[0] === NOBODY
  const isOpen = lanes.length <= ALL_OPEN || groups.length === 1 || areSingle
  const isHeadless = areSingle || isNobody
  return groups.map(([name, lanes]) => ({ name, lanes, isOpen, isHeadless }))
}

export interface EventRow {
  readonly name: string
  /** The rows of the history that are shown in this one. */
  readonly sources: ReadonlySet<string>
  readonly happenings: readonly Happening[]
}

/** More rows of one kind than this are shown as one. */
const MANY_ROWS = 12

/**
 * Git first, the cluster last. Pods are a row together, and so are the many objects of a kind: but
 * for those that apply a lane, which people look for.
 */
export function eventRowsOf({
  happenings,
  lanes,
}: Pick<History, 'happenings' | 'lanes'>): readonly EventRow[] {
  const carriers = lanes.flatMap(({ appliedBy }) => appliedBy ?? [])
  const isCarrier = new Map<string, boolean>()
  const kinds = new Map<string, Set<string>>()
  for (const { row } of happenings) {
    if (isCarrier.has(row)) continue
    isCarrier.set(
      row,
      carriers.some((carrier) => carrier.endsWith(row)),
    )
    const kind = kindOf(row)
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(row))
  }
  const nameOf = (row: string): string => {
    const kind = kindOf(row)
    const isMerged =
      kind === 'Pod' || (isCarrier.get(row) !== true && (kinds.get(kind)?.size ?? 0) > MANY_ROWS)
    return isMerged && kind !== row ? `${kind}s` : row
  }
  const rows = new Map<string, { sources: Set<string>; happenings: Happening[] }>()
  for (const one of happenings) {
    const name = nameOf(one.row)
    const row = rows.get(name) ?? { sources: new Set(), happenings: [] }
    row.sources.add(one.row)
    row.happenings.push(one)
    rows.set(name, row)
  }
  return [...rows]
    .map(([name, row]) => ({ name, ...row }))
    .sort((one, other) => rank(one.name) - rank(other.name))
}

/** `Pod` of `Pod shop/migrate-x7`; a name without an object in it is its own. */
function kindOf(row: string): string {
  return /^(\S+) \S+$/.exec(row)?.[1] ?? row
}

function rank(row: string): number {
  return row === 'Git' ? 0 : row === 'Pods' ? 2 : row === 'cluster' ? 3 : 1
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
