import type { Path } from '../json.ts'
import type { Source } from '../source.ts'
import type { YamlDocument } from './document.ts'
import { TapeDocument } from './tape-document.ts'

/**
 * The text of a scalar as a source of its own (a ResourceSet's `resourcesTemplate`, Helm values in
 * an Argo CD Application), from which places lead back to the file: byte for byte in a literal
 * block scalar, to the start of the scalar in other styles. Undefined when no text is there.
 */
export function embeddedSource(document: YamlDocument, path: Path): Source | undefined {
  if (!(document instanceof TapeDocument)) return undefined
  const text = document.textAt(path)
  const found = document.locate(path)
  if (text === undefined || found === undefined) return undefined
  const bytes = new TextEncoder().encode(text)
  const { source } = document
  const { start, end } = found.value
  const lines = literalLines(source.bytes, start, end, bytes)
  const offsetOf = lines === undefined ? () => start : (offset: number) => lines.offsetOf(offset)
  return { path: source.path, bytes, outer: { source, offsetOf } }
}

/** Line by line, where the text of a literal block scalar stands in the file. */
class LineMap {
  private readonly inner: number[] = []
  private readonly outer: number[] = []

  add(inner: number, outer: number): void {
    this.inner.push(inner)
    this.outer.push(outer)
  }

  offsetOf(offset: number): number {
    let low = 0
    let high = this.inner.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.inner[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return (this.outer[low] as number) + offset - (this.inner[low] as number)
  }
}

const LINE_FEED = 10
const PIPE = 0x7c

function literalLines(
  file: Uint8Array,
  start: number,
  end: number,
  text: Uint8Array,
): LineMap | undefined {
  if (file[start] !== PIPE) return undefined
  const lines = new LineMap()
  let outer = file.indexOf(LINE_FEED, start) + 1
  let inner = 0
  while (inner < text.length && outer > 0 && outer <= end) {
    const innerEnd = lineStop(text, inner)
    const outerEnd = lineStop(file, outer)
    // The line ends with its text; what stands before that is indentation.
    const length = innerEnd - inner
    const tail = file[outerEnd - 1] === 13 ? outerEnd - 1 : outerEnd
    lines.add(inner, length === 0 ? outer : tail - length)
    inner = innerEnd + 1
    outer = outerEnd + 1
  }
  return lines
}

function lineStop(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from)
  return end < 0 ? bytes.length : end
}
