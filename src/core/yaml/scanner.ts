import { CARRIAGE_RETURN, COLON, DASH, DOT, HASH, LINE_FEED, SPACE } from './bytes.ts'
import { classes, HIGH, ORDINARY } from './byte-classes.ts'
import { TapeWriter } from './tape.ts'

/** Thrown for what the structural parser leaves to another one. Nobody looks into it. */
export const HAND_BACK: Error = new Error('left to the full parser')

/** Thrown when collections stand too deep inside each other. */
export const TOO_DEEP: Error = new Error('nested too deep')

/** What a byte means inside a plain scalar of a block collection. */
const PLAIN_CLASS = classes([COLON, HASH, SPACE])
/** What a byte means inside a comment or a line of a block scalar. */
const LINE_CLASS = classes([])

/**
 * The lines of the structural parser: indentation, comments and plain text over the bytes of one
 * document. Like all of the parser it accepts only what Go's yaml and YAML 1.2 read alike; anything else is handed back.
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
}
