import type { Span } from '../source.ts'
import {
  DOT,
  HASH,
  bytesOf,
  findBytes,
  firstContent,
  isBlank,
  lineEnd,
  startsWithAt,
} from './bytes.ts'

/** The bytes of one document of a stream, without its separator line. */
export interface Chunk extends Span {
  /** What stands behind `---` on the separator line before it, if that is not a comment. */
  readonly illegal?: Span
}

const DASHES = bytesOf('---')
const SEPARATOR = bytesOf('\n---')

/**
 * Splits a stream as Kubernetes does: at each line that starts with `---`, whatever YAML makes of
 * the place. Chunks with nothing but blanks and comments are no documents.
 */
export function splitStream(bytes: Uint8Array, from: number): readonly Chunk[] {
  const chunks: Chunk[] = []
  let start = from
  let illegal: Span | undefined
  for (
    let separator = nextSeparator(bytes, from, true);
    separator >= 0;
    separator = nextSeparator(bytes, start, true)
  ) {
    pushChunk(chunks, bytes, start, separator, illegal)
    illegal = illegalTail(bytes, separator + 3)
    start = lineEnd(bytes, separator)
    if (illegal !== undefined && isBlank(bytes[separator + 3])) {
      // YAML itself allows the document to start here.
      start = separator + 3
      const stop = nextSeparator(bytes, start, false)
      pushChunk(chunks, bytes, start, stop < 0 ? bytes.length : stop, illegal)
      illegal = undefined
      if (stop < 0) return chunks
      start = stop
    }
  }
  pushChunk(chunks, bytes, start, bytes.length, illegal)
  return chunks
}

/** Where a `...` line ends the document early; -1 when none does. */
export function documentEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let line = start; line < end; line = lineEnd(bytes, line)) {
    if (
      bytes[line] === DOT &&
      bytes[line + 1] === DOT &&
      bytes[line + 2] === DOT &&
      (line + 3 >= end || isBlank(bytes[line + 3]))
    ) {
      return line
    }
  }
  return -1
}

function nextSeparator(bytes: Uint8Array, from: number, atLineStart: boolean): number {
  if (atLineStart && startsWithAt(bytes, DASHES, from)) return from
  // The line end before `from` counts when `from` starts a line.
  const found = findBytes(bytes, SEPARATOR, atLineStart ? Math.max(from - 1, 0) : from)
  return found < 0 ? -1 : found + 1
}

function illegalTail(bytes: Uint8Array, from: number): Span | undefined {
  const end = lineEnd(bytes, from)
  let start = from
  while (start < end && isBlank(bytes[start])) start += 1
  if (start >= end || bytes[start] === HASH) return undefined
  let stop = end
  while (isBlank(bytes[stop - 1])) stop -= 1
  return { start, end: stop }
}

function pushChunk(
  chunks: Chunk[],
  bytes: Uint8Array,
  start: number,
  end: number,
  illegal: Span | undefined,
): void {
  if (illegal === undefined && firstContent(bytes, start, end) >= end) return
  chunks.push(illegal === undefined ? { start, end } : { start, end, illegal })
}
