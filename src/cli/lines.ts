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
  private readonly starts = new Map<Source, readonly number[]>()

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

  private of(source: Source): readonly number[] {
    const known = this.starts.get(source)
    if (known !== undefined) return known
    const { bytes } = source
    const starts = [bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0]
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
    this.starts.set(source, starts)
    return starts
  }
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
