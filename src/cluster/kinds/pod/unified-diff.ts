/** A change as `diff -u` shows it, without file names: what a refused pod update ends with. */
export function unifiedDiff(before: string, after: string): string {
  const one = before.split('\n')
  const other = after.split('\n')
  return groupsOf(changesOf(one, other))
    .map((group) => groupText(group, one, other))
    .join('')
}

interface Block {
  readonly one: number
  readonly other: number
  readonly size: number
}

/** Lines one..oneEnd became lines other..otherEnd; equal when `same`. */
interface Change {
  readonly same: boolean
  readonly one: number
  readonly oneEnd: number
  readonly other: number
  readonly otherEnd: number
}

const CONTEXT = 3
/** In long texts a line that comes this often starts no match. */
const LONG = 200

function changesOf(one: readonly string[], other: readonly string[]): readonly Change[] {
  const changes: Change[] = []
  let [i, j] = [0, 0]
  for (const block of [...blocksOf(one, other), endOf(one, other)]) {
    if (i < block.one || j < block.other) {
      changes.push({ same: false, one: i, oneEnd: block.one, other: j, otherEnd: block.other })
    }
    ;[i, j] = [block.one + block.size, block.other + block.size]
    if (block.size > 0) {
      changes.push({ same: true, one: block.one, oneEnd: i, other: block.other, otherEnd: j })
    }
  }
  return changes
}

function endOf(one: readonly string[], other: readonly string[]): Block {
  return { one: one.length, other: other.length, size: 0 }
}

/** The longest common run of lines, and the same left and right of it. */
function blocksOf(one: readonly string[], other: readonly string[]): readonly Block[] {
  const places = placesOf(other)
  const within = (from: Block, to: Block): readonly Block[] => {
    const block = longest(one, other, places, from, to)
    if (block.size === 0) return []
    const after = { ...block, one: block.one + block.size, other: block.other + block.size }
    return [...within(from, block), block, ...within(after, to)]
  }
  return joined(within({ one: 0, other: 0, size: 0 }, endOf(one, other)))
}

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  lines.forEach((line, at) => places.set(line, [...(places.get(line) ?? []), at]))
  if (lines.length < LONG) return places
  const most = Math.floor(lines.length / 100) + 1
  return new Map([...places].filter(([, found]) => found.length <= most))
}

function longest(
  one: readonly string[],
  other: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  from: Block,
  to: Block,
): Block {
  let best: Block = { one: from.one, other: from.other, size: 0 }
  let lengths = new Map<number, number>()
  for (let i = from.one; i < to.one; i += 1) {
    const next = new Map<number, number>()
    for (const j of places.get(one[i] ?? '') ?? []) {
      if (j < from.other || j >= to.other) continue
      const size = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > best.size) best = { one: i - size + 1, other: j - size + 1, size }
    }
    lengths = next
  }
  let { one: start, other: otherStart, size } = best
  while (start > from.one && otherStart > from.other && one[start - 1] === other[otherStart - 1]) {
    start -= 1
    otherStart -= 1
    size += 1
  }
  while (
    start + size < to.one &&
    otherStart + size < to.other &&
    one[start + size] === other[otherStart + size]
  ) {
    size += 1
  }
  return { one: start, other: otherStart, size }
}

function joined(blocks: readonly Block[]): readonly Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    const adjoins =
      last !== undefined &&
      last.one + last.size === block.one &&
      last.other + last.size === block.other
    if (adjoins) result[result.length - 1] = { ...last, size: last.size + block.size }
    else result.push(block)
  }
  return result
}

function groupsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = []
  let group: Change[] = []
  changes.forEach((change, at) => {
    const isFirst = at === 0
    const isLast = at === changes.length - 1
    if (!change.same) return group.push(change)
    const length = change.oneEnd - change.one
    if (!isFirst && (isLast || length > 2 * CONTEXT)) group.push(head(change))
    if (!isFirst && !isLast && length > 2 * CONTEXT) {
      groups.push(group)
      group = []
    }
    if (isLast) return undefined
    return group.push(isFirst || length > 2 * CONTEXT ? tail(change) : change)
  })
  if (group.some(({ same }) => !same)) groups.push(group)
  return groups
}

function head(change: Change): Change {
  const size = Math.min(CONTEXT, change.oneEnd - change.one)
  return { ...change, oneEnd: change.one + size, otherEnd: change.other + size }
}

function tail(change: Change): Change {
  const size = Math.min(CONTEXT, change.oneEnd - change.one)
  return { ...change, one: change.oneEnd - size, other: change.otherEnd - size }
}

function groupText(
  group: readonly Change[],
  one: readonly string[],
  other: readonly string[],
): string {
  const first = group[0]
  const last = group.at(-1)
  if (first === undefined || last === undefined) return ''
  const ranges = `-${range(first.one, last.oneEnd)} +${range(first.other, last.otherEnd)}`
  const lines = group.flatMap((change) => {
    const old = one.slice(change.one, change.oneEnd)
    if (change.same) return old.map((line) => ` ${line}`)
    const added = other.slice(change.other, change.otherEnd)
    return [...old.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  })
  return [`@@ ${ranges} @@`, ...lines].map((line) => `${line}\n`).join('')
}

function range(start: number, stop: number): string {
  const length = stop - start
  if (length === 1) return `${start + 1}`
  return `${length === 0 ? start : start + 1},${length}`
}
