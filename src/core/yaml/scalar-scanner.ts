import {
  BACKSLASH,
  CARRIAGE_RETURN,
  DASH,
  DOT,
  DOUBLE_QUOTE,
  LINE_FEED,
  NINE,
  PIPE,
  PLUS,
  SINGLE_QUOTE,
  SPACE,
  ZERO,
} from './bytes.ts'
import { classes, HIGH, ORDINARY } from './byte-classes.ts'
import { HAND_BACK, Scanner } from './scanner.ts'

/** Longest key: Go's scanner gives up on a key after 1,024 characters. */
const KEY_BYTES = 1_000

/** Chomping of a block scalar, in bits of its EXTRA cell; the rest is the indentation. */
const CLIP = 0
export const STRIP = 1
export const KEEP = 2
export const CHOMP_BITS = 2

const DOUBLE_CLASS = classes([DOUBLE_QUOTE, BACKSLASH])
const SINGLE_CLASS = classes([SINGLE_QUOTE])

/** Escapes that all readers know, each for one character. */
const SIMPLE_ESCAPES = new Set(['"', '\\', 'n', 'r', 't'].map((letter) => letter.charCodeAt(0)))

/** Quoted and block scalars, over one or more lines. */
export class ScalarScanner extends Scanner {
  /** Whether the quoted scalar read last goes over several lines. */
  protected hasBreaks = false

  /** From the opening quote to the byte after the closing one. */
  protected quoted(from: number): number {
    this.hasBreaks = false
    return this.bytes[from] === DOUBLE_QUOTE ? this.doubleQuoted(from) : this.singleQuoted(from)
  }

  private doubleQuoted(from: number): number {
    const { bytes, end } = this
    let at = from + 1
    while (at < end) {
      const code = bytes[at] as number
      const kind = DOUBLE_CLASS[code]
      if (kind === ORDINARY) at += 1
      else if (code === DOUBLE_QUOTE) return at + 1
      else if (code === BACKSLASH) at = this.escape(at + 1)
      else if (kind === HIGH) {
        this.hasHigh = true
        at += 1
      } else if (code === 9) at += 1
      else at = this.quotedBreak(at)
    }
    throw HAND_BACK
  }

  /** At a line break inside quotes; Go lets the next line start at any column. */
  private quotedBreak(from: number): number {
    const { bytes } = this
    const isCrLf = bytes[from] === CARRIAGE_RETURN && bytes[from + 1] === LINE_FEED
    if (bytes[from] !== LINE_FEED && !isCrLf) throw HAND_BACK
    this.hasBreaks = true
    let at = isCrLf ? from + 2 : from + 1
    if (this.isMarker(at)) throw HAND_BACK
    while (bytes[at] === SPACE) at += 1
    if (bytes[at] === 9) throw HAND_BACK
    return at
  }

  /** `...` at the start of a line ends the document even inside quotes and braces. */
  protected isMarker(at: number): boolean {
    const { bytes } = this
    return bytes[at] === DOT && bytes[at + 1] === DOT && bytes[at + 2] === DOT
  }

  private escape(at: number): number {
    const code = this.bytes[at] as number
    if (SIMPLE_ESCAPES.has(code)) return at + 1
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return this.quotedBreak(at)
    // \x41 and \u0041
    const digits = code === 0x78 ? 2 : code === 0x75 ? 4 : 0
    if (digits === 0 || at + digits >= this.end) throw HAND_BACK
    let value = 0
    for (let step = 1; step <= digits; step += 1) {
      value = value * 16 + hexDigit(this.bytes[at + step] as number)
    }
    if (value >= 0xd800 && value <= 0xdfff) throw HAND_BACK
    return at + 1 + digits
  }

  private singleQuoted(from: number): number {
    const { bytes, end } = this
    let at = from + 1
    while (at < end) {
      const code = bytes[at] as number
      const kind = SINGLE_CLASS[code]
      if (kind === ORDINARY) at += 1
      else if (code === SINGLE_QUOTE) {
        if (bytes[at + 1] !== SINGLE_QUOTE || at + 1 >= end) return at + 1
        at += 2
      } else if (kind === HIGH) {
        this.hasHigh = true
        at += 1
      } else if (code === 9) at += 1
      else at = this.quotedBreak(at)
    }
    throw HAND_BACK
  }

  protected checkKey(start: number, end: number): void {
    if (end - start > KEY_BYTES) throw HAND_BACK
    // A merge key.
    if (end - start === 2 && this.bytes[start] === 60 && this.bytes[start + 1] === 60) {
      throw HAND_BACK
    }
  }

  /**
   * A block scalar from its `|` or `>` to the start of the line after it. Its lines are indented
   * by more than `parentIndent`; the first of them says how far.
   */
  protected blockScalar(parentIndent: number, literal: number, folded: number): void {
    const { bytes } = this
    const start = this.at
    const kind = bytes[start] === PIPE ? literal : folded
    this.at += 1
    let chomp = CLIP
    let digit = 0
    // `|2-` and `|-2` are both allowed.
    for (let step = 0; step < 2; step += 1) {
      const code = bytes[this.at] as number
      if (chomp === CLIP && code === DASH) chomp = STRIP
      else if (chomp === CLIP && code === PLUS) chomp = KEEP
      else if (digit === 0 && code > ZERO && code <= NINE) digit = code - ZERO
      else break
      this.at += 1
    }
    const headerEnd = this.at
    this.finishLine()
    const firstLine = this.at
    const indent = digit > 0 ? parentIndent + digit : this.blockIndent(parentIndent)
    const textEnd = indent === 0 ? firstLine : this.blockLines(indent)
    if (textEnd === firstLine) {
      if (chomp === KEEP) throw HAND_BACK
      this.at = firstLine
      this.tape.add(kind, start, headerEnd, chomp)
      this.valueEnd = headerEnd
      return
    }
    this.valueEnd = textEnd
    this.tape.add(kind, start, this.valueEnd, (indent << CHOMP_BITS) | chomp)
  }

  /** Column of the first line with text; 0 when the scalar has none. Leaves `at` where it is. */
  private blockIndent(parentIndent: number): number {
    const { bytes, end } = this
    let line = this.at
    let longestBlank = 0
    while (line < end) {
      let at = line
      while (at < end && bytes[at] === SPACE) at += 1
      const code = bytes[at] as number
      if (at >= end) return 0
      if (code === LINE_FEED || (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED)) {
        if (at - line > longestBlank) longestBlank = at - line
        line = code === LINE_FEED ? at + 1 : at + 2
        continue
      }
      const indent = at - line
      if (indent <= parentIndent) return 0
      if (longestBlank > indent || code === 9) throw HAND_BACK
      return indent
    }
    return 0
  }

  /** Leaves `at` at the start of the first line that does not belong; returns the text's end. */
  private blockLines(indent: number): number {
    const { bytes, end } = this
    let line = this.at
    let textEnd = line
    while (line < end) {
      let at = line
      const stop = Math.min(line + indent, end)
      while (at < stop && bytes[at] === SPACE) at += 1
      const code = bytes[at] as number
      if (at >= end) {
        line = at
      } else if (code === LINE_FEED) {
        line = at + 1
      } else if (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) {
        line = at + 2
      } else if (at - line < indent) {
        // A tab in the place of indentation is an error, anything else ends the scalar.
        if (code === 9) throw HAND_BACK
        break
      } else {
        textEnd = this.lineStop(at)
        line = textEnd >= end ? end : bytes[textEnd] === LINE_FEED ? textEnd + 1 : textEnd + 2
      }
    }
    this.at = line
    return textEnd
  }
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  if (letter >= 97 && letter <= 102) return letter - 87
  throw HAND_BACK
}
