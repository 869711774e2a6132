import { codeFrame } from '../frame.ts'
import type { Problem } from '../problem.ts'
import { pad, printable, wrap } from '../words.ts'
import type { FormatContext } from './format.ts'

/** Problems for a terminal, ended by a line feed; empty when there are none. */
export function problemBlocks(
  problems: readonly Problem[],
  context: Pick<FormatContext, 'lines' | 'paint' | 'width'>,
): string {
  return problems.map((problem) => `${problemBlock(problem, context).join('\n')}\n`).join('')
}

function problemBlock(
  { code, what, why, remedy, place }: Problem,
  { lines, paint, width }: Pick<FormatContext, 'lines' | 'paint' | 'width'>,
): readonly string[] {
  const reading = Math.min(width, 120)
  const region = place === undefined ? undefined : lines.region(place)
  const at =
    region === undefined ? '' : `${region.path}:${region.start.line}:${region.start.column}`
  const frame =
    place === undefined
      ? []
      : codeFrame(place, lines, { paint, mark: paint.error, width, indent: 2 })
  return [
    [paint.error('problem'), code, paint.strong(printable(at))].join('  ').trimEnd(),
    ...wrap(printable(what), reading - 2).map((row) => `  ${paint.strong(row)}`),
    ...(frame.length === 0 ? [] : ['', ...frame, '']),
    ...labelled('why', why, reading),
    ...labelled('remedy', remedy, reading),
  ]

  function labelled(label: string, text: string, room: number): readonly string[] {
    return wrap(printable(text), room - 10).map((row, index) =>
      index === 0 ? `  ${paint.faint(pad(label, 8))}${row}` : `          ${row}`,
    )
  }
}
