import type { Happening, History } from '../history/history.ts'

/** Rounds beyond this number are told as stretches. */
const MANY_HAPPENINGS = 30_000
const STRETCHES = 600

/** An engine that looks every minute for a year says nothing new each time: its rounds are joined. */
export function thinned({ start, end, happenings }: History): readonly Happening[] {
  if (happenings.length <= MANY_HAPPENINGS) return happenings
  const width = Math.max((end - start) / STRETCHES, 1)
  const open = new Map<string, { at: number; last: number; count: number; words: string }>()
  const kept: Happening[] = []
  const close = (row: string): void => {
    const stretch = open.get(row)
    if (stretch === undefined) return
    const { at, last, count, words } = stretch
    const told = count === 1 ? { at } : { at, until: last }
    kept.push({ ...told, row, kind: 'round', words: count === 1 ? words : `${count} rounds` })
    open.delete(row)
  }
  for (const one of happenings) {
    if (one.kind !== 'round' || one.until !== undefined) {
      kept.push(one)
      continue
    }
    const stretch = open.get(one.row)
    if (stretch !== undefined && one.at - stretch.at < width) {
      stretch.last = one.at
      stretch.count += 1
      continue
    }
    close(one.row)
    open.set(one.row, { at: one.at, last: one.at, count: 1, words: one.words })
  }
  for (const row of open.keys()) close(row)
  return kept.sort((one, other) => one.at - other.at)
}
