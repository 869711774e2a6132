import {
  BACKSLASH,
  CARRIAGE_RETURN,
  LINE_FEED,
  SINGLE_QUOTE,
  asciiText,
  decode,
  isBlank,
} from './bytes.ts'
import { blockText } from './block-text.ts'
import type { Reading } from './document.ts'
import {
  DOUBLE,
  END,
  EXTRA,
  FOLDED,
  JSON_STRING,
  KIND,
  KIND_MASK,
  LITERAL,
  PLAIN,
  SINGLE,
  START,
  TEXT,
  type Tape,
} from './tape.ts'

/**
 * Makes the text of scalars from bytes. In a template the actions are masked in `shape`, which
 * says where quotes, escapes and lines are, and the text itself comes from `bytes`.
 */
export class ScalarReader {
  private readonly bytes: Uint8Array
  private readonly shape: Uint8Array
  private readonly tape: Tape
  /** The whole document as text, where each of its bytes is one character. */
  private wholeText: string | undefined
  private readonly wholeStart: number
  private readonly wholeEnd: number
  private readonly isAscii: boolean

  constructor(
    bytes: Uint8Array,
    shape: Uint8Array,
    tape: Tape,
    ascii: { readonly start: number; readonly end: number } | undefined,
  ) {
    this.bytes = bytes
    this.shape = shape
    this.tape = tape
    this.isAscii = ascii !== undefined
    this.wholeStart = ascii?.start ?? 0
    this.wholeEnd = ascii?.end ?? 0
  }

  /**
   * After unquoting and folding. kubectl ends every line before it parses; for kustomize a block
   * scalar at the end of a file without a last line end has none either.
   */
  text(at: number, reading: Reading): string {
    const { cells, texts } = this.tape
    const start = cells[at + START] as number
    const end = cells[at + END] as number
    const extra = cells[at + EXTRA] as number
    switch ((cells[at + KIND] as number) & KIND_MASK) {
      case TEXT:
        return texts[extra]?.text ?? ''
      case JSON_STRING:
        return extra === 0
          ? this.raw(start + 1, end - 1)
          : unescape(this.shape, this.bytes, start + 1, end - 1)
      case PLAIN:
        return extra === 0
          ? this.raw(start, end)
          : foldLines(this.shape, this.bytes, { start, end, hasEscapes: false })
      case DOUBLE:
        if (extra === 1) {
          return foldLines(this.shape, this.bytes, {
            start: start + 1,
            end: end - 1,
            hasEscapes: true,
          })
        }
        return hasByte(this.shape, BACKSLASH, start + 1, end - 1)
          ? unescape(this.shape, this.bytes, start + 1, end - 1)
          : this.raw(start + 1, end - 1)
      case SINGLE:
        if (extra === 1) {
          const lines = { start: start + 1, end: end - 1, hasEscapes: false }
          return foldLines(this.shape, this.bytes, lines).replaceAll("''", "'")
        }
        return hasByte(this.shape, SINGLE_QUOTE, start + 1, end - 1)
          ? unquote(this.shape, this.bytes, start + 1, end - 1)
          : this.raw(start + 1, end - 1)
      case LITERAL:
        return blockText(this.shape, this.bytes, { start, end, extra, isFolded: false, reading })
      case FOLDED:
        return blockText(this.shape, this.bytes, { start, end, extra, isFolded: true, reading })
      default:
        return this.raw(start, end)
    }
  }

  private raw(start: number, end: number): string {
    if (!this.isAscii) return decode(this.bytes, start, end)
    this.wholeText ??= asciiText(this.bytes, this.wholeStart, this.wholeEnd)
    return this.wholeText.slice(start - this.wholeStart, end - this.wholeStart)
  }
}

function hasByte(bytes: Uint8Array, code: number, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === code) return true
  return false
}

function unquote(shape: Uint8Array, bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let from = start
  for (let at = start; at < end; at += 1) {
    if (shape[at] !== SINGLE_QUOTE) continue
    text += decode(bytes, from, at + 1)
    at += 1
    from = at + 1
  }
  return text + decode(bytes, from, end)
}

/** Double quoted text of one line; in JSON and in YAML the same escapes mean the same. */
function unescape(shape: Uint8Array, bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let from = start
  let at = start
  while (at < end) {
    if (shape[at] !== BACKSLASH) {
      at += 1
      continue
    }
    text += decode(bytes, from, at)
    const code = shape[at + 1] as number
    const digits = code === 0x75 ? 4 : code === 0x78 ? 2 : 0
    from = at + 2 + digits
    text += digits === 0 ? escaped(code) : unit(shape, at + 2, from)
    at = from
  }
  return (text + decode(bytes, from, end)).replaceAll(LONE_SURROGATE, '\ufffd')
}

/** Go reads half of a pair, which only JSON can spell, as U+FFFD. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

interface Lines {
  readonly start: number
  readonly end: number
  readonly hasEscapes: boolean
}

/**
 * Plain or quoted text over several lines: the blanks around a line end go, one line end becomes
 * a space, and of more the first one goes. A backslash before a line end takes it away.
 */
function foldLines(
  shape: Uint8Array,
  bytes: Uint8Array,
  { start, end, hasEscapes }: Lines,
): string {
  const part = (from: number, to: number): string =>
    hasEscapes ? unescape(shape, bytes, from, to) : decode(bytes, from, to)
  let text = ''
  let from = start
  for (;;) {
    const feed = shape.indexOf(LINE_FEED, from)
    if (feed < 0 || feed >= end) return text + part(from, end)
    const isEscaped = hasEscapes && endsInEscape(shape, from, feed)
    const stop = isEscaped ? escapeStart(shape, feed) : blanksBefore(shape, from, feed)
    text += part(from, stop)
    let breaks = 0
    let at = feed
    while (at < end && isBlank(shape[at])) {
      if (shape[at] === LINE_FEED) breaks += 1
      at += 1
    }
    if (breaks > 1) text += '\n'.repeat(breaks - 1)
    else if (!isEscaped) text += ' '
    from = at
  }
}

/** The backslash before the line end at `feed`; CRLF counts as one. */
function escapeStart(shape: Uint8Array, feed: number): number {
  return shape[feed - 1] === CARRIAGE_RETURN ? feed - 2 : feed - 1
}

function endsInEscape(shape: Uint8Array, from: number, feed: number): boolean {
  let count = 0
  for (let at = escapeStart(shape, feed); at >= from && shape[at] === BACKSLASH; at -= 1) count += 1
  return count % 2 === 1
}

function blanksBefore(shape: Uint8Array, from: number, feed: number): number {
  let at = feed
  while (at > from && isBlank(shape[at - 1])) at -= 1
  return at
}

function unit(shape: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(Number.parseInt(decode(shape, start, end), 16))
}

function escaped(code: number): string {
  switch (code) {
    case 0x62:
      return '\b'
    case 0x66:
      return '\f'
    case 0x6e:
      return '\n'
    case 0x72:
      return '\r'
    case 0x74:
      return '\t'
    default:
      return String.fromCharCode(code)
  }
}
