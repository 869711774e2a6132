import {
  CARRIAGE_RETURN,
  CLOSE_LIST,
  CLOSE_MAP,
  COLON,
  COMMA,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  LINE_FEED,
  OPEN_LIST,
  OPEN_MAP,
  SINGLE_QUOTE,
  SPACE,
} from './bytes.ts'
import { ScalarScanner } from './scalar-scanner.ts'
import { HAND_BACK, TOO_DEEP } from './scanner.ts'
import { DOUBLE, LIST, MAP, PLAIN, SINGLE } from './tape.ts'

/**
 * Flow collections, `[a, b]` and `{a: b}`, over one or more lines. Each scalar stands on one line.
 * Go's scanner does not look at the indentation inside them, so neither does this.
 */
export class FlowScanner extends ScalarScanner {
  protected depthLimit = 250

  /** At `[` or `{`; leaves `at` behind the closing one. */
  protected flowCollection(depth: number): void {
    if (depth > this.depthLimit) throw TOO_DEEP
    if (this.bytes[this.at] === OPEN_LIST) this.flowList(depth)
    else this.flowMap(depth)
  }

  private flowList(depth: number): void {
    const list = this.tape.add(LIST, this.at, 0, 0)
    this.at += 1
    this.flowSpace()
    while (this.bytes[this.at] !== CLOSE_LIST) {
      this.flowNode(depth)
      this.flowSpace()
      this.flowComma(CLOSE_LIST)
    }
    this.at += 1
    this.valueEnd = this.at
    this.tape.close(list, this.at)
  }

  private flowMap(depth: number): void {
    const map = this.tape.add(MAP, this.at, 0, 0)
    this.at += 1
    this.flowSpace()
    while (this.bytes[this.at] !== CLOSE_MAP) {
      this.flowKey()
      this.flowSpace()
      this.flowNode(depth)
      this.flowSpace()
      this.flowComma(CLOSE_MAP)
    }
    this.at += 1
    this.valueEnd = this.at
    this.tape.close(map, this.at)
  }

  private flowComma(close: number): void {
    const code = this.bytes[this.at]
    if (code === COMMA) {
      this.at += 1
      this.flowSpace()
    } else if (code !== close) throw HAND_BACK
  }

  private flowKey(): void {
    const { bytes } = this
    const start = this.at
    const code = bytes[start]
    const isQuoted = code === DOUBLE_QUOTE || code === SINGLE_QUOTE
    const node = this.tape.length
    const textEnd = this.flowScalar(start)
    this.tape.markKey(node)
    this.checkKey(start, textEnd)
    if (isQuoted && this.hasBreaks) throw HAND_BACK
    let at = this.at
    while (bytes[at] === SPACE) at += 1
    if (bytes[at] !== COLON) throw HAND_BACK
    // Only after quotes may the value follow the colon at once: `{"a":1}`.
    if (!isQuoted && !this.isSpaceOrBreak(at + 1)) throw HAND_BACK
    this.at = at + 1
  }

  private flowNode(depth: number): void {
    if (this.at >= this.end) throw HAND_BACK
    const code = this.bytes[this.at]
    if (code === OPEN_LIST || code === OPEN_MAP) this.flowCollection(depth + 1)
    else this.flowScalar(this.at)
  }

  /** Adds the scalar to the tape, returns the end of its text, and leaves `at` behind it. */
  private flowScalar(start: number): number {
    const code = this.bytes[start]
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      this.at = this.quoted(start)
      this.tape.add(code === DOUBLE_QUOTE ? DOUBLE : SINGLE, start, this.at, this.hasBreaks ? 1 : 0)
      return this.at
    }
    const textEnd = this.flowPlain(start)
    this.tape.add(PLAIN, start, textEnd, 0)
    return textEnd
  }

  private flowPlain(from: number): number {
    const { bytes, end } = this
    if (from >= end || !startsFlowPlain(bytes[from] as number, bytes[from + 1])) throw HAND_BACK
    let at = from
    let textEnd = from
    while (at < end) {
      const code = bytes[at] as number
      const kind = FLOW_CLASS[code]
      if (kind === 0) {
        at += 1
        textEnd = at
      } else if (code === SPACE) {
        at += 1
      } else if (code >= 128) {
        this.hasHigh = true
        at += 1
        textEnd = at
      } else if (code === COLON) {
        if (this.isSpaceOrBreak(at + 1)) break
        if (bytes[at - 1] === SPACE || isFlowIndicator(bytes[at + 1])) throw HAND_BACK
        at += 1
        textEnd = at
      } else if (code === HASH && bytes[at - 1] !== SPACE) {
        at += 1
        textEnd = at
      } else if (code === COMMA || code === CLOSE_LIST || code === CLOSE_MAP || code === HASH) {
        break
      } else if (code === LINE_FEED || (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED)) {
        break
      } else throw HAND_BACK
    }
    this.at = at
    return textEnd
  }

  /** Blanks, line ends and comments between the parts. */
  private flowSpace(): void {
    const { bytes, end } = this
    let at = this.at
    while (at < end) {
      const code = bytes[at]
      if (code === SPACE) at += 1
      else if (code === LINE_FEED) {
        at += 1
        this.lineStart = at
      } else if (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) at += 1
      else if (code === HASH) {
        if (bytes[at - 1] !== SPACE && bytes[at - 1] !== LINE_FEED) throw HAND_BACK
        at = this.lineStop(at)
      } else break
    }
    if (at >= end || this.isMarker(at)) throw HAND_BACK
    this.at = at
  }
}

function startsFlowPlain(code: number, next: number | undefined): boolean {
  if (code === DASH) return next !== undefined && next > SPACE && !isFlowIndicator(next)
  return PLAIN_START[code] === 1
}

function isFlowIndicator(code: number | undefined): boolean {
  return (
    code === COMMA ||
    code === OPEN_LIST ||
    code === CLOSE_LIST ||
    code === OPEN_MAP ||
    code === CLOSE_MAP
  )
}

const FLOW_CLASS = flowClasses()

/** Bytes that may start a plain scalar whatever follows. */
export const PLAIN_START: Uint8Array = plainStarts()

function flowClasses(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(1, 0, 33)
  table.fill(1, 127)
  for (const letter of ':#,[]{}?') table[letter.charCodeAt(0)] = 1
  return table
}

function plainStarts(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(1, 33)
  table[127] = 0
  for (const letter of '-?:,[]{}#&*!|>\'"%@`') table[letter.charCodeAt(0)] = 0
  return table
}
