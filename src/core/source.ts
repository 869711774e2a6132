/**
 * A file, a stream, or text that stands inside another file (a ResourceSet's resourcesTemplate).
 * Offsets everywhere are bytes into `bytes`; lines and columns are computed only when asked.
 */
export interface Source {
  /** As the user named it, `/` between folders; `<stdin>` for a stream. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Set for text inside another source: where each of its bytes stands there. */
  readonly outer?: { readonly source: Source; readonly offsetOf: (offset: number) => number }
}

/** Half open, in bytes. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** 1-based; columns in UTF-16 units, as SARIF and editors count. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A place in a source that a person can open. */
export interface Place {
  readonly source: Source
  readonly span: Span
}

const LINE_FEED = 10
const decoder = new TextDecoder()

/** Leads a place in embedded text out to the file that holds it. */
export function outermost(place: Place): Place {
  let { source, span } = place
  while (source.outer !== undefined) {
    const { offsetOf } = source.outer
    const start = offsetOf(span.start)
    span = { start, end: span.end > span.start ? offsetOf(span.end - 1) + 1 : start }
    source = source.outer.source
  }
  return { source, span }
}

/** Line and column of a byte offset in an outermost source. */
export function positionOf(source: Source, offset: number): Position {
  const { bytes } = source
  const stop = Math.min(offset, bytes.length)
  let line = 1
  let lineStart = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0
  for (
    let at = bytes.indexOf(LINE_FEED);
    at >= 0 && at < stop;
    at = bytes.indexOf(LINE_FEED, at + 1)
  ) {
    line += 1
    lineStart = at + 1
  }
  const column = decoder.decode(bytes.subarray(Math.min(lineStart, stop), stop)).length + 1
  return { line, column }
}

/** The text of a span, read as UTF-8 (an invalid byte becomes U+FFFD). */
export function textOf(source: Source, span: Span): string {
  return decoder.decode(source.bytes.subarray(span.start, span.end))
}

/** The text of line `line` (1-based) without its line end. */
export function lineText(source: Source, line: number): string {
  const { bytes } = source
  let start = 0
  for (let seen = 1; seen < line; seen += 1) {
    const end = bytes.indexOf(LINE_FEED, start)
    if (end < 0) return ''
    start = end + 1
  }
  const end = bytes.indexOf(LINE_FEED, start)
  return decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end)).replace(/\r$/, '')
}
