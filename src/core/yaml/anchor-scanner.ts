import { COLON, DASH, SPACE } from './bytes.ts'
import { FlowScanner } from './flow.ts'
import { HAND_BACK } from './scanner.ts'
import { CELLS, LIST, MAP } from './tape.ts'

/** Anchors of values and the aliases that repeat them, outside of braces. */
export class AnchorScanner extends FlowScanner {
  /** The node of each anchor so far; OPEN or less while it is being read. */
  private anchors: Map<string, number> | undefined
  private aliasCells = 0
  /** The node that an anchor or alias was read for last: a second one is an error. */
  private propertyNode = -1

  protected forgetAnchors(): void {
    this.anchors = undefined
    this.aliasCells = 0
    this.propertyNode = OPEN
  }

  /** At `&`: what `read` adds to the tape gets the name. */
  protected anchored(read: () => void): void {
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
  protected alias(): void {
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
  protected aliasKey(): number {
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

  protected isAliasKey(start: number): boolean {
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

  /** Whether a quoted scalar or an alias is a key: then `at` moves to its colon. */
  protected colonAfterQuotes(): void {
    const { bytes } = this
    let at = this.at
    while (bytes[at] === SPACE) at += 1
    this.atColon =
      at < this.end && bytes[at] === COLON && (at + 1 >= this.end || this.isSpaceOrBreak(at + 1))
    if (this.atColon) this.at = at
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
