/**
 * What `diff -u` says of two texts: with three lines of context, and empty when they are equal.
 * `git apply` and `patch -p1` take it.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  const steps = shortestSteps(old, now)
  const hunks = hunksOf(steps)
  return `--- a/${path}\n+++ b/${path}\n${hunks.map((hunk) => hunkText(hunk)).join('')}`
}

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
  /** Lines of either text before this one. */
  readonly old: number
  readonly now: number
}

/** Each line with its end, so that a missing one shows. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Myers' shortest edit, between the parts that both begin and end with. */
function shortestSteps(old: readonly string[], now: readonly string[]): readonly Step[] {
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  const most = Math.min(old.length, now.length) - head
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  const middle = myers(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  const steps: Step[] = []
  let before = { old: 0, now: 0 }
  const push = (sign: Step['sign'], line: string): void => {
    steps.push({ sign, line, ...before })
    const { old: olds, now: nows } = before
    before = { old: olds + (sign === '+' ? 0 : 1), now: nows + (sign === '-' ? 0 : 1) }
  }
  for (const line of old.slice(0, head)) push(' ', line)
  for (const { sign, line } of middle) push(sign, line)
  for (const line of old.slice(old.length - tail)) push(' ', line)
  return steps
}

type Edit = Pick<Step, 'sign' | 'line'>
/** By diagonal (old minus new): how many old lines are behind us. */
type Reach = ReadonlyMap<number, number>

function myers(old: readonly string[], now: readonly string[]): readonly Edit[] {
  const trail: Reach[] = []
  let reach: Reach = new Map([[1, 0]])
  for (let cost = 0; cost <= old.length + now.length; cost += 1) {
    trail.push(reach)
    const next = new Map(reach)
    for (let diagonal = -cost; diagonal <= cost; diagonal += 2) {
      let x = at(reach, cameFrom(diagonal, cost, reach))
      if (cameFrom(diagonal, cost, reach) < diagonal) x += 1
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1
      next.set(diagonal, x)
      if (x >= old.length && x - diagonal >= now.length) return backwards(trail, old, now)
    }
    reach = next
  }
  return []
}

/** The diagonal from which a step leads here: from above by a new line, from below by an old one. */
function cameFrom(diagonal: number, cost: number, reach: Reach): number {
  const isNew =
    diagonal === -cost || (diagonal !== cost && at(reach, diagonal - 1) < at(reach, diagonal + 1))
  return isNew ? diagonal + 1 : diagonal - 1
}

function at(reach: Reach, diagonal: number): number {
  return reach.get(diagonal) ?? -1
}

function backwards(
  trail: readonly Reach[],
  old: readonly string[],
  now: readonly string[],
): readonly Edit[] {
  const edits: Edit[] = []
  let x = old.length
  let y = now.length
  for (let cost = trail.length - 1; cost > 0; cost -= 1) {
    const reach = trail[cost] ?? new Map<number, number>()
    const from = cameFrom(x - y, cost, reach)
    const start = at(reach, from)
    for (; x > start && y > start - from; x -= 1, y -= 1) {
      edits.push({ sign: ' ', line: old[x - 1] ?? '' })
    }
    if (x === start) edits.push({ sign: '+', line: now[(y -= 1)] ?? '' })
    else edits.push({ sign: '-', line: old[(x -= 1)] ?? '' })
  }
  for (; x > 0; x -= 1) edits.push({ sign: ' ', line: old[x - 1] ?? '' })
  return edits.toReversed()
}

const CONTEXT = 3

function hunksOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const hunks: Step[][] = []
  let end = -1
  for (const [index, { sign }] of steps.entries()) {
    if (sign === ' ') continue
    const start = Math.max(0, index - CONTEXT)
    const stop = Math.min(steps.length, index + CONTEXT + 1)
    const open = hunks.at(-1)
    if (open !== undefined && start <= end) open.push(...steps.slice(end, Math.max(stop, end)))
    else hunks.push(steps.slice(start, stop))
    end = Math.max(end, stop)
  }
  return hunks
}

function hunkText(hunk: readonly Step[]): string {
  const [first] = hunk
  const olds = hunk.filter(({ sign }) => sign !== '+').length
  const nows = hunk.filter(({ sign }) => sign !== '-').length
  const range = (start: number, count: number): string =>
    `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
  const head = `@@ -${range(first?.old ?? 0, olds)} +${range(first?.now ?? 0, nows)} @@\n`
  return head + hunk.map(({ sign, line }) => sign + ended(line)).join('')
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`
}
