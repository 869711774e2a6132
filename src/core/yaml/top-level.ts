import type { Span } from '../source.ts'
import { CARRIAGE_RETURN, COLON, HASH, LINE_FEED, SPACE, bytesOf, startsWithAt } from './bytes.ts'

/** Where kind and apiVersion of a document stand, or that only a parser can tell. */
export interface TopLevel {
  readonly isOdd: boolean
  /** Missing when the document has no kind: then it is no object. */
  readonly kind?: Span
  readonly apiVersion?: Span
}

const KIND = bytesOf('kind')
const API_VERSION = bytesOf('apiVersion')
const ODD: TopLevel = { isOdd: true }

/** Bytes that may start a line at column 0 of an ordinary object: keys of letters and the like. */
const LINE_START = lineStarts()

/**
 * Finds kind and apiVersion of an object by the lines at column 0 alone. Everything that could
 * spell them in another way (quotes, tags, aliases, `?`, `<<`, flow, an indented root, a second
 * `kind`) is odd, which means parse and never skip.
 */
export function scanTopLevel(bytes: Uint8Array, start: number, end: number): TopLevel {
  let kind: Span | undefined
  let apiVersion: Span | undefined
  let isFirst = true
  let line = start
  while (line < end) {
    const code = bytes[line] as number
    const step = LINE_START[code]
    if (step === 0) return ODD
    if (step === 2) {
      if (isFirst && isIndentedContent(bytes, line, end)) return ODD
    } else {
      isFirst = false
      if (isKey(bytes, KIND, line)) {
        if (kind !== undefined) return ODD
        kind = simpleValue(bytes, line + KIND.length, end)
        if (kind === undefined) return ODD
      } else if (isKey(bytes, API_VERSION, line)) {
        if (apiVersion !== undefined) return ODD
        apiVersion = simpleValue(bytes, line + API_VERSION.length, end)
        if (apiVersion === undefined) return ODD
      }
    }
    const feed = bytes.indexOf(LINE_FEED, line)
    if (feed < 0) break
    line = feed + 1
  }
  return { isOdd: false, ...(kind && { kind }), ...(apiVersion && { apiVersion }) }
}

function isKey(bytes: Uint8Array, key: Uint8Array, line: number): boolean {
  if (bytes[line] !== key[0] || !startsWithAt(bytes, key, line)) return false
  const next = bytes[line + key.length]
  return next === undefined || WORD[next] === 0
}

function isIndentedContent(bytes: Uint8Array, line: number, end: number): boolean {
  let at = line
  while (at < end && bytes[at] === SPACE) at += 1
  if (at >= end) return false
  const code = bytes[at]
  return code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== HASH
}

/** `: word` to the end of the line or a comment. */
function simpleValue(bytes: Uint8Array, colon: number, end: number): Span | undefined {
  if (bytes[colon] !== COLON || bytes[colon + 1] !== SPACE) return undefined
  let at = colon + 2
  while (at < end && bytes[at] === SPACE) at += 1
  const start = at
  while (at < end && WORD[bytes[at] as number] !== 0) at += 1
  const stop = at
  if (stop === start) return undefined
  while (at < end && bytes[at] === SPACE) at += 1
  if (at >= end) return { start, end: stop }
  const code = bytes[at]
  const isOver =
    code === LINE_FEED ||
    (code === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) ||
    (code === HASH && at > stop)
  return isOver ? { start, end: stop } : undefined
}

const WORD = words()

/** 1 for letters and digits, 2 for what else an apiVersion is made of. */
function words(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(1, 48, 58)
  table.fill(1, 65, 91)
  table.fill(1, 97, 123)
  for (const letter of './-') table[letter.charCodeAt(0)] = 2
  return table
}

/** 0 odd, 1 a key, 2 nothing at this column. */
function lineStarts(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(1, 48, 58)
  table.fill(1, 65, 91)
  table.fill(1, 97, 123)
  for (const letter of '_/$') table[letter.charCodeAt(0)] = 1
  for (const letter of ' #-\n\r') table[letter.charCodeAt(0)] = 2
  return table
}
