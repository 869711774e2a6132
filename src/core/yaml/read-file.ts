import { isList, isObject, stringAt, type Json } from '../json.ts'
import type { Source, Span } from '../source.ts'
import type { FileReading, FullParser, ReadError, YamlDocument } from './document.ts'
import { readError } from './read-error.ts'
import { documentEnd, firstContent, lineEnd, splitStream, type Chunk } from './stream.ts'
import { TapeDocument } from './tape-document.ts'
import { tapeOfTree } from './tape.ts'

/**
 * Which documents somebody wants: those of a kind, of an API group, or both, and `List` kinds
 * that hold the words. Documents that nobody wants are not parsed, and their faults not reported.
 */
export interface Wanted {
  /** For files that are known by their name: kustomization.yaml, values.yaml, fleet.yaml. */
  readonly all?: boolean
  readonly needles: readonly Needle[]
}

export interface Needle {
  readonly kind?: string
  readonly group?: string
}

export interface ReadLimits {
  /** Collections inside collections. */
  readonly depth: number
  readonly documents: number
}

export const READ_LIMITS: ReadLimits = { depth: 1_000, documents: 100_000 }

export interface ReadOptions {
  readonly wanted: Wanted
  readonly fullParser: FullParser | undefined
  readonly limits?: Partial<ReadLimits>
  /** The file is known to be a template, as under a chart's `templates/`. */
  readonly template?: 'helm'
}

/**
 * Reads a file or a stream as Kubernetes would. When a document needs the full parser and none is
 * given, it is left out and `needsFullParser` is set: load one and read again.
 */
export function readFile(source: Source, options: ReadOptions): FileReading {
  const { bytes } = source
  const documents: YamlDocument[] = []
  const errors: ReadError[] = []
  const droppedText: Span[] = []
  let needsFullParser = false
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const chunks = splitStream(bytes, start)
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.illegal !== undefined) {
      errors.push(readError('YAML_SEPARATOR', chunk.illegal, 'text follows `---` on its line'))
    }
    const span = cutDropped(source, chunk, droppedText)
    if (options.fullParser === undefined) {
      needsFullParser = true
      continue
    }
    const tree = options.fullParser.parse(source, span)
    if ('code' in tree) {
      if (chunk.illegal === undefined) errors.push(tree)
      continue
    }
    const tape = tapeOfTree(tree)
    const document = new TapeDocument({ source, span, index, parser: 'full', tape })
    if (isWanted(document.value(), options.wanted)) documents.push(document)
  }
  return {
    source,
    documentsSeen: chunks.length,
    documents,
    droppedText,
    errors,
    ...(needsFullParser && { needsFullParser }),
  }
}

function cutDropped(source: Source, chunk: Chunk, droppedText: Span[]): Span {
  const { bytes } = source
  const stop = documentEnd(bytes, chunk.start, chunk.end)
  if (stop < 0) return { start: chunk.start, end: chunk.end }
  const dropped = firstContent(bytes, lineEnd(bytes, stop), chunk.end)
  if (dropped < chunk.end) droppedText.push({ start: dropped, end: chunk.end })
  return { start: chunk.start, end: stop }
}

function isWanted(value: Json, wanted: Wanted): boolean {
  if (wanted.all) return true
  if (!isObject(value)) return false
  const kind = stringAt(value, ['kind'])
  if (kind === undefined) return false
  if (kind.endsWith('List') && isList(value['items'])) {
    return value['items'].some((item) => isWanted(item, wanted))
  }
  const group = (stringAt(value, ['apiVersion']) ?? '').split('/')[0]
  return wanted.needles.some(
    (needle) =>
      (needle.kind === undefined || needle.kind === kind) &&
      (needle.group === undefined || needle.group === group),
  )
}
