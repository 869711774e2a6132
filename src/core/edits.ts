import { invariant } from './faults.ts'
import { asUtf8 } from './yaml/utf16.ts'

/** Puts `text` in the place of the bytes from `start` to `end`; offsets of the file in UTF-8. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** In the order of the file; edits may touch, but not overlap. */
export function sortEdits(edits: readonly Edit[]): readonly Edit[] {
  return [...edits].sort((one, other) => one.start - other.start || one.end - other.end)
}

/**
 * The bytes with the edits made. A file in UTF-16 stays one; without edits the bytes are handed
 * back as they are.
 */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes
  const utf8 = asUtf8({ path: '', bytes }).bytes
  // A UTF-16 unit takes three bytes at most.
  const room = edits.reduce((sum, { text }) => sum + text.length * 3, utf8.length)
  const whole = new Uint8Array(room)
  let length = 0
  let at = 0
  for (const edit of edits) {
    requireFit(edit, at, utf8.length)
    whole.set(utf8.subarray(at, edit.start), length)
    length += edit.start - at
    length += encoder.encodeInto(edit.text, whole.subarray(length)).written
    at = edit.end
  }
  whole.set(utf8.subarray(at), length)
  const made = whole.subarray(0, length + utf8.length - at)
  return utf8 === bytes ? made : asUtf16(made, bytes[0] === 0xff)
}

const encoder = new TextEncoder()

function requireFit({ start, end }: Edit, from: number, size: number): void {
  invariant(start >= from && end >= start && end <= size, `an edit at ${start} does not fit`)
}

/** The same piece by piece, for writing a large stream of UTF-8 without a copy of it. */
export function* pieceBytes(bytes: Uint8Array, edits: readonly Edit[]): Generator<Uint8Array> {
  let at = 0
  for (const edit of edits) {
    requireFit(edit, at, bytes.length)
    const { start, end, text } = edit
    if (start > at) yield bytes.subarray(at, start)
    if (text !== '') yield encoder.encode(text)
    at = end
  }
  if (at < bytes.length) yield bytes.subarray(at)
}

function asUtf16(utf8: Uint8Array, isLittleEndian: boolean): Uint8Array {
  const text = new TextDecoder().decode(utf8)
  const bytes = new Uint8Array(2 + text.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff, isLittleEndian)
  for (let at = 0; at < text.length; at += 1) {
    view.setUint16(2 + at * 2, text.charCodeAt(at), isLittleEndian)
  }
  return bytes
}
