import type { Source, Span } from '../source.ts'
import {
  LINE_FEED,
  OPEN_MAP,
  PERCENT,
  bytesOf,
  findBytes,
  firstContent,
  isBlank,
  lineEnd,
  startsWithAt,
} from './bytes.ts'
import { actionWithin, actionsWithin } from './actions.ts'
import { findOddCharacter, type OddCharacter } from './characters.ts'
import type { FileReading, FullParser, ReadError, YamlDocument } from './document.ts'
import { JsonParser } from './json-parser.ts'
import { HELM, RESOURCE_SET, maskTemplate, type Masked } from './helm-mask.ts'
import {
  HitFinder,
  matchesBytes,
  matchesNeedles,
  searchFor,
  type Search,
  type Wanted,
} from './needles.ts'
import { readError } from './read-error.ts'
import { documentEnd, splitStream, type Chunk } from './stream.ts'
import { StructuralParser } from './structural.ts'
import { TapeDocument } from './tape-document.ts'
import { CELLS, END, KIND_MASK, PLAIN, START, tapeOfTree, type Tape } from './tape.ts'
import { scanTopLevel } from './top-level.ts'
import { asUtf8 } from './utf16.ts'

export type { Needle, Wanted } from './needles.ts'

export interface ReadLimits {
  /** Lists and mappings inside each other; at most 1,000. */
  readonly depth: number
  /** Documents in one file. */
  readonly documents: number
}

export const READ_LIMITS: ReadLimits = { depth: 250, documents: 100_000 }

/** The parsers recurse, and so does everybody who walks over a value. */
const MOST_DEPTH = 1_000

export interface ReadOptions {
  readonly wanted: Wanted
  readonly fullParser: FullParser | undefined
  readonly limits?: Partial<ReadLimits>
  /** The file is known to be a template, as under a chart's `templates/`. */
  readonly template?: 'helm' | 'resourceset'
}

/**
 * Reads a file or a stream as Kubernetes would. When a document needs the full parser and none is
 * given, it is left out and `needsFullParser` is set: load one and read again.
 *
 * A file with `{{` that is no YAML is read again as a Helm template, with its actions masked.
 */
export function readFile(source: Source, options: ReadOptions): FileReading {
  return new FileReader(options).read(source)
}

const DASHES = bytesOf('---')
const DOTS = bytesOf('...')
const NO_DOCUMENTS: readonly never[] = []

/** Reads many files with the same options; words and tapes are made once. */
export class FileReader {
  private readonly tools: Tools

  constructor(options: ReadOptions) {
    const limits = { ...READ_LIMITS, ...options.limits }
    this.tools = {
      ...options,
      limits: { ...limits, depth: Math.min(limits.depth, MOST_DEPTH) },
      search: searchFor(options.wanted),
      structural: new StructuralParser(),
      json: new JsonParser(),
    }
  }

  read(given: Source): FileReading {
    const source = asUtf8(given)
    const { bytes } = source
    const { wanted, search, template } = this.tools
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const hits = wanted.all ? undefined : new HitFinder(bytes, search, start)
    if (hits?.first() === Infinity) return nothingWanted(source, start)
    const binary = bytes.indexOf(0)
    if (binary >= 0) return notText(source, binary)
    if (template === undefined) {
      const reading = new Pass(this.tools, source, undefined).run(start, hits)
      const isTemplate = reading.errors.length > 0 && findBytes(bytes, HELM.open, start) >= 0
      if (!isTemplate) return reading
    }
    return this.readTemplate(source, start)
  }

  /** With all branches as if they were one text, or, where that is no YAML, without the `else`. */
  private readTemplate(source: Source, start: number): FileReading {
    const { bytes } = source
    const { template, wanted, search } = this.tools
    const delimiters = template === 'resourceset' ? RESOURCE_SET : HELM
    const read = (elseBranches: 'kept' | 'open'): FileReading => {
      const hits = wanted.all ? undefined : new HitFinder(bytes, search, start)
      const masked = maskTemplate(bytes, delimiters, { elseBranches })
      return new Pass(this.tools, source, masked).run(start, hits)
    }
    const whole = read('kept')
    if (whole.unreadTemplate === undefined) return whole
    const without = read('open')
    return countUnread(without) < countUnread(whole) ? without : whole
  }
}

interface ReadDocument {
  readonly span: Span
  readonly index: number
  readonly parser: YamlDocument['parser']
  readonly tape: Tape
  /** The span, when each of its bytes is one character. */
  readonly ascii: Span | undefined
}

function noTexts(cells: Int32Array): Tape {
  return { cells, texts: NO_DOCUMENTS }
}

interface Tools {
  readonly search: Search
  readonly wanted: Wanted
  readonly fullParser: FullParser | undefined
  readonly limits: ReadLimits
  readonly template?: 'helm' | 'resourceset'
  readonly structural: StructuralParser
  readonly json: JsonParser
}

function countUnread({ unreadTemplate }: FileReading): number {
  return unreadTemplate?.length ?? 0
}

function nothingWanted(source: Source, start: number): FileReading {
  const documentsSeen = splitStream(source.bytes, start).length
  return {
    source,
    documentsSeen,
    documents: NO_DOCUMENTS,
    droppedText: NO_DOCUMENTS,
    errors: NO_DOCUMENTS,
  }
}

function notText(source: Source, at: number): FileReading {
  const span = { start: at, end: at + 1 }
  const error = readError('FILE_NOT_TEXT', span, 'the file holds a zero byte, so it is not text')
  return { source, documentsSeen: 0, documents: [], droppedText: [], errors: [error] }
}

/** One way through one file. */
class Pass {
  private readonly tools: Tools
  private readonly source: Source
  private readonly masked: Masked | undefined
  /** What the parsers see: the bytes, or in a template the bytes with masked actions. */
  private readonly shape: Uint8Array
  private readonly documents: YamlDocument[] = []
  private readonly droppedText: Span[] = []
  private readonly errors: ReadError[] = []
  private needsFullParser = false
  private seen = 0
  /** Of the YAML part of the file. */
  private start = 0

  constructor(tools: Tools, source: Source, masked: Masked | undefined) {
    this.tools = tools
    this.source = source
    this.masked = masked
    this.shape = masked?.bytes ?? source.bytes
  }

  run(start: number, hits: HitFinder | undefined): FileReading {
    const rest = this.jsonStream(start)
    this.start = rest
    const { documents: limit } = this.tools.limits
    for (const chunk of splitStream(this.shape, rest)) {
      if (this.seen >= limit) {
        this.tooMany(chunk, limit)
        break
      }
      if (chunk.illegal !== undefined) this.illegalSeparator(chunk.illegal)
      const index = this.seen
      this.seen += 1
      if (hits !== undefined && !this.isAsked(chunk, hits)) continue
      this.readChunk(chunk, index)
    }
    return this.reading()
  }

  private reading(): FileReading {
    const { source, seen, documents, droppedText, masked } = this
    const errors = masked === undefined ? this.errors : []
    return {
      source,
      documentsSeen: seen,
      documents,
      droppedText,
      errors,
      ...(this.needsFullParser && { needsFullParser: true }),
      ...(masked !== undefined && {
        template: this.tools.template ?? 'helm',
        openPlaces: masked.openPlaces,
      }),
      ...(masked !== undefined && this.errors.length > 0 && { unreadTemplate: this.errors }),
    }
  }

  /** A directive makes kubectl refuse the whole file, so it is always told. */
  private isAsked(chunk: Span, hits: HitFinder): boolean {
    const isHit = hits.hits(chunk.start, chunk.end)
    return this.shape[chunk.start] === PERCENT || (isHit && this.mayBeWanted(chunk))
  }

  /** False only when the lines at column 0 say for certain that nobody wants the document. */
  private mayBeWanted(chunk: Span): boolean {
    const top = scanTopLevel(this.shape, chunk.start, chunk.end)
    if (top.isOdd) return true
    if (top.kind === undefined) return false
    return matchesBytes(this.tools.search, this.shape, top.kind, top.apiVersion)
  }

  /**
   * A file that starts with `{` is a stream of JSON values, until a `---` line. Returns where the
   * rest of the file starts; text that is no JSON is left to the YAML parsers, which may read it.
   */
  private jsonStream(start: number): number {
    const { shape } = this
    const end = shape.length
    let at = start
    for (;;) {
      while (at < end && isBlank(shape[at])) at += 1
      // Blanks before the first key of a YAML document are its indentation: they stay.
      const rest = this.seen === 0 ? start : at
      if (shape[at] !== OPEN_MAP || this.seen >= this.tools.limits.documents) return rest
      const result = this.tools.json.parse(shape, at, end, this.tools.limits.depth)
      if (result.outcome !== 'read' || !this.endsValue(result.end)) return rest
      const span = { start: at, end: result.end }
      this.keep({
        span,
        index: this.seen,
        parser: 'json',
        tape: noTexts(result.cells),
        ascii: undefined,
      })
      this.seen += 1
      at = result.end
    }
  }

  /** What may follow a JSON value of a stream: the end, another one, or a separator line. */
  private endsValue(from: number): boolean {
    const { shape } = this
    let at = from
    while (at < shape.length && isBlank(shape[at])) at += 1
    if (at >= shape.length || shape[at] === OPEN_MAP) return true
    return startsWithAt(shape, DASHES, at)
  }

  private readChunk(chunk: Chunk, index: number): void {
    const { shape } = this
    const { depth } = this.tools.limits
    const content = firstContent(shape, chunk.start, chunk.end)
    if (shape[content] === PERCENT) {
      this.refuse(chunk, directive(content))
      return
    }
    if (shape[content] === OPEN_MAP && this.readJsonChunk(chunk, content, index)) return
    const result = this.tools.structural.parse(shape, chunk.start, chunk.end, depth)
    if (result.outcome === 'read') {
      const span = { start: chunk.start, end: result.end }
      const ascii = result.ascii && this.masked === undefined ? span : undefined
      this.take(chunk, { span, index, parser: 'structural', tape: noTexts(result.cells), ascii })
    } else if (result.outcome === 'too-deep') {
      this.refuse(chunk, tooDeep(result.at, depth))
    } else if (result.isTemplate) {
      this.refuse(chunk, templateAction(shape, content))
    } else {
      this.readFully(chunk, index)
    }
  }

  /** One JSON value in a YAML stream. False when it is something else. */
  private readJsonChunk(chunk: Chunk, content: number, index: number): boolean {
    const { shape } = this
    const result = this.tools.json.parse(shape, content, chunk.end, this.tools.limits.depth)
    if (result.outcome !== 'read') return false
    if (firstContent(shape, result.end, chunk.end) < chunk.end) return false
    const span = { start: chunk.start, end: chunk.end }
    this.keep({ span, index, parser: 'json', tape: noTexts(result.cells), ascii: undefined })
    return true
  }

  private readFully(chunk: Chunk, index: number): void {
    const { shape } = this
    const { fullParser } = this.tools
    const stop = documentEnd(shape, chunk.start, chunk.end)
    const span = { start: chunk.start, end: stop < 0 ? chunk.end : stop }
    const odd = findOddCharacter(shape, span.start, span.end)
    if (odd !== undefined && odd.fault !== 'disputed') {
      this.refuse(chunk, oddCharacter(odd))
      return
    }
    if (fullParser === undefined) {
      this.needsFullParser = true
      return
    }
    const tree = fullParser.parse({ path: this.source.path, bytes: shape }, span)
    if ('code' in tree) {
      this.refuse(chunk, this.jsonFault(span) ?? tree)
      return
    }
    const tape = tapeOfTree(tree, this.masked?.actions)
    this.take(chunk, { span, index, parser: 'full', tape, ascii: undefined })
  }

  private take(chunk: Chunk, read: ReadDocument): void {
    const crossing = this.masked && branchInside(read.tape, this.masked)
    if (crossing !== undefined) {
      this.refuse(chunk, crossing)
      return
    }
    this.noteDropped(read.span.end, chunk.end)
    this.keep(read)
  }

  /** kubectl reads a file that starts with `{` as JSON, so that is the better complaint. */
  private jsonFault(span: Span): ReadError | undefined {
    const { shape } = this
    let at = span.start
    while (isBlank(shape[at])) at += 1
    if (span.start !== this.start || shape[at] !== OPEN_MAP || shape[at + 1] === OPEN_MAP) {
      return undefined
    }
    const result = this.tools.json.parse(shape, at, span.end, this.tools.limits.depth)
    if (result.outcome === 'read') return undefined
    const place = { start: result.at, end: Math.min(result.at + 1, span.end) }
    return readError('JSON_INVALID', place, `this is not JSON: ${result.what}`)
  }

  private keep({ span, index, parser, tape, ascii }: ReadDocument): void {
    const document = new TapeDocument({
      source: this.source,
      span,
      index,
      parser,
      tape,
      ...(ascii && { ascii }),
      ...(this.masked && { shape: this.shape, actions: this.masked.actions }),
    })
    if (!this.isWanted(document)) return
    const unresolved = document.firstUnresolved()
    if (unresolved === undefined) this.documents.push(document)
    else this.errors.push(readError('YAML_NO_JSON_FORM', unresolved.span, unresolved.what))
  }

  private isWanted(document: TapeDocument): boolean {
    const { wanted } = this.tools
    if (wanted.all) return true
    const kind = document.textAt(['kind'])
    if (kind === undefined) return false
    if (this.masked !== undefined && this.overlapsAction(document, 'kind')) return true
    return matchesNeedles(wanted, kind, document.textAt(['apiVersion']) ?? '')
  }

  private overlapsAction(document: TapeDocument, key: string): boolean {
    const span = document.locate([key])?.value
    const actions = this.masked?.actions ?? []
    return span !== undefined && actionWithin(actions, span) !== undefined
  }

  private noteDropped(end: number, chunkEnd: number): void {
    if (end >= chunkEnd) return
    const from = startsWithAt(this.shape, DOTS, end) ? lineEnd(this.shape, end) : end
    const dropped = firstContent(this.shape, from, chunkEnd)
    if (dropped < chunkEnd) this.droppedText.push({ start: dropped, end: chunkEnd })
  }

  private refuse(chunk: Chunk, error: ReadError): void {
    // What follows an illegal separator is already reported with it.
    if (chunk.illegal === undefined) this.errors.push(error)
  }

  private illegalSeparator(span: Span): void {
    this.errors.push(readError('YAML_SEPARATOR', span, 'text stands behind `---` on its line'))
  }

  private tooMany(chunk: Chunk, limit: number): void {
    const span = { start: chunk.start, end: lineEnd(this.shape, chunk.start) }
    const what = `the file holds more than ${limit} documents; the rest is not read`
    this.errors.push(readError('FILE_TOO_MANY_DOCUMENTS', span, what))
  }
}

/** A value that goes on behind a line of actions would be two values when rendered. */
function branchInside({ cells }: Tape, { bytes, actions }: Masked): ReadError | undefined {
  for (let at = 0; at < cells.length; at += CELLS) {
    if (((cells[at] as number) & KIND_MASK) !== PLAIN) continue
    const span = { start: cells[at + START] as number, end: cells[at + END] as number }
    let isCut = false
    for (const { start } of actionsWithin(actions, span)) {
      if (start > span.start && bytes[start] === LINE_FEED) isCut = true
    }
    if (isCut) return readError('YAML_INVALID', span, 'this value goes on behind a template branch')
  }
  return undefined
}

function tooDeep(at: number, depth: number): ReadError {
  const what = `more than ${depth} lists and mappings stand inside each other`
  return readError('YAML_TOO_DEEP', { start: at, end: at + 1 }, what)
}

function directive(at: number): ReadError {
  const what = 'Kubernetes reads no `%` directives: it splits the file at the `---` after them'
  return readError('YAML_INVALID', { start: at, end: at + 1 }, what, { remedy: 'delete the line' })
}

function templateAction(bytes: Uint8Array, from: number): ReadError {
  const at = findBytes(bytes, HELM.open, from)
  const span = { start: at, end: at + 2 }
  return readError('YAML_INVALID', span, 'a template action `{{` stands outside quotes')
}

function oddCharacter({ at, fault, code }: OddCharacter): ReadError {
  const span = { start: at, end: at + 1 }
  const hex = code.toString(16).toUpperCase()
  if (fault === 'not-utf8') {
    return readError('FILE_NOT_TEXT', span, `the byte 0x${hex} is no part of UTF-8 text`)
  }
  const what = `the control character U+${hex.padStart(4, '0')} stands in the text`
  return readError('YAML_INVALID', span, what, { remedy: 'delete it, or write it as an escape' })
}
