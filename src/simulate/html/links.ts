import type { Happening, History, JobLife, Lane } from '../history/history.ts'

/** What a run hangs on, to be joined with it by thin lines. */
export interface Links {
  /** Events that stand in its cause chain. */
  readonly happenings: readonly Happening[]
  /** The life whose end made room for this one: its place in the lane. */
  readonly before?: number
}

const MOST = 8

/**
 * The events at the instants of the cause chain that belong to the run: of Git, of what applies the
 * lane, or about the Job itself. Other engines may have worked at the same instant by chance.
 */
export function linksOf(lane: Lane, at: number, { happenings }: History): Links {
  const life = lane.lives[at]
  if (life === undefined) return { happenings: [] }
  const found = new Set<Happening>()
  for (const instant of new Set(life.created.map((step) => step.at))) {
    for (let place = firstAt(happenings, instant); happenings[place]?.at === instant; place += 1) {
      const one = happenings[place]
      if (one !== undefined && belongs(one, lane, life)) found.add(one)
    }
  }
  const before = lane.lives[at - 1]
  const isFollowed =
    before?.deletedAt !== undefined &&
    before.deletedAt <= life.createdAt &&
    (life.cause === 'restored' || life.cause === 'replaced' || life.cause === 'retried')
  return {
    happenings: [...found].slice(0, MOST),
    ...(isFollowed ? { before: at - 1 } : {}),
  }
}

function belongs({ row, object, kind }: Happening, lane: Lane, life: JobLife): boolean {
  if (kind === 'outage') return false
  if (row === 'Git') return true
  if (lane.appliedBy?.endsWith(row) === true) return true
  return object === `Job ${life.namespace}/${life.name}`
}

/** The first place whose instant is not before `at`. */
export function firstAt(happenings: readonly Happening[], at: number): number {
  let low = 0
  let high = happenings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((happenings[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
