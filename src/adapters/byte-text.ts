import type { Source, Span } from '../core/source.ts'

/** A span of bytes as text, and back from text positions to byte offsets. */
export class ByteText {
  readonly text: string
  private readonly start: number
  private readonly end: number
  /** Byte offset of each UTF-16 unit; undefined when every character is one byte. */
  private readonly offsets: Uint32Array | undefined

  constructor(source: Source, { start, end }: Span) {
    this.start = start
    this.end = end
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      source.bytes.subarray(start, end),
    )
    this.offsets = text.length === end - start ? undefined : offsetsOf(text)
    // As kubectl does before it parses: the last line always ends.
    this.text = text.endsWith('\n') ? text : `${text}\n`
  }

  offsetOf(position: number): number {
    const offset = this.offsets === undefined ? position : this.offsets[position]
    return Math.min(this.start + (offset ?? this.end), this.end)
  }

  spanOf(from: number, to: number): Span {
    return { start: this.offsetOf(from), end: this.offsetOf(to) }
  }
}

function offsetsOf(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1)
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    offsets[at] = bytes
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code >= 0xd800 && code <= 0xdfff) bytes += 2
    else bytes += 3
  }
  offsets[text.length] = bytes
  return offsets
}
