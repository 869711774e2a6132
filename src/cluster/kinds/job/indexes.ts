import { goQuote } from '../../api/go-text.ts'

type Interval = readonly [from: number, to: number]

/** How many indexes a text such as `1,3-5` names, or what is wrong with it. */
export function readIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let last: number | undefined
  let total = 0
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return interval
    const [from, to] = interval
    if (last !== undefined && last >= from) {
      return `non-increasing order, previous: ${last}, current: ${from}`
    }
    total += to - from + 1
    last = to
  }
  return total
}

function readInterval(text: string, completions: number): Interval | string {
  const parts = text.split('-')
  if (parts.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  const numbers: number[] = []
  for (const part of parts) {
    if (!/^[+-]?\d{1,18}$/.test(part)) {
      return `cannot convert string to integer for index: ${goQuote(part)}`
    }
    if (Number(part) >= completions) return `too large index: ${goQuote(part)}`
    numbers.push(Number(part))
  }
  const [from = 0, to = from] = numbers
  if (parts.length > 1 && from >= to) {
    return `non-increasing order, previous: ${from}, current: ${to}`
  }
  return [from, to]
}

/** An index that both texts name; text that cannot be read is passed over. */
export function firstOverlap(
  completed: string,
  failed: string,
  completions: number,
): number | undefined {
  if (completed === '' || failed === '') return undefined
  const intervals = (text: string): readonly Interval[] =>
    text
      .split(',')
      .map((part) => readInterval(part, completions))
      .filter((interval) => typeof interval !== 'string')
  const [ones, others] = [intervals(completed), intervals(failed)]
  let [one, other] = [0, 0]
  for (;;) {
    const [a, b] = [ones[one], others[other]]
    if (a === undefined || b === undefined) return undefined
    if (a[0] <= b[1] && b[0] <= a[1]) return Math.max(a[0], b[0])
    if (a[0] <= b[0]) one += 1
    else other += 1
  }
}
