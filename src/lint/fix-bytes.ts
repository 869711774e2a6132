import { at, isObject, type Path } from '../core/json.ts'
import type { Span } from '../core/source.ts'
import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB, isBlank } from '../core/yaml/bytes.ts'
import type { YamlDocument } from '../core/yaml/document.ts'

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

/** The last byte that is no blank; a value may end behind its last line. */
export function lastSign(bytes: Uint8Array, { start, end }: Span): number {
  let last = end - 1
  while (last > start && isBlank(bytes[last])) last -= 1
  return last
}

/** Spaces and tabs, or nothing. */
export function isBlankBetween(bytes: Uint8Array, start: number, end: number): boolean {
  for (let byte = start; byte < end; byte += 1) {
    if (bytes[byte] !== SPACE && bytes[byte] !== TAB) return false
  }
  return true
}

/** Blanks and line ends, or nothing. */
export function isWhite(bytes: Uint8Array, start: number, end: number): boolean {
  for (let byte = start; byte < end; byte += 1) if (!isBlank(bytes[byte])) return false
  return true
}

/** Of the entries of a mapping, as its readers take them, in the order of the file. */
export function startsOf(document: YamlDocument, path: Path): readonly number[] {
  const around = document.locate(path)?.value
  const value = at(document.value(), path)
  if (around === undefined || !isObject(value)) return []
  return Object.keys(value)
    .flatMap((key) => document.locate([...path, key])?.key?.start ?? [])
    .filter((start) => start >= around.start && start < around.end)
    .sort((one, other) => one - other)
}
