import type { Span } from '../source.ts'
import {
  BACKSLASH,
  DOUBLE_QUOTE,
  LINE_FEED,
  SINGLE_QUOTE,
  bytesOf,
  findBytes,
  startsWithAt,
} from './bytes.ts'

export interface Delimiters {
  readonly open: Uint8Array
  readonly close: Uint8Array
}

export const HELM: Delimiters = { open: bytesOf('{{'), close: bytesOf('}}') }
export const RESOURCE_SET: Delimiters = { open: bytesOf('<<'), close: bytesOf('>>') }

/** An action of a Go template, with its delimiters. */
export interface Action extends Span {
  /** Its keyword (`if`, `end` ...), `comment`, `assignment`, or empty. */
  readonly word: string
  /** Whether it prints anything itself. */
  readonly isOutput: boolean
  /** Of an `end` or `else`: the action that it belongs to. */
  readonly opens?: Action
  /** Of an action that opens a block: its `end`. */
  readonly closedBy?: Span
}

const OPENERS: ReadonlySet<string> = new Set(['if', 'with', 'range', 'define', 'block'])
const SILENT: ReadonlySet<string> = new Set([
  ...OPENERS,
  'else',
  'end',
  'break',
  'continue',
  'comment',
  'assignment',
])

/** The actions of a template in order; an action that nothing closes is none. */
export function findActions(bytes: Uint8Array, { open, close }: Delimiters): readonly Action[] {
  const actions: Action[] = []
  const blocks: { -readonly [Key in keyof Action]: Action[Key] }[] = []
  let at = findBytes(bytes, open, 0)
  while (at >= 0) {
    const end = actionEnd(bytes, at + open.length, close)
    if (end < 0) break
    const word = wordOf(bytes, at + open.length, end - close.length)
    const action = { start: at, end, word, isOutput: !SILENT.has(word) }
    const block = blocks.at(-1)
    if ((word === 'end' || word === 'else') && block !== undefined) {
      actions.push({ ...action, opens: block })
    } else {
      actions.push(action)
    }
    if (word === 'end' && block !== undefined) {
      block.closedBy = { start: at, end }
      blocks.pop()
    }
    if (OPENERS.has(word)) blocks.push(action)
    at = findBytes(bytes, open, end)
  }
  return actions
}

/** The first action that shares a byte with the span; undefined when none does. */
export function actionWithin(actions: readonly Action[], span: Span): Action | undefined {
  return actionsWithin(actions, span).next().value ?? undefined
}

/** The actions that share a byte with the span, in order. */
export function* actionsWithin(
  actions: readonly Action[],
  { start, end }: Span,
): Generator<Action, undefined> {
  let low = 0
  let high = actions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((actions[middle] as Action).end > start) high = middle
    else low = middle + 1
  }
  for (let at = low; at < actions.length; at += 1) {
    const action = actions[at] as Action
    if (action.start >= end) return
    yield action
  }
}

/** Behind the closing delimiter; quotes and comments may hold one that does not count. */
function actionEnd(bytes: Uint8Array, from: number, close: Uint8Array): number {
  let at = from
  if (bytes[at] === 0x2d && isSpace(bytes[at + 1])) at += 2
  if (startsWithAt(bytes, COMMENT_OPEN, at)) {
    const stop = findBytes(bytes, COMMENT_CLOSE, at + 2)
    const end = stop < 0 ? -1 : findBytes(bytes, close, stop + 2)
    return end < 0 ? -1 : end + close.length
  }
  while (at < bytes.length) {
    const code = bytes[at] as number
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) at = quotedEnd(bytes, at, code)
    else if (code === 0x60) at = rawEnd(bytes, at)
    else if (startsWithAt(bytes, close, at)) return at + close.length
    else at += 1
  }
  return -1
}

function quotedEnd(bytes: Uint8Array, from: number, quote: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const code = bytes[at]
    if (code === BACKSLASH) at += 1
    else if (code === quote) return at + 1
    else if (code === LINE_FEED) break
  }
  return from + 1
}

function rawEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(0x60, from + 1)
  return end < 0 ? from + 1 : end + 1
}

const COMMENT_OPEN = bytesOf('/*')
const COMMENT_CLOSE = bytesOf('*/')
const ASSIGNMENT = /^\$\w*(?:\s*,\s*\$\w*)?\s*:?=/
const WORD = /^[a-z]+\b/

function wordOf(bytes: Uint8Array, start: number, end: number): string {
  const text = new TextDecoder()
    .decode(bytes.subarray(start, Math.min(end, start + 200)))
    .replace(/^-\s/, '')
    .trimStart()
  if (text.startsWith('/*')) return 'comment'
  if (ASSIGNMENT.test(text)) return 'assignment'
  return WORD.exec(text)?.[0] ?? ''
}

function isSpace(code: number | undefined): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}
