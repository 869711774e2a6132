/** A run of completion indexes, both ends included. */
export interface Run {
  readonly first: number
  readonly last: number
}

/**
 * A set of completion indexes as runs in ascending order that neither touch nor overlap: the form of
 * `status.completedIndexes` and `failedIndexes`, short whatever the number of indexes.
 */
export type Indexes = readonly Run[]

export const NO_INDEXES: Indexes = []

export function countOf(indexes: Indexes): number {
  let count = 0
  for (const { first, last } of indexes) count += last - first + 1
  return count
}

export function hasIndex(indexes: Indexes, index: number): boolean {
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >> 1
    const run = indexes[middle]
    if (run !== undefined && run.last < index) low = middle + 1
    else high = middle
  }
  const run = indexes[low]
  return run !== undefined && run.first <= index
}

export function indexesOf(numbers: Iterable<number>): Indexes {
  const runs: { first: number; last: number }[] = []
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run !== undefined && number <= run.last + 1) run.last = Math.max(run.last, number)
    else runs.push({ first: number, last: number })
  }
  return runs
}

export function union(one: Indexes, other: Indexes): Indexes {
  if (other.length === 0) return one
  if (one.length === 0) return other
  const runs: { first: number; last: number }[] = []
  for (const { first, last } of [...one, ...other].sort((a, b) => a.first - b.first)) {
    const run = runs.at(-1)
    if (run !== undefined && first <= run.last + 1) run.last = Math.max(run.last, last)
    else runs.push({ first, last })
  }
  return runs
}

/** `0,2-4`; a run of two is written as two numbers. */
export function writeIndexes(indexes: Indexes): string {
  return indexes
    .map(({ first, last }) => {
      if (first === last) return String(first)
      return `${first}${last === first + 1 ? ',' : '-'}${last}`
    })
    .join(',')
}

/** Reads `0,2-4`; indexes from `completions` on are left out, and so is what is no number. */
export function readIndexes(text: string | undefined, completions: number): Indexes {
  if (text === undefined || text === '') return NO_INDEXES
  const runs: { first: number; last: number }[] = []
  for (const part of text.split(',')) {
    const [from = '', to] = part.split('-')
    const first = wholeNumber(from)
    if (first === undefined) continue
    if (first >= completions) break
    const end = to === undefined ? first : wholeNumber(to)
    if (end === undefined) continue
    const last = to === undefined ? end : Math.min(end, completions - 1)
    const run = runs.at(-1)
    if (run !== undefined && run.last === first - 1) run.last = last
    else runs.push({ first, last })
  }
  return runs
}

/** How many indexes both hold. */
export function overlap(one: Indexes, other: Indexes): number {
  let count = 0
  let at = 0
  let beside = 0
  for (;;) {
    const left = one[at]
    const right = other[beside]
    if (left === undefined || right === undefined) return count
    const shared = Math.min(left.last, right.last) - Math.max(left.first, right.first) + 1
    if (shared > 0) count += shared
    if (left.last <= right.last) at += 1
    if (right.last <= left.last) beside += 1
  }
}

/** The first `count` indexes below `completions` that `taken` does not hold. */
export function firstFree(taken: Indexes, count: number, completions: number): readonly number[] {
  const free: number[] = []
  let next = 0
  for (const { first, last } of taken) {
    while (next < first && next < completions && free.length < count) free.push(next++)
    next = Math.max(next, last + 1)
  }
  while (next < completions && free.length < count) free.push(next++)
  return free
}

function wholeNumber(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined
}
