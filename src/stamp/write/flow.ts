import type { Edit } from '../../core/edits.ts'
import type { Span } from '../../core/source.ts'
import { COLON, DOUBLE_QUOTE, SPACE } from '../../core/yaml/bytes.ts'
import { lineBreakAt } from '../../core/yaml/layout.ts'
import { doubleQuoted } from '../../core/yaml/write-scalar.ts'
import { indentBefore } from './layout.ts'

/** How a mapping in braces is laid out, learnt from its first key. */
export interface FlowStyle {
  /** Between two entries, behind the comma: a blank, nothing, or a line break and the indentation. */
  readonly gap: string
  /** Blanks before the keys; empty where all stands on one line. */
  readonly indent: string
  readonly step: string
  entry(key: string, value: string): string
  /** A whole mapping whose keys stand at `indent`. */
  map(entries: ReadonlyMap<string, string>, indent: string): string
}

/** The layout of a mapping in braces with this first key; without one, that of a line. */
export function flowEntries(bytes: Uint8Array, firstKey: Span | undefined): FlowStyle {
  const start = firstKey?.start ?? 0
  const isQuoted = firstKey !== undefined && bytes[start] === DOUBLE_QUOTE
  const isTight = firstKey !== undefined && isQuoted && valueFollowsAtOnce(bytes, firstKey.end)
  const indent = firstKey === undefined ? undefined : indentBefore(bytes, start)
  const br = lineBreakAt(bytes, start)
  const step = indent?.includes('\t') === true ? '\t' : '  '
  const entry = (key: string, value: string): string =>
    `${isQuoted ? doubleQuoted(key) : key}:${isTight ? '' : ' '}${value}`
  const oneLine = isTight ? '' : ' '
  return {
    gap: indent === undefined ? oneLine : br + indent,
    indent: indent ?? '',
    step: indent === undefined ? '' : step,
    entry,
    map(entries, inner) {
      const texts = [...entries].map(([key, value]) => entry(key, doubleQuoted(value)))
      if (indent === undefined) return `{${texts.join(`,${oneLine}`)}}`
      const outer = inner.slice(0, Math.max(inner.length - step.length, 0))
      return `{${br}${inner}${texts.join(`,${br}${inner}`)}${br}${outer}}`
    },
  }
}

/** New entries before the first one of a mapping in braces. */
export function intoFlow(
  bytes: Uint8Array,
  firstKey: Span,
  entries: ReadonlyMap<string, string>,
): Edit {
  const style = flowEntries(bytes, firstKey)
  const text = [...entries]
    .map(([key, value]) => `${style.entry(key, doubleQuoted(value))},${style.gap}`)
    .join('')
  return { start: firstKey.start, end: firstKey.start, text }
}

/** The entries of a mapping in braces that has none. */
export function fillFlow(
  { start, end }: Span,
  entries: ReadonlyMap<string, string>,
  style: FlowStyle,
): Edit {
  return { start, end, text: style.map(entries, style.indent + style.step) }
}

function valueFollowsAtOnce(bytes: Uint8Array, keyEnd: number): boolean {
  return bytes[keyEnd] === COLON && bytes[keyEnd + 1] !== SPACE
}
