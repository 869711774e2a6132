import {
  CLOSE_LIST,
  CLOSE_MAP,
  DASH,
  LINE_FEED,
  OPEN_LIST,
  OPEN_MAP,
  QUESTION,
  SPACE,
  isBlank,
} from './bytes.ts'

/**
 * Where a text may nest deeper than `limit`, by brackets and indentation alone; -1 when it cannot.
 * Parsers that recurse without a limit of their own are asked only about what passes here.
 */
export function tooDeepAt(bytes: Uint8Array, start: number, end: number, limit: number): number {
  const columns: number[] = []
  let brackets = 0
  let isLineStart = true
  let column = 0
  for (let at = start; at < end; at += 1) {
    const code = bytes[at]
    if (code === OPEN_LIST || code === OPEN_MAP) brackets += 1
    else if (code === CLOSE_LIST || code === CLOSE_MAP) brackets = Math.max(brackets - 1, 0)
    if (code === LINE_FEED) {
      isLineStart = true
      column = 0
      continue
    }
    if (isLineStart && code !== SPACE) {
      while (columns.length > 0 && (columns.at(-1) as number) >= column) columns.pop()
      columns.push(column)
      // A dash or question mark opens one level, what follows it on the line another.
      isLineStart = (code === DASH || code === QUESTION) && isBlank(bytes[at + 1])
    }
    if (columns.length + brackets > limit) return at
    column += 1
  }
  return -1
}
