import { textOf, type Place, type Position, type Source } from '../core/source.ts'
import { LINE_FEED } from '../core/yaml/bytes.ts'

/** Where a place begins and ends, for people and for machines. */
export interface Region {
  readonly path: string
  readonly start: Position
  /** Exclusive column, as SARIF counts. */
  readonly end: Position
}

/**
 * Lines and columns of many places. A file is searched for line ends once, and only as far as
 * somebody asks. Places must stand in outermost sources.
 */
export class Lines {
  private readonly starts = new Map<Source, LineStarts>()

  region({ source, span }: Place): Region {
    const start = this.position(source, span.start)
    const end = this.position(source, Math.max(span.start, span.end))
    return { path: source.path, start, end }
  }

  position(source: Source, offset: number): Position {
    const starts = this.of(source)
    const stop = Math.min(offset, source.bytes.length)
    const line = starts.lineOf(stop)
    const lineStart = Math.min(starts.at(line) ?? 0, stop)
    return { line: line + 1, column: unitsBetween(source, lineStart, stop) + 1 }
  }

  /** The text of a line (1-based) without its end; undefined after the last one. */
  text(source: Source, line: number): string | undefined {
    const starts = this.of(source)
    const start = starts.at(line - 1)
    if (start === undefined) return undefined
    const next = starts.at(line)
    const end = next === undefined ? source.bytes.length : next - 1
    return textOf(source, { start, end }).replace(/\r$/, '')
  }

  private of(source: Source): LineStarts {
    const known = this.starts.get(source)
    if (known !== undefined) return known
    const starts = new LineStarts(source.bytes)
    this.starts.set(source, starts)
    return starts
  }
}

/** Of UTF-16; most lines are plain ASCII, which need not be made text for it. */
function unitsBetween(source: Source, start: number, end: number): number {
  const { bytes } = source
  for (let at = start; at < end; at += 1) {
    if ((bytes[at] ?? 0) > 127) return textOf(source, { start, end }).length
  }
  return end - start
}

/** Lines are counted from 0 here. */
class LineStarts {
  private readonly bytes: Uint8Array
  /** Typed, because lists of numbers would be most of the memory of a large report. */
  private starts = new Uint32Array(FIRST_LINES)
  private count = 1
  /** All line ends before this byte are known. */
  private searched = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.starts[0] = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  }

  /** Where a line starts; undefined after the last one. */
  at(line: number): number | undefined {
    while (line >= this.count && this.searched < this.bytes.length) {
      this.search(this.searched + STRIDE_BYTES)
    }
    return line < this.count ? this.starts[line] : undefined
  }

  lineOf(offset: number): number {
    this.search(offset)
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  private search(end: number): void {
    const { bytes } = this
    const stop = Math.min(end, bytes.length)
    for (let at = this.searched; at < stop; at += 1) if (bytes[at] === LINE_FEED) this.add(at + 1)
    this.searched = Math.max(this.searched, stop)
  }

  private add(start: number): void {
    if (this.count === this.starts.length) {
      const larger = new Uint32Array(this.count * 2)
      larger.set(this.starts)
      this.starts = larger
    }
    this.starts[this.count] = start
    this.count += 1
  }
}

const FIRST_LINES = 64
const STRIDE_BYTES = 4096
