import type { Edit } from '../core/edits.ts'
import { at, isObject, type Path } from '../core/json.ts'
import { textOf, type Source, type Span } from '../core/source.ts'
import { byteLength } from '../core/text.ts'
import { COMMA, DASH, OPEN_MAP, SPACE, TAB, isBlank, lineEnd } from '../core/yaml/bytes.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import { behindColon, isBlankBetween, lineStart } from '../core/yaml/layout.ts'
import { isWhite, lastSign, startsOf } from './fix-bytes.ts'

/** A field with all of its lines; never the last one of a mapping. */
export function removeField(document: YamlDocument, path: Path): Edit | undefined {
  const found = document.locate(path)
  if (found?.key === undefined) return undefined
  const parent = at(document.value(), path.slice(0, -1))
  if (!isObject(parent) || Object.keys(parent).length === 1) return undefined
  const end = Math.max(found.key.end, found.value.end)
  return removeEntry(document, path.slice(0, -1), { start: found.key.start, end })
}

/** An entry whose key stands again further down in the mapping at `path`. */
export function removeHidden(document: YamlDocument, path: Path, key: Span): Edit | undefined {
  const around = document.locate(path)?.value
  if (around === undefined) return undefined
  const end = endOfHidden(document.source.bytes, key, around)
  return end === undefined ? undefined : removeEntry(document, path, { start: key.start, end })
}

/** An entry of the mapping at `path`, from its key to the end of its value. */
function removeEntry(document: YamlDocument, path: Path, entry: Span): Edit | undefined {
  const { bytes } = document.source
  const map = document.locate(path)?.value
  if (map === undefined || entry.start < map.start || entry.end > map.end) return undefined
  if (bytes[map.start] === OPEN_MAP) return removeFromFlow(bytes, entry)
  const start = lineStart(bytes, entry.start)
  if (isBlankBetween(bytes, start, entry.start)) {
    return { start, end: lineEnd(bytes, lastSign(bytes, entry)), text: '' }
  }
  // The first entry of a list item stands behind its dash, where the next one takes its place.
  const next = startsOf(document, path).find((key) => key >= entry.end)
  if (next === undefined || !isWhite(bytes, entry.end, next)) return undefined
  return { start: entry.start, end: next, text: '' }
}

/** In braces an entry goes with one comma; alone on its lines it takes these with it. */
function removeFromFlow(bytes: Uint8Array, { start, end }: Span): Edit | undefined {
  let after = end
  while (isBlank(bytes[after])) after += 1
  if (bytes[after] === COMMA) {
    const line = lineStart(bytes, start)
    const stop = lineEnd(bytes, after)
    const isAlone = isBlankBetween(bytes, line, start) && isWhite(bytes, after + 1, stop)
    if (isAlone) return { start: line, end: stop, text: '' }
    after += 1
    while (bytes[after] === SPACE || bytes[after] === TAB) after += 1
    return { start, end: after, text: '' }
  }
  let before = start
  while (isBlank(bytes[before - 1])) before -= 1
  return bytes[before - 1] === COMMA ? { start: before - 1, end, text: '' } : undefined
}

/**
 * The end of an entry that no path leads to. In braces only a simple value can be told from what
 * follows; in a block the entry ends before the first line that is not indented deeper.
 */
function endOfHidden(bytes: Uint8Array, key: Span, around: Span): number | undefined {
  const at = behindColon(bytes, key.end)
  if (at === undefined) return undefined
  if (bytes[around.start] === OPEN_MAP) {
    const rest = textOf({ path: '', bytes }, { start: at, end: around.end })
    const value =
      /^\s*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,{}[\]"'#&*!|>%@`][^,{}[\]"'\n#]*?)(?=\s*[,}])/
    const match = value.exec(rest)
    return match === null ? undefined : at + byteLength(match[0])
  }
  const column = key.start - lineStart(bytes, key.start)
  let end = lastSign(bytes, { start: key.start, end: lineEnd(bytes, at) }) + 1
  for (let line = lineEnd(bytes, at); line < around.end; line = lineEnd(bytes, line)) {
    let sign = line
    while (bytes[sign] === SPACE) sign += 1
    if (isBlank(bytes[sign])) continue
    const isItem = sign - line === column && bytes[sign] === DASH && isBlank(bytes[sign + 1])
    if (sign - line <= column && !isItem) break
    end = lastSign(bytes, { start: line, end: lineEnd(bytes, line) }) + 1
  }
  return end
}

/** The comment without one of its rules, or no comment when that was the only one. */
export function unsuppress(source: Source, comment: Span, rule: string): Edit | undefined {
  const { bytes } = source
  const text = textOf(source, comment)
  const [, head = '', names = ''] = /^(#+\s*semel-[a-z-]*[a-z]\s+)([^:]*)/.exec(text) ?? []
  const kept = names.split(/[\s,]+/).filter((name) => name !== '' && name !== rule)
  if (head === '') return undefined
  if (kept.length > 0) {
    const start = comment.start + head.length
    return { start, end: start + names.trimEnd().length, text: kept.join(', ') }
  }
  const line = lineStart(bytes, comment.start)
  if (isBlankBetween(bytes, line, comment.start)) {
    return { start: line, end: lineEnd(bytes, comment.start), text: '' }
  }
  let start = comment.start
  while (bytes[start - 1] === SPACE || bytes[start - 1] === TAB) start -= 1
  return { start, end: comment.end, text: '' }
}
