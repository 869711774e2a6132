import type { Span } from '../source.ts'
import { findActions, type Action } from './actions.ts'
import { CARRIAGE_RETURN, DASH, HASH, LINE_FEED, SPACE, TAB, bytesOf } from './bytes.ts'
import type { Delimiters } from './actions.ts'
import type { OpenPlace } from './document.ts'

export { HELM, RESOURCE_SET, type Delimiters } from './actions.ts'

export interface Masked {
  /** As long as the template, offset for offset. */
  readonly bytes: Uint8Array
  readonly actions: readonly Span[]
  readonly openPlaces: readonly OpenPlace[]
}

/** Stands for an action inside a line. No kind, number or word is made of it. */
const FILLER = 0x5f

/**
 * Makes a Go template readable as YAML without moving a byte. An action inside a line becomes
 * filler, so the scalar around it keeps its place and takes its text from the template. A line of
 * nothing but actions becomes empty lines; what it may print is an open place. Inside a block
 * scalar such a line is text.
 */
export function maskTemplate(bytes: Uint8Array, delimiters: Delimiters): Masked {
  const actions = findActions(bytes, delimiters)
  const masker = new Masker(bytes, actions)
  masker.run()
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
  private readonly actions: readonly Action[]
  /** Column of the key (or dash) whose block scalar the line may belong to; -1 outside of one. */
  private blockParent = -1
  /** Column of the block scalar's text; -1 before its first line. */
  private blockIndent = -1
  /** The `define` whose body is passed over. */
  private hiddenUntil = -1

  constructor(bytes: Uint8Array, actions: readonly Action[]) {
    this.bytes = bytes
    this.actions = actions
    this.masked = bytes.slice()
  }

  run(): void {
    this.hideDefinitions()
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

  /** The body of a `define` is printed elsewhere, unless it holds a whole object. */
  private hideDefinitions(): void {
    for (const action of this.actions) {
      if (action.word !== 'define' || action.start < this.hiddenUntil) continue
      const end = action.closedBy
      if (end === undefined || holdsObject(this.bytes, action.end, end.start)) continue
      this.blank(action.end, end.start)
      this.hiddenUntil = end.end
    }
  }

  private line(line: Line): void {
    if (line.actions.length === 0) {
      this.noteText(line)
      return
    }
    if (this.isOnlyActions(line)) this.actionLine(line)
    else this.mixedLine(line)
  }

  private isOnlyActions({ start, end, actions }: Line): boolean {
    let at = start
    for (const action of actions) {
      if (!this.isBlankRange(at, action.start)) return false
      at = Math.max(at, action.end)
    }
    return this.isBlankRange(at, end)
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

  private actionLine({ start, end, actions }: Line): void {
    const column = this.columnOf(start)
    const output = actions.find((action) => action.isOutput)
    const indent = output === undefined ? column : printedColumn(this.text(output), column)
    if (this.blockParent >= 0 && indent > this.blockParent && this.asBlockText(start, end, indent)) {
      return
    }
    this.blank(start, end)
    for (const action of actions) {
      if (!action.isOutput) continue
      const text = this.text(action)
      this.openPlaces.push({ offset: action.start, indent: printedColumn(text, column), text })
    }
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
    const isTail = this.isBlankRange(action.end, line.end)
    const opener = action.opens
    const isWrapper =
      opener !== undefined &&
      (opener.start < line.start || this.isBlankRange(line.start, opener.start))
    const isQuiet = action.word === 'comment' || (action.word === 'end' && isWrapper)
    const isOpenTail = action.closedBy !== undefined && action.closedBy.start > line.end
    if (isTail && (isQuiet || isOpenTail)) {
      this.masked.fill(SPACE, action.start, action.end)
      return
    }
    this.masked.fill(FILLER, action.start, action.end)
    const text = this.text(action)
    if (action.isOutput && INDENTED.test(text)) {
      const column = this.columnOf(line.start)
      this.openPlaces.push({ offset: action.start, indent: printedColumn(text, column), text })
    }
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
    return decoder.decode(this.bytes.subarray(start, end))
  }
}

const decoder = new TextDecoder()
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
  for (let line = bytes.indexOf(LINE_FEED, start); line >= 0 && line < end; ) {
    if (OBJECT.every((code, index) => bytes[line + 1 + index] === code)) return true
    line = bytes.indexOf(LINE_FEED, line + 1)
  }
  return false
}

/** Column of the key or dash whose value is a block scalar that starts on the line; -1 for none. */
function blockParent(bytes: Uint8Array, start: number, end: number): number {
  const text = decoder.decode(bytes.subarray(start, end))
  if (!BLOCK_HEADER.test(text)) return -1
  const dashes = /^ *(?:- +)*/.exec(text)?.[0].length ?? 0
  // Behind the dashes stands a key, or (after the last dash) the header itself.
  if (text.charCodeAt(dashes) === 0x7c || text.charCodeAt(dashes) === 0x3e) {
    return Math.max(text.lastIndexOf('-', dashes), 0)
  }
  return dashes
}

const BLOCK_HEADER = /(?:^|:|-)(?: +[!&][^ ]+)* +[|>][-+0-9]{0,2}\s*(?: #.*)?$/

