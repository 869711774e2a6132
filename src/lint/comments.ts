import { isList, isObject, type Json, type Path } from '../core/json.ts'
import { outermost, textOf, type Place, type Source, type Span } from '../core/source.ts'
import type { YamlDocument } from '../core/yaml/document.ts'

/**
 * The `# semel-...` comments of a file, and the text that each speaks about: the rest of its own
 * line when it stands at the end of one, else the field (or list item) on the next line with
 * everything inside it, and the whole document when that line is the document's first.
 * Silent where `#` stands in the text of a value, and in documents that nobody read, since there
 * it cannot be told from text.
 */
export interface Comment {
  /** From `#` to the end of the line, in the outermost source. */
  readonly place: Place
  /** Without `#` and the blanks around it. */
  readonly text: string
  /** Undefined when nothing follows. */
  readonly target: Span | undefined
}

/** `documents` are all that were read of the file, also those embedded in it. */
export function semelComments(
  source: Source,
  documents: readonly YamlDocument[],
): readonly Comment[] {
  const { bytes } = source
  const found: Comment[] = []
  let known: readonly Known[] | undefined
  for (let at = bytes.indexOf(HASH); at >= 0; at = bytes.indexOf(HASH, at + 1)) {
    if (!startsDirective(bytes, at)) continue
    known ??= documents.map((document) => knownDocument(document))
    const lineEnd = endOfLine(bytes, at)
    const span = { start: at, end: trimmedEnd(bytes, at, lineEnd) }
    const text = textOf(source, span).replace(/^#+\s*/, '')
    const lineStart = startOfLine(bytes, at)
    const isAlone = isBlank(bytes, lineStart, at)
    const target = isAlone
      ? targetBelow(source, known, lineEnd)
      : { start: lineStart, end: lineEnd }
    const home = innermost(known, at)
    const isLeading = isAlone && onlyCommentsBefore(source, at)
    if (home === undefined ? !isLeading : isInValue(home, at)) continue
    found.push({ place: { source, span }, text, target })
  }
  return found
}

interface Known {
  readonly document: YamlDocument
  readonly span: Span
  readonly depth: number
}

function knownDocument(document: YamlDocument): Known {
  let depth = 0
  for (let { outer } = document.source; outer !== undefined; { outer } = outer.source) depth += 1
  const { span } = outermost({ source: document.source, span: document.span })
  return { document, span, depth }
}

/** The document, embedded ones before those that hold them, in which `offset` stands. */
function innermost(known: readonly Known[], offset: number): Known | undefined {
  let best: Known | undefined
  for (const candidate of known) {
    const { span, depth } = candidate
    if (offset < span.start || offset >= span.end) continue
    if (best === undefined || depth > best.depth) best = candidate
  }
  return best
}

function targetBelow(source: Source, known: readonly Known[], from: number): Span | undefined {
  const { bytes } = source
  const isFirst = onlyCommentsBefore(source, from)
  const below = nextContent(bytes, from, isFirst ? SKIP_SEPARATOR : KEEP_SEPARATOR)
  if (below === undefined) return undefined
  const home = innermost(known, below)
  if (home !== undefined) {
    const first = nextContent(bytes, startOfLine(bytes, home.span.start), SKIP_SEPARATOR)
    if (first !== undefined && startOfLine(bytes, first) === startOfLine(bytes, below)) {
      return { start: startOfLine(bytes, below), end: home.span.end }
    }
  }
  if (isSeparator(bytes, below)) return undefined
  return { start: startOfLine(bytes, below), end: endOfBlock(bytes, below) }
}

/** The first byte after the field or list item whose first line has its first sign at `offset`. */
function endOfBlock(bytes: Uint8Array, offset: number): number {
  const lineStart = startOfLine(bytes, offset)
  const indent = offset - lineStart
  const isItem = isDash(bytes, offset)
  let at = endOfLine(bytes, offset)
  while (at < bytes.length) {
    const next = nextContent(bytes, at, KEEP_SEPARATOR)
    if (next === undefined) return bytes.length
    const nextIndent = next - startOfLine(bytes, next)
    const isOwnItem = nextIndent === indent && !isItem && isDash(bytes, next)
    if (nextIndent <= indent && !isOwnItem) return startOfLine(bytes, next)
    at = endOfLine(bytes, next)
  }
  return bytes.length
}

const SKIP_SEPARATOR = true
const KEEP_SEPARATOR = false

/**
 * The offset of the first sign of the first line after `from` that is no blank line, no comment,
 * no template action that stands alone, and (if so wished) no document separator.
 */
function nextContent(bytes: Uint8Array, from: number, skipSeparator: boolean): number | undefined {
  let lineStart = startOfLine(bytes, from) === from ? from : from + 1
  while (lineStart < bytes.length) {
    const lineEnd = endOfLine(bytes, lineStart)
    const at = firstSign(bytes, lineStart, lineEnd)
    const isSkipped =
      at === undefined ||
      bytes[at] === HASH ||
      isLoneAction(bytes, at, lineEnd) ||
      (skipSeparator && isSeparator(bytes, at))
    if (!isSkipped) return at
    lineStart = lineEnd + 1
  }
  return undefined
}

function onlyCommentsBefore(source: Source, offset: number): boolean {
  const first = nextContent(source.bytes, 0, KEEP_SEPARATOR)
  return first === undefined || first >= offset
}

/** True when `offset` stands in the text of a value (a script in a block scalar, say). */
function isInValue({ document }: Known, offset: number): boolean {
  for (const path of stringPaths(document.value(), [])) {
    const span = document.locate(path)?.value
    if (span === undefined) continue
    const { start, end } = outermost({ source: document.source, span }).span
    if (offset >= start && offset < end) return true
  }
  return false
}

function* stringPaths(value: Json | undefined, path: Path): Generator<Path> {
  if (typeof value === 'string') yield path
  else if (isList(value)) {
    for (const [index, item] of value.entries()) yield* stringPaths(item, [...path, index])
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* stringPaths(item, [...path, key])
  }
}

function startsDirective(bytes: Uint8Array, hash: number): boolean {
  const before = hash === 0 ? LINE_FEED : bytes[hash - 1]
  const isAfterBom = hash === 3 && before === BOM_END
  if (before !== LINE_FEED && before !== SPACE && before !== TAB && !isAfterBom) return false
  let at = hash + 1
  while (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === HASH) at += 1
  for (let index = 0; index < WORD.length; index += 1) {
    if (bytes[at + index] !== WORD.charCodeAt(index)) return false
  }
  return true
}

function isSeparator(bytes: Uint8Array, at: number): boolean {
  return startOfLine(bytes, at) === at && [0, 1, 2].every((offset) => bytes[at + offset] === DASH)
}

function isDash(bytes: Uint8Array, at: number): boolean {
  const after = bytes[at + 1]
  return bytes[at] === DASH && (after === SPACE || after === LINE_FEED || after === RETURN)
}

function isLoneAction(bytes: Uint8Array, at: number, lineEnd: number): boolean {
  const end = trimmedEnd(bytes, at, lineEnd)
  return (
    end - at >= 4 &&
    bytes[at] === BRACE_OPEN &&
    bytes[at + 1] === BRACE_OPEN &&
    bytes[end - 1] === BRACE_CLOSE &&
    bytes[end - 2] === BRACE_CLOSE
  )
}

function firstSign(bytes: Uint8Array, from: number, to: number): number | undefined {
  let at = from
  if (from === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === BOM_END) at = 3
  while (at < to && isWhite(bytes[at])) at += 1
  return at < to ? at : undefined
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  return firstSign(bytes, from, to) === undefined
}

function trimmedEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = to
  while (end > from && isWhite(bytes[end - 1])) end -= 1
  return end
}

function isWhite(sign: number | undefined): boolean {
  return sign === SPACE || sign === TAB || sign === RETURN
}

function startOfLine(bytes: Uint8Array, offset: number): number {
  return offset === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, offset - 1) + 1
}

function endOfLine(bytes: Uint8Array, offset: number): number {
  const end = bytes.indexOf(LINE_FEED, offset)
  return end < 0 ? bytes.length : end
}

const WORD = 'semel-'
const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const HASH = 35
const DASH = 45
const BRACE_OPEN = 123
const BRACE_CLOSE = 125
const BOM_END = 0xbf
