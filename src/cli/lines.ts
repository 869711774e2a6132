import { textOf, type Place, type Position, type Source } from '../core/source.ts'

/** Where a place begins and ends, for people and for machines. */
export interface Region {
  readonly path: string
  readonly start: Position
  /** Exclusive column, as SARIF counts. */
  readonly end: Position
}

/**
 * Lines and columns of many places. The line starts of a file are found once, when its first
 * place is asked for. Places must stand in outermost sources.
 */
export class Lines {
  private readonly starts = new Map<Source, Uint32Array>()

  region({ source, span }: Place): Region {
    const start = this.position(source, span.start)
    const end = this.position(source, Math.max(span.start, span.end))
    return { path: source.path, start, end }
  }

  position(source: Source, offset: number): Position {
    const starts = this.of(source)
    const stop = Math.min(offset, source.bytes.length)
    const line = lineOf(starts, stop)
    const lineStart = Math.min(starts[line] ?? 0, stop)
    const column = textOf(source, { start: lineStart, end: stop }).length + 1
    return { line: line + 1, column }
  }

  /** The text of a line (1-based) without its end; undefined after the last one. */
  text(source: Source, line: number): string | undefined {
    const starts = this.of(source)
    const start = starts[line - 1]
    if (start === undefined) return undefined
    const next = starts[line]
    const end = next === undefined ? source.bytes.length : next - 1
    return textOf(source, { start, end }).replace(/\r$/, '')
  }

  private of(source: Source): Uint32Array {
    const known = this.starts.get(source)
    if (known !== undefined) return known
    const starts = lineStarts(source.bytes)
    this.starts.set(source, starts)
    return starts
  }
}

/** Counted first: lists of numbers that grow would be most of the memory of a large report. */
function lineStarts(bytes: Uint8Array): Uint32Array {
  let lines = 1
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 10) lines += 1
  const starts = new Uint32Array(lines)
  starts[0] = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let line = 1
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    starts[line] = at + 1
    line += 1
  }
  return starts
}

function lineOf(starts: Uint32Array, offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
