import type { Edit } from '../../core/edits.ts'
import type { Span } from '../../core/source.ts'
import { byteLength } from '../../core/text.ts'
import { DOUBLE_QUOTE, GREATER, PIPE, SINGLE_QUOTE } from '../../core/yaml/bytes.ts'
import {
  doubleQuoted,
  isPlainText,
  readsAsItself,
  singleQuoted,
} from '../../core/yaml/write-scalar.ts'

export interface ScalarPlace {
  readonly bytes: Uint8Array
  /** Of the scalar with its quotes; empty where the value is missing. */
  readonly span: Span
  /** Where a missing value is to be written: behind the colon. */
  readonly colonEnd: number
  /** Inside braces new text is quoted, in JSON every text is. */
  readonly isFlow: boolean
  readonly isJson: boolean
}

/** Another text for a scalar, in the quotes that it has. */
export function scalarEdit(place: ScalarPlace, text: string): Edit {
  const { bytes, span, colonEnd, isFlow, isJson } = place
  const { start, end } = span
  if (start === end) return { start: colonEnd, end: colonEnd, text: ` ${write(text, isFlow)}` }
  const first = bytes[start]
  if (first === DOUBLE_QUOTE) return { start, end, text: doubleQuoted(text) }
  const single = first === SINGLE_QUOTE ? singleQuoted(text) : undefined
  if (single !== undefined) return { start, end, text: single }
  // A name has none of the characters that end plain text in braces.
  const isName = !isJson && /^[a-z0-9.-]+$/.test(text)
  return { start, end, text: write(text, isFlow && !isName) }
}

/** Text as a new scalar of its own. */
export function write(text: string, isFlow: boolean): string {
  return !isFlow && isPlainText(text) ? text : doubleQuoted(text)
}

/**
 * Part of a scalar's text: only these bytes change, where they can be found in the source. The
 * part is a name, so it holds nothing that quotes or escapes would spell in another way.
 */
export function partEdit(
  place: ScalarPlace,
  whole: string,
  part: { readonly start: number; readonly end: number; readonly text: string },
): Edit | undefined {
  const span = partSpan(place, whole, part)
  if (span === undefined) return undefined
  const text = whole.slice(0, part.start) + part.text + whole.slice(part.end)
  const first = place.bytes[place.span.start]
  const isOpen = first !== DOUBLE_QUOTE && first !== SINGLE_QUOTE && !isBlock(first)
  if (isOpen && !readsAsItself(text)) return scalarEdit(place, text)
  return { ...span, text: part.text }
}

/** Where a part of the text stands in the bytes; undefined where escapes or folding hide it. */
export function partSpan(
  { bytes, span }: Pick<ScalarPlace, 'bytes' | 'span'>,
  whole: string,
  part: { readonly start: number; readonly end: number },
): Span | undefined {
  const word = whole.slice(part.start, part.end)
  if (word === '') return undefined
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    bytes.subarray(span.start, span.end),
  )
  const inText = places(whole, word)
  const inRaw = places(raw, word)
  if (inText.length !== inRaw.length) return undefined
  const at = inRaw[inText.indexOf(part.start)]
  if (at === undefined) return undefined
  const start = span.start + byteLength(raw.slice(0, at))
  return { start, end: start + byteLength(word) }
}

function places(text: string, word: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) found.push(at)
  return found
}

export function isBlock(first: number | undefined): boolean {
  return first === PIPE || first === GREATER
}
