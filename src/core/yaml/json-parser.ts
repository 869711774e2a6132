import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_MAP,
  COLON,
  COMMA,
  DASH,
  DOT,
  DOUBLE_QUOTE,
  isBlank,
  NINE,
  OPEN_LIST,
  OPEN_MAP,
  PLUS,
  ZERO,
} from './bytes.ts'
import { JSON_NUMBER, JSON_STRING, JSON_WORD, LIST, MAP, TapeWriter } from './tape.ts'

export type JsonResult =
  | {
      readonly outcome: 'read'
      readonly cells: Int32Array
      readonly start: number
      readonly end: number
      /** Whether each byte is one character. */
      readonly ascii: boolean
    }
  | { readonly outcome: 'invalid' | 'too-deep'; readonly at: number; readonly what: string }

class Invalid extends Error {}

/** One JSON value of a stream onto a tape, strict as Go's encoding/json, with byte positions. */
export class JsonParser {
  private bytes: Uint8Array = new Uint8Array(0)
  private end = 0
  private at = 0
  private depthLimit = 250
  private isTooDeep = false
  private hasHigh = false
  private readonly tape: TapeWriter = new TapeWriter()

  /** Reads the value that starts at `start`; `end` of the result lies behind it. */
  parse(bytes: Uint8Array, start: number, end: number, depthLimit: number): JsonResult {
    this.bytes = bytes
    this.end = end
    this.at = start
    this.depthLimit = depthLimit
    this.isTooDeep = false
    this.hasHigh = false
    this.tape.reset()
    try {
      this.value(1)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const at = Math.min(this.at, end)
      return { outcome: this.isTooDeep ? 'too-deep' : 'invalid', at, what: error.message }
    }
    return { outcome: 'read', cells: this.tape.copy(), start, end: this.at, ascii: !this.hasHigh }
  }

  private value(depth: number): void {
    const code = this.at < this.end ? (this.bytes[this.at] as number) : 0
    if (code === OPEN_MAP) this.map(depth)
    else if (code === OPEN_LIST) this.list(depth)
    else if (code === DOUBLE_QUOTE) this.string()
    else if (code === DASH || (code >= ZERO && code <= NINE)) this.number()
    else this.word()
  }

  private map(depth: number): void {
    this.enter(depth)
    const map = this.tape.add(MAP, this.at, 0, 0)
    this.at += 1
    this.space()
    if (!this.takes(CLOSE_MAP)) {
      for (;;) {
        if (this.bytes[this.at] !== DOUBLE_QUOTE) throw this.expected('a key in double quotes')
        const key = this.tape.length
        this.string()
        this.tape.markKey(key)
        this.space()
        if (!this.takes(COLON)) throw this.expected('a colon after the key')
        this.space()
        this.value(depth + 1)
        this.space()
        if (this.takes(CLOSE_MAP)) break
        if (!this.takes(COMMA)) throw this.expected('a comma or `}`')
        this.space()
      }
    }
    this.tape.close(map, this.at)
  }

  private list(depth: number): void {
    this.enter(depth)
    const list = this.tape.add(LIST, this.at, 0, 0)
    this.at += 1
    this.space()
    if (!this.takes(CLOSE_LIST)) {
      for (;;) {
        this.value(depth + 1)
        this.space()
        if (this.takes(CLOSE_LIST)) break
        if (!this.takes(COMMA)) throw this.expected('a comma or `]`')
        this.space()
      }
    }
    this.tape.close(list, this.at)
  }

  private enter(depth: number): void {
    if (depth <= this.depthLimit) return
    this.isTooDeep = true
    throw new Invalid('nested too deep')
  }

  private string(): void {
    const { bytes, end } = this
    const start = this.at
    let at = start + 1
    let escapes = 0
    while (at < end) {
      const code = bytes[at] as number
      if (code === DOUBLE_QUOTE) {
        this.at = at + 1
        this.tape.add(JSON_STRING, start, this.at, escapes)
        return
      }
      if (code < 32) break
      if (code === BACKSLASH) {
        escapes = 1
        this.at = at
        at = this.escape(at + 1)
      } else {
        if (code >= 128) this.hasHigh = true
        at += 1
      }
    }
    this.at = at
    throw this.expected('the end of the text in quotes on the same line')
  }

  private escape(at: number): number {
    const code = this.bytes[at] as number
    if (code !== 0x75) {
      if (SIMPLE_ESCAPES[code] === 1) return at + 1
      throw this.expected('a JSON escape')
    }
    for (let step = 1; step <= 4; step += 1) {
      if (!isHex(this.bytes[at + step] ?? 0)) throw this.expected('four hexadecimal digits')
    }
    return at + 5
  }

  private number(): void {
    const { bytes } = this
    const start = this.at
    let hasExponent = false
    if (bytes[this.at] === DASH) this.at += 1
    if (bytes[this.at] === ZERO) this.at += 1
    else this.digits()
    if (bytes[this.at] === DOT) {
      this.at += 1
      this.digits()
    }
    if (((bytes[this.at] ?? 0) | 32) === 0x65) {
      hasExponent = true
      this.at += 1
      if (bytes[this.at] === PLUS || bytes[this.at] === DASH) this.at += 1
      this.digits()
    }
    if (this.at > this.end) throw this.expected('a number')
    if (hasExponent || this.at - start > 300) this.checkSize(start)
    this.tape.add(JSON_NUMBER, start, this.at, 0)
  }

  private digits(): void {
    const { bytes } = this
    const start = this.at
    while (isDigit(bytes[this.at] ?? 0)) this.at += 1
    if (this.at === start) throw this.expected('a digit')
  }

  /** Go refuses a number that no float can hold. */
  private checkSize(start: number): void {
    const text = new TextDecoder().decode(this.bytes.subarray(start, this.at))
    if (!Number.isFinite(Number(text))) throw this.expected('a smaller number')
  }

  private word(): void {
    const { bytes, end } = this
    const start = this.at
    for (const word of WORDS) {
      const stop = start + word.length
      if (stop > end || !matches(bytes, word, start)) continue
      this.at = stop
      this.tape.add(JSON_WORD, start, stop, 0)
      return
    }
    throw this.expected('a value')
  }

  private space(): void {
    const { bytes, end } = this
    let at = this.at
    while (at < end && isBlank(bytes[at])) at += 1
    this.at = at
  }

  private takes(code: number): boolean {
    if (this.at >= this.end || this.bytes[this.at] !== code) return false
    this.at += 1
    return true
  }

  private expected(what: string): Invalid {
    return new Invalid(
      this.at >= this.end ? `the text ends before ${what}` : `${what} should stand here`,
    )
  }
}

const WORDS = ['true', 'false', 'null'].map((word) => new TextEncoder().encode(word))
const SIMPLE_ESCAPES = simpleEscapes()

function simpleEscapes(): Uint8Array {
  const table = new Uint8Array(256)
  for (const letter of '"\\/bfnrt') table[letter.charCodeAt(0)] = 1
  return table
}

function matches(bytes: Uint8Array, word: Uint8Array, at: number): boolean {
  for (let step = 0; step < word.length; step += 1) {
    if (bytes[at + step] !== word[step]) return false
  }
  return true
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

function isHex(code: number): boolean {
  const letter = code | 32
  return isDigit(code) || (letter >= 97 && letter <= 102)
}
