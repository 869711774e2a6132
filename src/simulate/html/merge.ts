/** Marks that stand too close to be told apart are drawn as one, with their number. */
export interface Cluster {
  /** Places in the list that was given, both inclusive. */
  readonly first: number
  readonly last: number
  /** From the first mark's place to the last one's. */
  readonly from: number
  readonly to: number
}

/**
 * `places` in ascending order, in pixels; a mark joins its neighbour when it is nearer than `room`.
 * With a width, clusters wholly outside of it are left out, but none is ever cut: what is drawn at
 * one edge does not change while the view moves.
 */
export function clusters(
  places: readonly number[],
  room: number,
  width?: number,
): readonly Cluster[] {
  const found: Cluster[] = []
  let first = 0
  for (let at = 1; at <= places.length; at += 1) {
    const here = places[at]
    const before = places[at - 1] ?? 0
    if (here !== undefined && here - before < room) continue
    const from = places[first] ?? 0
    const isSeen = width === undefined || (before > -room && from < width + room)
    if (isSeen) found.push({ first, last: at - 1, from, to: before })
    first = at
  }
  return found
}

/**
 * The strongest of the values that fall into each of `bins` equal parts, as runs of equal parts:
 * one failure among a thousand successes stays visible.
 */
export function strongest<Value>(
  items: readonly { readonly part: number; readonly value: Value }[],
  bins: number,
  strength: (value: Value) => number,
): readonly { readonly from: number; readonly to: number; readonly value: Value }[] {
  const held: (Value | undefined)[] = Array.from({ length: bins })
  for (const { part, value } of items) {
    const at = Math.min(Math.max(Math.floor(part * bins), 0), bins - 1)
    const other = held[at]
    if (other === undefined || strength(value) > strength(other)) held[at] = value
  }
  const stretches: { from: number; to: number; value: Value }[] = []
  for (const [at, value] of held.entries()) {
    if (value === undefined) continue
    const open = stretches.at(-1)
    if (open !== undefined && open.to === at && open.value === value) open.to = at + 1
    else stretches.push({ from: at, to: at + 1, value })
  }
  return stretches.map(({ from, to, value }) => ({ from: from / bins, to: to / bins, value }))
}
