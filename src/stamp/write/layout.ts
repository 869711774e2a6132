import { LINE_FEED, lineEnd } from '../../core/yaml/bytes.ts'
import { isBlankBetween, lineBreakAt, lineStart } from '../../core/yaml/layout.ts'

/** Bytes from the start of the line to `at`. */
export function columnOf(bytes: Uint8Array, at: number): number {
  return at - lineStart(bytes, at)
}

/** Lines to be put behind the line at `at`: as text, and where. */
export function linesAfter(
  bytes: Uint8Array,
  at: number,
  lines: readonly string[],
): { readonly at: number; readonly text: string } {
  const end = lineEnd(bytes, at)
  const br = lineBreakAt(bytes, at)
  const isEnded = end > 0 && bytes[end - 1] === LINE_FEED
  return isEnded
    ? { at: end, text: lines.map((line) => `${line}${br}`).join('') }
    : { at: end, text: lines.map((line) => `${br}${line}`).join('') }
}

/** The blanks at the start of the line that holds `at`; undefined when more stands before it. */
export function indentBefore(bytes: Uint8Array, at: number): string | undefined {
  const start = lineStart(bytes, at)
  if (!isBlankBetween(bytes, start, at)) return undefined
  return String.fromCharCode(...bytes.subarray(start, at))
}

export function holdsBreak(bytes: Uint8Array, start: number, end: number): boolean {
  const feed = bytes.indexOf(LINE_FEED, start)
  return feed >= 0 && feed < end
}
