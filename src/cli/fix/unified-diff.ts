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

type Step =
  | { readonly sign: ' '; readonly line: string; readonly old: number; readonly now: number }
  | { readonly sign: '-' | '+'; readonly line: string; readonly old: number; readonly now: number }

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
  let at = { old: 0, now: 0 }
  const push = (sign: Step['sign'], line: string): void => {
    steps.push({ sign, line, ...at })
    at = { old: at.old + (sign === '+' ? 0 : 1), now: at.now + (sign === '-' ? 0 : 1) }
  }
  for (const line of old.slice(0, head)) push(' ', line)
  for (const { sign, line } of middle) push(sign, line)
  for (const line of old.slice(old.length - tail)) push(' ', line)
  return steps
}

type Edit = Pick<Step, 'sign' | 'line'>

function myers(old: readonly string[], now: readonly string[]): readonly Edit[] {
  const trail: Map<number, number>[] = []
  let far = new Map<number, number>([[1, 0]])
  for (let cost = 0; cost <= old.length + now.length; cost += 1) {
    trail.push(far)
    const next = new Map(far)
    for (let slope = -cost; slope <= cost; slope += 2) {
      let x = startOn(slope, cost, far)
      while (x < old.length && x - slope < now.length && old[x] === now[x - slope]) x += 1
      next.set(slope, x)
      if (x >= old.length && x - slope >= now.length) return backwards(trail, old, now)
    }
    far = next
  }
  return []
}

/** Where the way on a diagonal begins: one step down from the one above, or right from below. */
function startOn(slope: number, cost: number, far: ReadonlyMap<number, number>): number {
  const above = far.get(slope + 1) ?? -1
  const below = far.get(slope - 1) ?? -1
  return slope === -cost || (slope !== cost && below < above) ? above : below + 1
}

function backwards(
  trail: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  now: readonly string[],
): readonly Edit[] {
  const steps: Edit[] = []
  let x = old.length
  let y = now.length
  for (let cost = trail.length - 1; cost > 0; cost -= 1) {
    const far = trail[cost] ?? new Map<number, number>()
    const slope = x - y
    const start = startOn(slope, cost, far)
    while (x > start && y > start - slope) {
      steps.push({ sign: ' ', line: old[--x] ?? '' })
      y -= 1
    }
    const isDown = start === (far.get(slope + 1) ?? -1) && x === start && y > 0 && isInsert(slope, cost, far)
    if (isDown) steps.push({ sign: '+', line: now[--y] ?? '' })
    else steps.push({ sign: '-', line: old[--x] ?? '' })
  }
  while (x > 0) {
    steps.push({ sign: ' ', line: old[--x] ?? '' })
  }
  return steps.reverse()
}

function isInsert(slope: number, cost: number, far: ReadonlyMap<number, number>): boolean {
  const above = far.get(slope + 1) ?? -1
  const below = far.get(slope - 1) ?? -1
  return slope === -cost || (slope !== cost && below < above)
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
