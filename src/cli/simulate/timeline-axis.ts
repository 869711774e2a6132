import type { Instant } from '../../cluster/time.ts'
import { wallTime } from '../../simulate/tell/spans.ts'

/** Which column an instant falls into. */
export interface Scale {
  readonly start: Instant
  readonly end: Instant
  readonly columns: number
}

/** The line with its ticks, their times, and the time of the first column. */
export function axis(scale: Scale, ascii: boolean): readonly string[] {
  const { start, end, columns } = scale
  const [step, unit, name] = stepFor(end - start, columns)
  const line: string[] = Array.from({ length: columns }, () => (ascii ? '-' : '─'))
  let labels = ''
  for (let nth = 0; nth * step < end - start; nth += 1) {
    const column = Math.floor(((nth * step) / (end - start)) * columns)
    const text = nth === 0 ? '0' : `${Math.round((nth * step) / unit)}${name}`
    line[column] = ascii ? '+' : '┴'
    if (column + text.length <= columns) labels = labels.padEnd(column) + text
  }
  return [line.join(''), labels, `0 is ${wallTime(start)}`]
}

/** The finest of the steps that people count in whose labels keep a distance. */
function stepFor(span: number, columns: number): readonly [number, number, string] {
  for (const [unit, name, counts] of STEPS) {
    for (const count of counts) {
      const longest = `${Math.floor(span / unit)}${name}`.length
      const between = ((count * unit) / span) * columns
      if (between >= longest + ROOM) return [count * unit, unit, name]
    }
  }
  return [span, DAY, 'd']
}

const ROOM = 4
const DAY = 86_400_000

const STEPS: readonly (readonly [number, string, readonly number[]])[] = [
  [1000, 's', [1, 5, 10, 30]],
  [60_000, 'm', [1, 5, 10, 30]],
  [3_600_000, 'h', [1, 2, 3, 6, 12]],
  [DAY, 'd', [1, 2, 7, 14, 30, 60, 120, 365, 3650]],
]
