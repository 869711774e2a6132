import {
  BACKSLASH,
  CARRIAGE_RETURN,
  COLON,
  DASH,
  DOT,
  DOUBLE_QUOTE,
  HASH,
  LINE_FEED,
  NINE,
  PIPE,
  PLUS,
  SINGLE_QUOTE,
  SPACE,
  ZERO,
} from './bytes.ts'
import { TapeWriter } from './tape.ts'

/** Thrown for what the structural parser leaves to another one. Nobody looks into it. */
export const HAND_BACK: Error = new Error('left to the full parser')

/** Thrown when collections stand too deep inside each other. */
export const TOO_DEEP: Error = new Error('nested too deep')

/** Longest key: Go's scanner gives up on a key after 1,024 characters. */
const KEY_BYTES = 1_000

/** Chomping of a block scalar, in bits of its EXTRA cell; the rest is the indentation. */
export const CLIP = 0
export const STRIP = 1
export const KEEP = 2
export const CHOMP_BITS = 2

const ORDINARY = 0
const HIGH = 1
const SPECIAL = 2

/** What a byte means inside a plain scalar of a block collection. */
const PLAIN_CLASS = classes([COLON, HASH, SPACE])
/** What a byte means inside a comment or a line of a block scalar. */
const LINE_CLASS = classes([])
const DOUBLE_CLASS = classes([DOUBLE_QUOTE, BACKSLASH])
const SINGLE_CLASS = classes([SINGLE_QUOTE])

/** Escapes that all readers know, each for one character. */
const SIMPLE_ESCAPES = new Set(['"', '\\', 'n', 'r', 't'].map((letter) => letter.charCodeAt(0)))

/**
 * The lexical part of the structural parser: lines, comments and scalars over the bytes of one
 * document. It accepts only what Go's yaml and YAML 1.2 read alike; anything else is handed back.
 */
export class Scanner {
  protected bytes: Uint8Array = new Uint8Array(0)
  protected end = 0
  protected at = 0
  protected lineStart = 0
  /** Column of the content line that `at` is in the first place of. */
  protected indent = 0
  /** Set by `nextLine`: whether there is a content line left. */
  protected more = false
  /** End of the value read last, for the span of the collection that it ends. */
  protected valueEnd = 0
  /** Whether the plain scalar read last ended at the colon of a key. */
  protected atColon = false
  protected hasHigh = false
  /** Set when a comment was passed. */
  protected hasComment = false
  /** Whether the quoted scalar read last goes over several lines. */
  protected hasBreaks = false
  readonly tape: TapeWriter = new TapeWriter()

  protected begin(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes
    this.end = end
    this.at = start
    this.lineStart = start
    this.valueEnd = start
    this.hasHigh = false
    this.tape.reset()
  }

  /**
   * From the start of a line to the first content at or below it. A `...` line ends the document:
   * then `end` moves there.
   */
  protected nextLine(): void {
    const { bytes } = this
    let at = this.at
    for (;;) {
      const lineStart = at
      while (at < this.end && bytes[at] === SPACE) at += 1
      if (at >= this.end) {
        this.at = at
        this.more = false
        return
      }
      const code = bytes[at] as number
      if (code === LINE_FEED) {
        at += 1
      } else if (code === HASH) {
        at = this.skipLine(at)
      } else if (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) {
        at += 2
      } else {
        this.at = at
        this.lineStart = lineStart
        this.indent = at - lineStart
        this.more = !(code === DOT && this.indent === 0 && this.isDocumentEnd(at))
        return
      }
    }
  }

  private isDocumentEnd(at: number): boolean {
    const { bytes } = this
    if (bytes[at + 1] !== DOT || bytes[at + 2] !== DOT) return false
    if (at + 3 < this.end && !this.isSpaceOrBreak(at + 3)) return false
    this.end = at
    return true
  }

  /** Through a comment or to the end of a line, to the start of the next one. */
  private skipLine(from: number): number {
    this.hasComment = true
    const at = this.lineStop(from)
    if (at >= this.end) return at
    return this.bytes[at] === LINE_FEED ? at + 1 : at + 2
  }

  /** The line break (or end) after `from`; tabs are allowed on the way. */
  protected lineStop(from: number): number {
    const { bytes, end } = this
    let at = from
    while (at < end) {
      const kind = LINE_CLASS[bytes[at] as number]
      if (kind === ORDINARY) at += 1
      else if (kind === HIGH) {
        this.hasHigh = true
        at += 1
      } else if (bytes[at] === LINE_FEED) return at
      else if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) return at
      else if (bytes[at] === 9) at += 1
      else throw HAND_BACK
    }
    return at
  }

  /** After a value: only blanks and a comment may follow on its line. */
  protected finishLine(): void {
    const { bytes, end } = this
    let at = this.at
    while (at < end && bytes[at] === SPACE) at += 1
    if (at < end) {
      const code = bytes[at] as number
      if (code === LINE_FEED) at += 1
      else if (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) at += 2
      else if (code === HASH && bytes[at - 1] === SPACE) at = this.skipLine(at)
      else throw HAND_BACK
    }
    this.at = at
  }

  /** Whether only blanks and a comment follow on this line; leaves `at` at the first other byte. */
  protected lineIsOver(): boolean {
    const { bytes, end } = this
    let at = this.at
    while (at < end && bytes[at] === SPACE) at += 1
    const isOver =
      at >= end ||
      bytes[at] === LINE_FEED ||
      (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) ||
      (bytes[at] === HASH && bytes[at - 1] === SPACE)
    if (!isOver) this.at = at
    return isOver
  }

  protected isSpaceOrBreak(at: number): boolean {
    const code = this.bytes[at]
    return (
      code === SPACE ||
      code === LINE_FEED ||
      (code === CARRIAGE_RETURN && this.bytes[at + 1] === LINE_FEED)
    )
  }

  /** A `-` that starts an item. */
  protected isDash(at: number): boolean {
    return this.bytes[at] === DASH && (at + 1 >= this.end || this.isSpaceOrBreak(at + 1))
  }

  /**
   * A plain scalar on one line of a block collection. Returns the end of its text and leaves `at`
   * at what ended it: a line break, a comment, the colon of a key, or the end of the document.
   */
  protected plain(from: number): number {
    const { bytes, end } = this
    let at = from
    let textEnd = from
    this.atColon = false
    while (at < end) {
      const code = bytes[at] as number
      const kind = PLAIN_CLASS[code]
      if (kind === ORDINARY) {
        at += 1
        textEnd = at
      } else if (code === SPACE) {
        at += 1
      } else if (kind === HIGH) {
        this.hasHigh = true
        at += 1
        textEnd = at
      } else if (code === COLON) {
        if (at + 1 >= end || this.isSpaceOrBreak(at + 1)) {
          this.atColon = true
          break
        }
        at += 1
        textEnd = at
      } else if (code === HASH) {
        if (bytes[at - 1] === SPACE) break
        at += 1
        textEnd = at
      } else if (code === LINE_FEED || (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED)) {
        break
      } else throw HAND_BACK
    }
    this.at = at
    return textEnd
  }

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

/** ORDINARY bytes need no look, HIGH ones are part of a longer character. */
function classes(special: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(SPECIAL, 0, 32)
  table[127] = SPECIAL
  table.fill(HIGH, 128)
  for (const code of special) table[code] = SPECIAL
  return table
}
