import {
  AMPERSAND,
  ASTERISK,
  COLON,
  DASH,
  DOUBLE_QUOTE,
  EXCLAMATION,
  GREATER,
  OPEN_LIST,
  OPEN_MAP,
  PIPE,
  QUESTION,
  SINGLE_QUOTE,
  SPACE,
  bytesOf,
  startsWithAt,
} from './bytes.ts'
import { findOddCharacter } from './characters.ts'
import { AnchorScanner } from './anchor-scanner.ts'
import { PLAIN_START } from './flow.ts'
import { HAND_BACK, TOO_DEEP } from './scanner.ts'
import {
  DOUBLE,
  END,
  EXTRA,
  FOLDED,
  LIST,
  LITERAL,
  MAP,
  PLAIN,
  PLAIN_TEXT,
  SINGLE,
  START,
} from './tape.ts'

export type StructuralResult =
  | {
      readonly outcome: 'read'
      readonly cells: Int32Array
      readonly end: number
      readonly ascii: boolean
    }
  /** `isTemplate`: at `{{` outside quotes, which is no YAML that Kubernetes reads. */
  | { readonly outcome: 'handed-back'; readonly isTemplate: boolean }
  | { readonly outcome: 'too-deep'; readonly at: number }

/**
 * Reads the common part of YAML at the speed of its bytes: block and flow collections, all styles
 * of scalars, anchors of values, aliases, comments, LF and CRLF. What it accepts, it reads as
 * Go's yaml and the npm package `yaml` do (test/yaml holds it to that); tags other than `!!str`,
 * merge keys, tabs between parts, directives, `?` keys over several lines and plain text over several lines inside braces are handed
 * back.
 */
export class StructuralParser extends AnchorScanner {
  /** `end` of the result lies where the document ends: at a `...` line or at text that is dropped. */
  parse(bytes: Uint8Array, start: number, end: number, depthLimit: number): StructuralResult {
    this.begin(bytes, start, end)
    this.depthLimit = depthLimit
    try {
      this.document()
    } catch (error) {
      if (error === HAND_BACK) return { outcome: 'handed-back', isTemplate: this.isAtAction() }
      if (error === TOO_DEEP) return { outcome: 'too-deep', at: this.at }
      throw error
    }
    if (this.hasHigh && findOddCharacter(bytes, start, this.end) !== undefined) {
      return { outcome: 'handed-back', isTemplate: false }
    }
    return { outcome: 'read', cells: this.tape.copy(), end: this.end, ascii: !this.hasHigh }
  }

  private isAtAction(): boolean {
    const { bytes, at } = this
    if (bytes[at] !== OPEN_MAP) return false
    return bytes[at + 1] === OPEN_MAP || bytes[at - 1] === OPEN_MAP
  }

  private document(): void {
    this.forgetAnchors()
    this.nextLine()
    if (!this.more) throw HAND_BACK
    const rootIndent = this.indent
    const code = this.bytes[this.at]
    if (code === OPEN_MAP || code === OPEN_LIST) {
      this.flowCollection(1)
      this.finishLine()
      this.nextLine()
    } else if (this.isDash(this.at)) {
      this.list(this.indent, 1)
    } else {
      this.map(this.indent, 1)
    }
    if (this.more) this.dropRest(rootIndent)
  }

  /**
   * Go ends a document where its root ends, and nobody reads the rest: text below a root in braces,
   * or left of an indented root. The document then ends there.
   */
  private dropRest(rootIndent: number): void {
    if (this.indent >= rootIndent && !this.isFlowRoot()) throw HAND_BACK
    if (PLAIN_START[this.bytes[this.at] as number] !== 1) throw HAND_BACK
    this.end = this.lineStart
  }

  private isFlowRoot(): boolean {
    const first = this.bytes[this.tape.cells[START] as number]
    return first === OPEN_MAP || first === OPEN_LIST
  }

  /** At the first key of a mapping; its keys stand at column `indent`. */
  private map(indent: number, depth: number): void {
    if (depth > this.depthLimit) throw TOO_DEEP
    const map = this.tape.add(MAP, this.at, 0, 0)
    this.key(this.at)
    if (!this.atColon) throw HAND_BACK
    this.entries(map, indent, depth)
  }

  /** Behind the colon of the first key. */
  private entries(map: number, indent: number, depth: number): void {
    this.value(indent, depth)
    while (this.more && this.indent === indent) {
      if (this.isDash(this.at)) throw HAND_BACK
      this.key(this.at)
      if (!this.atColon) throw HAND_BACK
      this.value(indent, depth)
    }
    if (this.more && this.indent > indent) throw HAND_BACK
    this.tape.close(map, this.valueEnd)
  }

  /**
   * A key, or a scalar that turns out to be none: `atColon` tells. For a key `at` is left behind
   * its colon.
   */
  private key(start: number): void {
    const code = this.bytes[start] as number
    if (code === QUESTION && this.isSpaceOrBreak(start + 1)) {
      this.explicitKey(start)
      return
    }
    let node: number
    if (code === ASTERISK) {
      node = this.aliasKey()
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      this.at = this.quoted(start)
      this.valueEnd = this.at
      node = this.addQuoted(code, start)
      this.colonAfterQuotes()
      if (this.atColon && this.hasBreaks) throw HAND_BACK
    } else {
      if (!this.startsPlain(start)) throw HAND_BACK
      const textEnd = this.plain(start)
      this.valueEnd = textEnd
      node = this.tape.add(PLAIN, start, textEnd, 0)
    }
    if (!this.atColon) return
    this.checkKey(start, this.valueEnd)
    this.tape.markKey(node)
    this.at += 1
  }

  /** `? key` on one line, and `: value` below it; `at` is left behind the colon. */
  private explicitKey(start: number): void {
    const { bytes } = this
    const column = start - this.lineStart
    this.at = start + 1
    this.hasComment = false
    if (this.lineIsOver()) throw HAND_BACK
    const keyStart = this.at
    const code = bytes[keyStart]
    if (code === QUESTION || code === ASTERISK) throw HAND_BACK
    const node = this.tape.length
    this.hasBreaks = false
    this.key(keyStart)
    if (this.atColon || this.hasBreaks) throw HAND_BACK
    this.checkKey(keyStart, this.valueEnd)
    this.tape.markKey(node)
    this.finishLine()
    this.nextLine()
    const isValue = this.more && this.indent === column && bytes[this.at] === COLON
    if (!isValue || this.hasComment || bytes[this.at + 1] !== SPACE) throw HAND_BACK
    this.at += 1
    if (this.lineIsOver()) throw HAND_BACK
    this.atColon = true
  }

  private startsPlain(at: number): boolean {
    const { bytes } = this
    const code = bytes[at] as number
    if (PLAIN_START[code] === 1) return true
    const mayStart = code === DASH || code === COLON || code === QUESTION
    return mayStart && at + 1 < this.end && (bytes[at + 1] as number) > SPACE
  }

  /** Behind a colon: the value of a key of the mapping at `indent`. Ends at the next content. */
  private value(indent: number, depth: number): void {
    if (this.lineIsOver()) {
      this.valueBelow(indent, depth)
      return
    }
    const start = this.at
    const code = this.bytes[start] as number
    if (code === AMPERSAND) {
      this.anchored(() => {
        this.value(indent, depth)
      })
      return
    }
    if (code === PIPE || code === GREATER) {
      this.blockScalar(indent, LITERAL, FOLDED)
    } else if (code === OPEN_MAP || code === OPEN_LIST) {
      this.flowCollection(depth + 1)
      this.finishLine()
    } else if (code === ASTERISK) {
      this.alias()
    } else if (code === EXCLAMATION) {
      this.taggedText()
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      this.at = this.quoted(start)
      this.valueEnd = this.at
      this.addQuoted(code, start)
      this.finishLine()
    } else {
      if (!this.startsPlain(start)) throw HAND_BACK
      const textEnd = this.plain(start)
      if (this.atColon) throw HAND_BACK
      this.valueEnd = textEnd
      this.plainGoesOn(this.tape.add(PLAIN, start, textEnd, 0), indent)
      return
    }
    this.nextLine()
    if (this.more && this.indent > indent) throw HAND_BACK
  }

  /** At `!!str`, before a scalar without quotes on the same line. */
  private taggedText(): void {
    if (!startsWithAt(this.bytes, STRING_TAG, this.at)) throw HAND_BACK
    this.at += STRING_TAG.length
    if (this.lineIsOver() || !this.startsPlain(this.at)) throw HAND_BACK
    const start = this.at
    const textEnd = this.plain(start)
    if (this.atColon) throw HAND_BACK
    this.valueEnd = textEnd
    this.tape.add(PLAIN_TEXT, start, textEnd, 0)
    this.finishLine()
  }

  private addQuoted(quote: number, start: number): number {
    const kind = quote === DOUBLE_QUOTE ? DOUBLE : SINGLE
    return this.tape.add(kind, start, this.at, this.hasBreaks ? 1 : 0)
  }

  /** Behind the first line of a plain scalar: the lines that are indented further belong to it. */
  private plainGoesOn(node: number, indent: number): void {
    this.hasComment = false
    this.finishLine()
    this.nextLine()
    while (this.more && this.indent > indent) {
      // A comment ends the scalar, so that more text is an error.
      if (this.hasComment) throw HAND_BACK
      const textEnd = this.plain(this.at)
      if (this.atColon) throw HAND_BACK
      this.valueEnd = textEnd
      this.tape.cells[node + END] = textEnd
      this.tape.cells[node + EXTRA] = 1
      this.finishLine()
      this.nextLine()
    }
  }

  private valueBelow(indent: number, depth: number): void {
    const missing = this.at
    this.finishLine()
    this.nextLine()
    if (this.more && this.indent > indent) {
      this.node(indent, this.indent, depth)
    } else if (this.more && this.indent === indent && this.isDash(this.at)) {
      this.list(indent, depth + 1)
    } else {
      this.addMissing(missing)
    }
  }

  private addMissing(at: number): void {
    this.tape.add(PLAIN, at, at, 0)
    this.valueEnd = at
  }

  /** At the first dash of a list; its dashes stand at column `indent`. */
  private list(indent: number, depth: number): void {
    if (depth > this.depthLimit) throw TOO_DEEP
    const list = this.tape.add(LIST, this.at, 0, 0)
    do {
      this.at += 1
      this.item(indent, depth)
    } while (this.more && this.indent === indent && this.isDash(this.at))
    if (this.more && this.indent > indent) throw HAND_BACK
    this.tape.close(list, this.valueEnd)
  }

  /** Behind a dash. */
  private item(indent: number, depth: number): void {
    if (!this.lineIsOver()) {
      if (this.bytes[this.at] === AMPERSAND) {
        this.anchored(() => {
          this.anchoredItem(indent, depth)
        })
        return
      }
      this.node(indent, this.at - this.lineStart, depth)
      return
    }
    const missing = this.at
    this.finishLine()
    this.nextLine()
    if (this.more && this.indent > indent) this.node(indent, this.indent, depth)
    else this.addMissing(missing)
  }

  /** At the first byte of a node at `column`, inside a collection at `indent`. */
  private node(indent: number, column: number, depth: number): void {
    const start = this.at
    const node = this.tape.length
    const code = this.bytes[start] as number
    if (code === DASH && this.isDash(start)) {
      this.list(column, depth + 1)
      return
    }
    if (code === OPEN_MAP || code === OPEN_LIST) {
      this.flowCollection(depth + 1)
      this.finishLine()
    } else if (code === PIPE || code === GREATER) {
      this.blockScalar(indent, LITERAL, FOLDED)
    } else if (code === ASTERISK && !this.isAliasKey(start)) {
      this.alias()
    } else if (this.mapOrScalar(column, depth)) {
      return
    } else if (this.tape.cells[node] === PLAIN) {
      this.plainGoesOn(node, indent)
      return
    } else {
      this.finishLine()
    }
    this.nextLine()
    if (this.more && this.indent > indent) throw HAND_BACK
  }

  /** True for a mapping, which has then been read to its end; else `at` is behind the scalar. */
  private mapOrScalar(column: number, depth: number): boolean {
    if (depth >= this.depthLimit) throw TOO_DEEP
    const start = this.at
    const map = this.tape.add(MAP, start, 0, 0)
    this.key(start)
    if (this.atColon) {
      this.entries(map, column, depth + 1)
      return true
    }
    this.tape.becomeScalar(map)
    return false
  }

  /** Behind a dash and an anchor: `- &a name: x` would be an anchor of the key alone. */
  private anchoredItem(indent: number, depth: number): void {
    if (this.lineIsOver()) {
      this.item(indent, depth)
      return
    }
    const node = this.tape.length
    this.node(indent, this.at - this.lineStart, depth)
    const kind = this.tape.cells[node]
    const first = this.bytes[this.tape.cells[node + START] as number]
    if ((kind === MAP && first !== OPEN_MAP) || (kind === LIST && first !== OPEN_LIST)) {
      throw HAND_BACK
    }
  }
}

const STRING_TAG = bytesOf('!!str ')
