import { stringAt } from '../core/json.ts'
import type { Place, Source } from '../core/source.ts'
import type { FileReading, ReadError, YamlDocument } from '../core/yaml/document.ts'
import { bytesOf, findBytes, startsWithAt } from '../core/yaml/bytes.ts'
import { readError } from '../core/yaml/read-error.ts'
import { FileReader, READ_LIMITS } from '../core/yaml/read-file.ts'
import { splitStream } from '../core/yaml/stream.ts'
import { TapeDocument } from '../core/yaml/tape-document.ts'
import { CELLS, MAP, PLAIN } from '../core/yaml/tape.ts'
import { asUtf8 } from '../core/yaml/utf16.ts'
import type { StampFault, StampNote, StampOptions } from './stamp-types.ts'

/**
 * The bytes between two separators of a stream. Most parts hold nothing that stamp touches: of
 * those only this is kept.
 */
export interface Part {
  /** Of the file in the list of sources. */
  readonly file: number
  /** The part's bytes as a source of their own, which leads back to the file. */
  readonly source: Source
  readonly offset: number
  /** What the part is looked at for. */
  readonly holds: 'jobs' | 'list' | 'config' | 'other'
  /** Whether `job` or `Job` stands anywhere in it: without that it refers to none. */
  readonly mentionsJob: boolean
  /** Kept where Jobs may be in it; `readPart` reads the others again. */
  readonly reading?: FileReading
}

export interface Parts {
  readonly parts: readonly Part[]
  readonly faults: readonly StampFault[]
  readonly notes: readonly StampNote[]
  readonly needsFullParser: boolean
  readonly documentsSeen: number
}

/**
 * Reads every document of every source, because an unreadable one must stop the whole run, and
 * remembers those that matter.
 */
export function readParts(sources: readonly Source[], options: StampOptions): Parts {
  const reader = new PartReader(options)
  for (const [file, source] of sources.entries()) {
    // Without the full parser nothing can be done, so the rest need not be read.
    if (reader.needsFullParser) break
    reader.readFile(file, asUtf8(source))
  }
  return reader
}

/** The documents of a part. */
export function readPart(part: Part, reader: FileReader): FileReading {
  return part.reading ?? reader.read(part.source)
}

export function readerOf({ fullParser, limits }: StampOptions): FileReader {
  return new FileReader({
    wanted: { all: true, needles: [] },
    fullParser,
    ...(limits === undefined ? {} : { limits }),
  })
}

const JOB_WORDS = [bytesOf('Job'), bytesOf('job')]
const ACTION = bytesOf('{{')

class PartReader implements Parts {
  readonly parts: Part[] = []
  readonly faults: StampFault[] = []
  readonly notes: StampNote[] = []
  needsFullParser = false
  documentsSeen = 0
  private readonly reader: FileReader
  private readonly refusesTemplates: boolean
  private readonly mostDocuments: number

  constructor(options: StampOptions) {
    this.reader = readerOf(options)
    this.refusesTemplates = options.rendered === true || options.strict === true
    this.mostDocuments = options.limits?.documents ?? READ_LIMITS.documents
  }

  readFile(file: number, source: Source): void {
    const { bytes } = source
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const words = new WordFinder(bytes)
    const chunks = splitStream(bytes, start)
    for (const [index, chunk] of chunks.entries()) {
      if (index >= this.mostDocuments) {
        const what = `the file holds more than ${this.mostDocuments} documents`
        this.refuse(source, readError('FILE_TOO_MANY_DOCUMENTS', chunk, what))
        return
      }
      if (chunk.illegal !== undefined) {
        const what = 'text stands behind `---` on its line'
        this.refuse(source, readError('YAML_SEPARATOR', chunk.illegal, what))
        continue
      }
      if (this.needsFullParser) return
      const part = partOf(source, chunk.start, chunk.end)
      this.readChunk(file, part, chunk.start, words.isIn(chunk.start, chunk.end))
    }
  }

  private readChunk(file: number, source: Source, offset: number, mentionsJob: boolean): void {
    if (isUtf16Mark(source.bytes)) {
      const span = { start: 0, end: 1 }
      this.refuse(source, readError('FILE_NOT_TEXT', span, 'this is no UTF-8 text'))
      return
    }
    const reading = this.reader.read(source)
    this.documentsSeen += reading.documentsSeen
    if (reading.needsFullParser === true) this.needsFullParser = true
    for (const error of reading.errors) this.refuse(source, error)
    if (reading.template !== undefined) this.noteTemplate(source, reading.unreadTemplate ?? [])
    const kinds = reading.documents.map(kindOf)
    const holds = whatOf(kinds, source.bytes, mentionsJob)
    const keeps = holds === 'jobs' || holds === 'list'
    const part = { file, source, offset, holds, mentionsJob }
    this.parts.push(keeps ? { ...part, reading } : part)
  }

  /** In a rendered stream an action is a fault; a template that nobody can read yet is left alone. */
  private noteTemplate(source: Source, unread: readonly ReadError[]): void {
    if (this.refusesTemplates) this.refuse(source, notRendered(source))
    else for (const error of unread) this.notes.push(unreadable(source, error))
  }

  private refuse(source: Source, { code, span, what, why, remedy }: ReadError): void {
    const place: Place = { source, span }
    this.faults.push({ code, place, object: undefined, what, why, remedy })
  }
}

/** Whether `job` or `Job` stands in a part; asked part by part, so the file is read once. */
class WordFinder {
  private readonly bytes: Uint8Array
  private readonly next: number[] = JOB_WORDS.map(() => -1)

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  isIn(start: number, end: number): boolean {
    let isFound = false
    for (const [index, word] of JOB_WORDS.entries()) {
      if ((this.next[index] ?? 0) < start) {
        const found = findBytes(this.bytes, word, start)
        this.next[index] = found < 0 ? Infinity : found
      }
      if ((this.next[index] ?? 0) < end) isFound = true
    }
    return isFound
  }
}

function partOf(source: Source, start: number, end: number): Source {
  const bytes = source.bytes.subarray(start, end)
  return { path: source.path, bytes, outer: { source, offsetOf: (offset) => offset + start } }
}

function isUtf16Mark({ 0: first, 1: second }: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function notRendered({ bytes }: Source): ReadError {
  const start = Math.max(findBytes(bytes, ACTION, 0), 0)
  return readError(
    'YAML_INVALID',
    { start, end: start + 2 },
    'a template action `{{` stands outside quotes',
  )
}

function unreadable(source: Source, { span, what }: ReadError): StampNote {
  return {
    code: 'template',
    severity: 'info',
    place: { source, span },
    object: source.path,
    text: `left alone: it is a template that cannot be read before it is rendered (${what})`,
    remedy: 'stamp what it renders to',
  }
}

function whatOf(
  kinds: readonly (string | undefined)[],
  bytes: Uint8Array,
  mentionsJob: boolean,
): Part['holds'] {
  if (kinds.some((kind) => kind === 'Job' || kind === 'CronJob')) return 'jobs'
  if (kinds.some((kind) => kind?.endsWith('List') === true)) return mentionsJob ? 'list' : 'config'
  if (kinds.some((kind) => kind === 'ConfigMap' || kind === 'Secret')) return 'config'
  // Any object may hold a Job: as a mapping with its API group, or as text of a template.
  const isHolder = kinds.some((kind) => kind !== undefined && HOLDERS.has(kind))
  if (mentionsJob && (isHolder || findBytes(bytes, BATCH, 0) >= 0)) return 'jobs'
  return isHolder ? 'config' : 'other'
}

const HOLDERS: ReadonlySet<string> = new Set(['ResourceSet', 'Sequence'])
const BATCH = bytesOf('batch')

/** Without making text of the whole document where the keys at its root are plain. */
function kindOf(document: YamlDocument): string | undefined {
  if (!(document instanceof TapeDocument)) return stringAt(document.value(), ['kind'])
  const { nodes } = document
  const { bytes } = document.source
  if (nodes.kindOf(0) !== MAP) return undefined
  let kind: string | undefined
  for (let key = CELLS; key < nodes.nextOf(0); key = nodes.nextOf(key + CELLS)) {
    const { start, end } = nodes.spanOf(key)
    if (nodes.kindOf(key) !== PLAIN) return document.textAt(['kind'])
    if (end - start !== KIND.length || !startsWithAt(bytes, KIND, start)) continue
    if (nodes.kindOf(key + CELLS) !== PLAIN) return document.textAt(['kind'])
    const value = nodes.spanOf(key + CELLS)
    kind = String.fromCharCode(
      ...bytes.subarray(value.start, Math.min(value.end, value.start + 80)),
    )
  }
  return kind
}

const KIND = bytesOf('kind')
