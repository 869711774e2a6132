import type { Edit } from '../core/edits.ts'
import { at, isList, isObject, type Json, type Path } from '../core/json.ts'
import { textOf } from '../core/source.ts'
import {
  DOUBLE_QUOTE,
  LINE_FEED,
  OPEN_LIST,
  OPEN_MAP,
  SINGLE_QUOTE,
  lineEnd,
} from '../core/yaml/bytes.ts'
import type { Location, YamlDocument } from '../core/yaml/document.ts'
import { behindColon, isBlankBetween, lineBreakAt, lineStart } from '../core/yaml/layout.ts'
import { doubleQuoted, isPlainText, singleQuoted } from '../core/yaml/write-scalar.ts'
import { startsOf } from './fix-bytes.ts'
import type { Scalar } from './fix-edits.ts'

/** A scalar at a path, in the place of the old one or as a new entry. */
export function setField(document: YamlDocument, path: Path, value: Scalar): Edit | undefined {
  const found = document.locate(path)
  if (found !== undefined) return replaceScalar(document, path, found, value)
  const key = path.at(-1)
  if (typeof key !== 'string') return undefined
  const parent = path.slice(0, -1)
  if (at(document.value(), parent) !== undefined) return addEntry(document, parent, [key], value)
  const outer = parent.at(-1)
  return typeof outer === 'string'
    ? addEntry(document, parent.slice(0, -1), [outer, key], value)
    : undefined
}

function replaceScalar(
  document: YamlDocument,
  path: Path,
  { key, value: span }: Location,
  value: Scalar,
): Edit | undefined {
  const before = at(document.value(), path)
  if (isList(before) || isObject(before)) return undefined
  const { bytes } = document.source
  if (span.start < span.end) {
    const text = written(value, isInFlow(document, path.slice(0, -1)), bytes[span.start])
    return { ...span, text }
  }
  if (key === undefined) return undefined
  const start = behindColon(bytes, key.end)
  if (start === undefined) return undefined
  const text = ` ${written(value, isInFlow(document, path.slice(0, -1)))}`
  return { start, end: start, text }
}

/**
 * A new entry before the first one of the mapping at `path`; `keys` are one key, or two for an
 * entry in a mapping of its own.
 */
function addEntry(
  document: YamlDocument,
  path: Path,
  keys: readonly [string] | readonly [string, string],
  value: Scalar,
): Edit | undefined {
  const { bytes } = document.source
  const map = document.locate(path)
  const [first] = startsOf(document, path)
  if (map === undefined) return undefined
  if (first === undefined) return fillEmpty(document, path, map, { keys, value })
  const start = lineStart(bytes, first)
  const isFirst = isBlankBetween(bytes, start, first)
  const margin = isFirst ? textOf(document.source, { start, end: first }) : ''
  const br = lineBreakAt(bytes, first)
  if (bytes[map.value.start] === OPEN_MAP) {
    const text = flowEntry(keys, value, bytes[first] === DOUBLE_QUOTE)
    return { start: first, end: first, text: `${text},${isFirst ? br + margin : ' '}` }
  }
  // Behind a dash, or an anchor, the mapping begins on a line that is not its own.
  if (!isFirst || map.value.start !== first) return undefined
  return { start: first, end: first, text: `${blockEntry(keys, value, margin, br)}${br}${margin}` }
}

interface NewEntry {
  readonly keys: readonly [string] | readonly [string, string]
  readonly value: Scalar
}

/** A mapping without entries: `{}`, or nothing behind its colon. */
function fillEmpty(
  document: YamlDocument,
  path: Path,
  { key, value: span }: Location,
  { keys, value }: NewEntry,
): Edit | undefined {
  const { source } = document
  const { bytes } = source
  const isJson = document.parser === 'json'
  if (textOf(source, span).replaceAll(/\s/g, '') === '{}') {
    return { ...span, text: `{${flowEntry(keys, value, isJson)}}` }
  }
  const isMissing = at(document.value(), path) === null && span.start === span.end
  if (!isMissing || key === undefined || isInFlow(document, path.slice(0, -1))) return undefined
  const start = lineStart(bytes, key.start)
  if (!isBlankBetween(bytes, start, key.start)) return undefined
  const margin = `${textOf(source, { start, end: key.start })}  `
  const br = lineBreakAt(bytes, key.start)
  const end = lineEnd(bytes, key.end)
  const entry = margin + blockEntry(keys, value, margin, br)
  const isEnded = bytes[end - 1] === LINE_FEED
  return { start: end, end, text: isEnded ? entry + br : br + entry }
}

function blockEntry(keys: NewEntry['keys'], value: Scalar, margin: string, br: string): string {
  const [outer, inner] = keys
  const text = written(value, false)
  if (inner === undefined) return `${written(outer, false)}: ${text}`
  return `${written(outer, false)}:${br}${margin}  ${written(inner, false)}: ${text}`
}

function flowEntry(keys: NewEntry['keys'], value: Scalar, isQuoted: boolean): string {
  const [outer, inner] = keys
  const name = (key: string): string => (isQuoted ? doubleQuoted(key) : written(key, false))
  const text = written(value, true)
  return inner === undefined
    ? `${name(outer)}: ${text}`
    : `${name(outer)}: {${name(inner)}: ${text}}`
}

/** A scalar in the quotes that it had; plain text only where both readings take it for itself. */
function written(value: Scalar, isFlow: boolean, before?: number): string {
  if (typeof value !== 'string') return String(value)
  const single = before === SINGLE_QUOTE ? singleQuoted(value) : undefined
  if (single !== undefined) return single
  if (before === DOUBLE_QUOTE || isFlow || !isPlainText(value)) return doubleQuoted(value)
  return value
}

function isInFlow(document: YamlDocument, path: Path): boolean {
  const { bytes } = document.source
  const value: Json = document.value()
  for (let length = 0; length <= path.length; length += 1) {
    const step = path.slice(0, length)
    const first = bytes[document.locate(step)?.value.start ?? -1]
    const here = at(value, step)
    if ((isObject(here) || isList(here)) && (first === OPEN_MAP || first === OPEN_LIST)) return true
  }
  return false
}
