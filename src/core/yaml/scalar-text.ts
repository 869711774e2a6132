import {
  END,
  EXTRA,
  JSON_NUMBER,
  JSON_WORD,
  KIND,
  KIND_MASK,
  PLAIN,
  START,
  TEXT,
  type Tape,
} from './tape.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a scalar after unquoting and folding. */
export function scalarText(bytes: Uint8Array, tape: Tape, at: number): string {
  const { cells, texts } = tape
  const kind = (cells[at + KIND] ?? 0) & KIND_MASK
  const start = cells[at + START] ?? 0
  const end = cells[at + END] ?? 0
  switch (kind) {
    case TEXT:
      return texts[cells[at + EXTRA] ?? 0]?.text ?? ''
    case PLAIN:
    case JSON_NUMBER:
    case JSON_WORD:
      return decode(bytes, start, end)
    default:
      return decode(bytes, start, end)
  }
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end))
}
