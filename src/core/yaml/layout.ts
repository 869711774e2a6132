import { CARRIAGE_RETURN, COLON, LINE_FEED, SPACE, TAB } from './bytes.ts'

/** The byte at which the line that holds `at` begins; a byte order mark is no part of it. */
export function lineStart(bytes: Uint8Array, at: number): number {
  const start = at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1
  const hasMark = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark ? 3 : start
}

/** How the line at `at` ends; a last line without an end follows the line before it. */
export function lineBreakAt(bytes: Uint8Array, at: number): '\n' | '\r\n' {
  const next = bytes.indexOf(LINE_FEED, at)
  const feed = next >= 0 ? next : bytes.lastIndexOf(LINE_FEED, at)
  return feed > 0 && bytes[feed - 1] === CARRIAGE_RETURN ? '\r\n' : '\n'
}

/** Spaces and tabs, or nothing. */
export function isBlankBetween(bytes: Uint8Array, start: number, end: number): boolean {
  for (let byte = start; byte < end; byte += 1) {
    if (bytes[byte] !== SPACE && bytes[byte] !== TAB) return false
  }
  return true
}

/** Behind the colon of a key that ends at `keyEnd`; undefined where no colon follows. */
export function behindColon(bytes: Uint8Array, keyEnd: number): number | undefined {
  let at = keyEnd
  while (bytes[at] === SPACE) at += 1
  return bytes[at] === COLON ? at + 1 : undefined
}
