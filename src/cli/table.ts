import { pad, shorten, widthOf } from './words.ts'

export interface Column {
  readonly title: string
  /** May be cut in the middle when the table is wider than the terminal; others never. */
  readonly flexible?: boolean
  /** How a cell of a flexible column is cut; its middle goes when this is left out. */
  readonly shorten?: (text: string, width: number) => string
  /** Colours a cell after it has been cut and padded. */
  readonly paint?: (shown: string, row: number) => string
}

/**
 * A table that never wraps: flexible columns give way, the widest first, down to a few columns
 * each. Cells must be printable text without colours.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: { readonly width: number; readonly paintTitle: (text: string) => string },
): readonly string[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? ''))),
  )
  const gutters = GUTTER.length * columns.length
  shrink(widths, columns, options.width - gutters)
  const line = (cells: readonly string[], brush: Column['paint'][], row: number): string =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0
        const cut = columns[at]?.shorten ?? shorten
        const shown = pad(widthOf(cell) > width ? cut(cell, width) : cell, width)
        return GUTTER + (brush[at]?.(shown, row) ?? shown)
      })
      .join('')
      .trimEnd()
  const titles = line(
    columns.map(({ title }) => title),
    columns.map(() => options.paintTitle),
    -1,
  )
  return [
    titles,
    ...rows.map((row, at) =>
      line(
        row,
        columns.map(({ paint }) => paint),
        at,
      ),
    ),
  ]
}

const GUTTER = '  '
const NARROWEST = 10

function shrink(widths: number[], columns: readonly Column[], room: number): void {
  const flexible = [...columns.keys()].filter((at) => columns[at]?.flexible === true)
  let excess = widths.reduce((sum, width) => sum + width, 0) - room
  while (excess > 0) {
    const widest = flexible.reduce<number | undefined>(
      (best, at) => (best === undefined || (widths[at] ?? 0) > (widths[best] ?? 0) ? at : best),
      undefined,
    )
    if (widest === undefined || (widths[widest] ?? 0) <= NARROWEST) return
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
}
