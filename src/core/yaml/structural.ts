import {
  AMPERSAND,
  ASTERISK,
  COLON,
  DASH,
  DOUBLE_QUOTE,
  GREATER,
  OPEN_LIST,
  OPEN_MAP,
  PIPE,
  QUESTION,
  SINGLE_QUOTE,
  SPACE,
} from './bytes.ts'
import { findOddCharacter } from './characters.ts'
import { FlowScanner, PLAIN_START } from './flow.ts'
import { HAND_BACK, TOO_DEEP } from './scanner.ts'
import {
  CELLS,
  DOUBLE,
  END,
  EXTRA,
  FOLDED,
  LIST,
  LITERAL,
  MAP,
  PLAIN,
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
 * Go's yaml and the npm package `yaml` do (test/yaml holds it to that); tags, merge keys, tabs
 * between parts, directives, `?` keys and plain text over several lines inside braces are handed
 * back.
 */
export class StructuralParser extends FlowScanner {
  /** The node of each anchor so far; OPEN or less while it is being read. */
  private anchors: Map<string, number> | undefined
  private aliasCells = 0
  /** The node that an anchor or alias was read for last: a second one is an error. */
  private propertyNode = -1

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
    this.anchors = undefined
    this.aliasCells = 0
    this.propertyNode = OPEN
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

  private colonAfterQuotes(): void {
    const { bytes } = this
    let at = this.at
    while (bytes[at] === SPACE) at += 1
    this.atColon =
      at < this.end && bytes[at] === COLON && (at + 1 >= this.end || this.isSpaceOrBreak(at + 1))
    if (this.atColon) this.at = at
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

  /** At `&`: what `read` adds to the tape gets the name. */
  private anchored(read: () => void): void {
    const name = this.name()
    const node = this.tape.length
    const anchors = (this.anchors ??= new Map<string, number>())
    const open = OPEN - node
    anchors.set(name, open)
    read()
    if (this.propertyNode === node) throw HAND_BACK
    this.propertyNode = node
    // An anchor of the same name inside the node came later, so it counts.
    if (anchors.get(name) === open) anchors.set(name, node)
  }

  /** At `*`: repeats what the name stands for. */
  private alias(): void {
    const node = this.anchors?.get(this.name()) ?? OPEN
    if (node <= OPEN) throw HAND_BACK
    this.valueEnd = this.at
    const before = this.tape.length
    this.propertyNode = before
    this.tape.repeat(node)
    this.aliasCells += this.tape.length - before
    // Bombs are for the full parser to refuse.
    if (this.aliasCells > ALIAS_CELLS) throw HAND_BACK
    this.finishLine()
  }

  /** `*name : value`. The key is the text of the anchor. */
  private aliasKey(): number {
    const anchor = this.anchors?.get(this.name()) ?? OPEN
    const kind = this.tape.cells[anchor]
    if (anchor <= OPEN || kind === MAP || kind === LIST) throw HAND_BACK
    this.valueEnd = this.at
    const node = this.tape.length
    this.tape.repeat(anchor)
    this.colonAfterQuotes()
    if (!this.atColon) throw HAND_BACK
    return node
  }

  private isAliasKey(start: number): boolean {
    const { bytes } = this
    let at = start + 1
    while (isNameByte(bytes[at] as number)) at += 1
    while (bytes[at] === SPACE) at += 1
    return bytes[at] === COLON
  }

  private name(): string {
    const { bytes } = this
    const start = this.at + 1
    let at = start
    while (isNameByte(bytes[at] as number)) at += 1
    const isOver = at >= this.end || this.isSpaceOrBreak(at)
    if (at === start || at - start > NAME_BYTES || !isOver) throw HAND_BACK
    this.at = at
    return String.fromCharCode(...bytes.subarray(start, at))
  }
}

const OPEN = -1
const NAME_BYTES = 100
const ALIAS_CELLS = 100_000 * CELLS

function isNameByte(code: number): boolean {
  const letter = code | 32
  return (
    (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === DASH || code === 95
  )
}
