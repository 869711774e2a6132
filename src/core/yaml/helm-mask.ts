import type { Span } from '../source.ts'
import { findActions, type Action, type Delimiters } from './actions.ts'
import { CARRIAGE_RETURN, DASH, HASH, LINE_FEED, SPACE, TAB, bytesOf } from './bytes.ts'
import type { OpenPlace } from './document.ts'

export { HELM, RESOURCE_SET, type Delimiters } from './actions.ts'

export interface Masked {
  /** As long as the template, offset for offset. */
  readonly bytes: Uint8Array
  readonly actions: readonly Action[]
  readonly openPlaces: readonly OpenPlace[]
}

export interface MaskOptions {
  /** What stands in the `else` branches: as if it were there too, or open. */
  readonly elseBranches: 'kept' | 'open'
}

/** Stands for an action inside a line. No kind, number or word is made of it. */
const FILLER = 0x5f

/**
 * Makes a Go template readable as YAML without moving a byte. An action inside a line becomes
 * filler, so the scalar around it keeps its place and takes its text from the template. A line of
 * nothing but actions becomes empty lines; what it may print is an open place. Inside a block
 * scalar such a line is text.
 */
export function maskTemplate(
  bytes: Uint8Array,
  delimiters: Delimiters,
  options: MaskOptions = { elseBranches: 'kept' },
): Masked {
  const actions = findActions(bytes, delimiters)
  const masker = new Masker(bytes, actions)
  masker.run(options)
  return { bytes: masker.masked, actions, openPlaces: masker.openPlaces }
}

/** A line of the template; an action over several lines makes them one. */
interface Line {
  readonly start: number
  readonly end: number
  readonly actions: readonly Action[]
}

class Masker {
  readonly masked: Uint8Array
  readonly openPlaces: OpenPlace[] = []
  private readonly bytes: Uint8Array
  private actions: readonly Action[]
  /** Column of the key (or dash) whose block scalar the line may belong to; -1 outside of one. */
  private blockParent = -1
  /** Column of the block scalar's text; -1 before its first line. */
  private blockIndent = -1

  constructor(bytes: Uint8Array, actions: readonly Action[]) {
    this.bytes = bytes
    this.actions = actions
    // Not `slice`: of a Buffer that would be the same memory.
    this.masked = new Uint8Array(bytes)
  }

  run({ elseBranches }: MaskOptions): void {
    this.hide('define', ({ end, closedBy }) =>
      closedBy === undefined || holdsObject(this.bytes, end, closedBy.start) ? undefined : closedBy,
    )
    if (elseBranches === 'open') this.hide('else', ({ opens }) => opens?.closedBy)
    let next = 0
    let start = 0
    while (start < this.bytes.length) {
      let end = this.lineEnd(start)
      const from = next
      while (next < this.actions.length && (this.actions[next] as Action).start < end) {
        end = Math.max(end, this.lineEnd((this.actions[next] as Action).end))
        next += 1
      }
      this.line({ start, end, actions: this.actions.slice(from, next) })
      start = end + 1
    }
  }

  /** Position of the line's `\n`, or the end of the text. */
  private lineEnd(at: number): number {
    const end = this.bytes.indexOf(LINE_FEED, at)
    return end < 0 ? this.bytes.length : end
  }

  /**
   * Passes over what stands between an action and the one that ends it: the body of a `define`,
   * which is printed elsewhere (unless it holds a whole object), and `else` branches.
   */
  private hide(word: string, endOf: (action: Action) => Span | undefined): void {
    let hiddenUntil = 0
    this.actions = this.actions.filter((action) => {
      if (action.start < hiddenUntil) return false
      const end = action.word === word ? endOf(action) : undefined
      if (end === undefined) return true
      if (word === 'else') this.openBranch(action, end.start)
      this.blank(action.end, end.start)
      hiddenUntil = end.start
      return true
    })
  }

  private openBranch(action: Action, end: number): void {
    let at = action.end
    while (at < end && this.isBlankRange(at, at + 1)) at += 1
    if (at >= end) return
    const column = at - (this.bytes.lastIndexOf(LINE_FEED, at - 1) + 1)
    this.openPlaces.push({ offset: action.start, indent: column, text: this.text(action) })
  }

  private line(line: Line): void {
    if (line.actions.length === 0) this.noteText(line)
    else if (this.isOnlyActions(line)) this.actionLine(line)
    else if (this.isSeparator(line)) this.separatorLine(line)
    else this.mixedLine(line)
  }

  private isOnlyActions({ start, end, actions }: Line): boolean {
    let at = start
    for (const action of actions) {
      if (!this.isBlankRange(at, action.start)) return false
      at = Math.max(at, action.end)
    }
    return this.isBlankRange(at, end) || this.isComment(at, end)
  }

  private isBlankRange(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) {
      const code = this.masked[at]
      if (code !== SPACE && code !== TAB && code !== CARRIAGE_RETURN && code !== LINE_FEED) {
        return false
      }
    }
    return true
  }

  private isComment(start: number, end: number): boolean {
    let at = start
    while (at < end && this.masked[at] === SPACE) at += 1
    return at > start && this.masked[at] === HASH
  }

  private actionLine({ start, end, actions }: Line): void {
    const column = this.columnOf(start)
    const output = actions.find((action) => action.isOutput)
    const printed = output === undefined ? column : printedColumn(this.text(output), column)
    if (this.blockParent >= 0 && printed > this.blockParent) {
      const indent = column > this.blockParent ? column : printed
      if (this.asBlockText(start, end, indent)) return
    }
    this.blank(start, end)
    for (const action of actions) if (action.isOutput) this.open(action, column)
  }

  private open(action: Action, column: number): void {
    const text = this.text(action)
    this.openPlaces.push({ offset: action.start, indent: printedColumn(text, column), text })
  }

  /** Makes the line one of the block scalar. False when it is too short for that. */
  private asBlockText(start: number, end: number, indent: number): boolean {
    const column = this.blockIndent >= 0 ? this.blockIndent : indent
    if (end - start <= column) return false
    this.blockIndent = column
    this.masked.fill(SPACE, start, start + column)
    this.masked.fill(FILLER, start + column, end)
    return true
  }

  /** `{{ if gt $i 0 }}---{{ end }}` */
  private isSeparator({ start, end, actions }: Line): boolean {
    let text = ''
    let at = start
    for (const action of actions) {
      if (action.isOutput) return false
      text += decode(this.bytes, at, action.start)
      at = action.end
    }
    return (text + decode(this.bytes, at, end)).trim() === '---'
  }

  private separatorLine({ start, end }: Line): void {
    this.blank(start, end)
    this.masked.fill(DASH, start, start + 3)
    this.blockParent = -1
  }

  private mixedLine(line: Line): void {
    const { start, actions } = line
    const first = actions[0] as Action
    const opensLine = !first.isOutput && this.isBlankRange(start, first.start)
    if (opensLine && this.startsItem(line)) {
      const column = this.columnOf(start)
      this.openPlaces.push({ offset: first.start, indent: column, text: this.text(line) })
      this.blank(line.start, line.end)
      return
    }
    for (const action of actions) this.maskInline(action, line)
    this.noteText(line)
  }

  private maskInline(action: Action, line: Line): void {
    const { start, end } = action
    const isTail = this.isBlankRange(end, line.end)
    if (isTail && this.printsNothing(action, line)) {
      this.masked.fill(SPACE, start, end)
      return
    }
    this.masked.fill(FILLER, start, end)
    if (!action.isOutput || !isTail) return
    const text = this.text(action)
    if (text.search(INDENTED) < 0) return
    const before = decode(this.masked, line.start, start)
    const column = this.columnOf(line.start)
    if (/[|>][-+0-9]* +$/.test(before)) {
      this.fillBlock(action, printedColumn(text, column))
    } else if (/[:-] +$/.test(before)) {
      // It prints lines below the key or dash; the lines that follow may go on with them.
      this.masked.fill(SPACE, start, end)
      this.open(action, column)
    }
  }

  /** At the end of a line: a comment, an `end` of what began before the text of the line. */
  private printsNothing({ word, opens, closedBy, start }: Action, line: Line): boolean {
    if (word === 'comment') return true
    if (closedBy !== undefined && closedBy.start > line.end) {
      return !this.isBlankRange(line.start, start)
    }
    if (word !== 'end' || opens === undefined) return false
    return opens.start < line.start || this.isBlankRange(line.start, opens.start)
  }

  /** `key: | {{ ... | nindent 4 }}` prints the text of a block scalar: a line of its own. */
  private fillBlock({ start, end }: Action, indent: number): void {
    if (end - start < indent + 2) return
    this.masked[start] = LINE_FEED
    this.masked.fill(SPACE, start + 1, start + 1 + indent)
  }

  /** `{{ if .x }}- item{{ end }}`: the dash cannot be moved to where it will be printed. */
  private startsItem({ end, actions }: Line): boolean {
    let at = (actions[0] as Action).end
    for (const action of actions.slice(1)) {
      if (action.isOutput || !this.isBlankRange(at, action.start)) break
      at = action.end
    }
    while (at < end && this.bytes[at] === SPACE) at += 1
    return this.bytes[at] === DASH && (this.bytes[at + 1] === SPACE || at + 1 >= end)
  }

  /** Follows where block scalars begin and end. */
  private noteText({ start, end }: Line): void {
    if (this.isBlankRange(start, end)) return
    const column = this.columnOf(start)
    if (this.blockParent >= 0) {
      if (column > this.blockParent) {
        if (this.blockIndent < 0) this.blockIndent = column
        return
      }
      this.blockParent = -1
    }
    if (this.masked[start + column] === HASH) return
    const parent = blockParent(this.masked, start, end)
    if (parent < 0) return
    this.blockParent = parent
    this.blockIndent = -1
  }

  private columnOf(start: number): number {
    let at = start
    while (this.masked[at] === SPACE) at += 1
    return at - start
  }

  /** Empty lines: spaces alone could count as the text of a block scalar. */
  private blank(start: number, end: number): void {
    this.masked.fill(LINE_FEED, start, end)
  }

  private text({ start, end }: Span): string {
    return decode(this.bytes, start, end)
  }
}

const decoder = new TextDecoder()

function decode(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end))
}

const INDENTED = /\b(n?indent)\s+(\d+)/g
const OBJECT = bytesOf('kind:')

/** Where what an action prints will start: `nindent 8`, else where the action stands. */
function printedColumn(text: string, column: number): number {
  const last = [...text.matchAll(INDENTED)].at(-1)
  if (last === undefined) return column
  const size = Number(last[2])
  return last[1] === 'nindent' ? size : column + size
}

/** A `kind:` at the start of a line. */
function holdsObject(bytes: Uint8Array, start: number, end: number): boolean {
  let line = bytes.indexOf(LINE_FEED, start)
  while (line >= 0 && line < end) {
    const from = line + 1
    if (OBJECT.every((code, index) => bytes[from + index] === code)) return true
    line = bytes.indexOf(LINE_FEED, from)
  }
  return false
}

const BLOCK_HEADER = /(?:^|:|-)(?: +[!&][^ ]+)* +[|>][-+0-9]{0,2}\s*(?: #.*)?$/

/** Column of the key or dash whose value is a block scalar that starts on the line; -1 for none. */
function blockParent(bytes: Uint8Array, start: number, end: number): number {
  const text = decode(bytes, start, end)
  if (!BLOCK_HEADER.test(text)) return -1
  const dashes = /^ *(?:- +)*/.exec(text)?.[0].length ?? 0
  // Behind the dashes stands a key, or (after the last dash) the header itself.
  const isHeader = text[dashes] === '|' || text[dashes] === '>'
  return isHeader ? Math.max(text.lastIndexOf('-', dashes), 0) : dashes
}
