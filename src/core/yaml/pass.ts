import type { Source, Span } from '../source.ts'
import { actionWithin, actionsWithin } from './actions.ts'
import {
  BACKSLASH,
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
import { findOddCharacter } from './characters.ts'
import type { FileReading, FullParser, ReadError, YamlDocument } from './document.ts'
import type { Masked } from './helm-mask.ts'
import type { JsonParser } from './json-parser.ts'
import {
  matchesBytes,
  matchesNeedles,
  mentions,
  type HitFinder,
  type Search,
  type Wanted,
} from './needles.ts'
import { directive, oddCharacter, readError, templateAction, tooDeep } from './read-error.ts'
import { documentEnd, splitStream, type Chunk } from './stream.ts'
import type { StructuralParser } from './structural.ts'
import { TapeDocument } from './tape-document.ts'
import { CELLS, END, KIND_MASK, PLAIN, START, tapeOfTree, type Tape } from './tape.ts'
import { scanTopLevel } from './top-level.ts'

export interface ReadLimits {
  /** Lists and mappings inside each other; at most 1,000. */
  readonly depth: number
  /** Documents in one file. */
  readonly documents: number
}

interface ReadDocument {
  readonly span: Span
  readonly index: number
  readonly parser: YamlDocument['parser']
  readonly tape: Tape
  /** The bytes of the values, when each of them is one character. */
  readonly ascii: Span | undefined
}

function noTexts(cells: Int32Array): Tape {
  return { cells, texts: [] }
}

/** What a reader makes once and uses for every file. */
export interface Tools {
  readonly search: Search
  readonly wanted: Wanted
  readonly fullParser: FullParser | undefined
  readonly limits: ReadLimits
  readonly template?: 'helm' | 'resourceset'
  readonly structural: StructuralParser
  readonly json: JsonParser
}

const DASHES = bytesOf('---')
const DOTS = bytesOf('...')
const KIND = bytesOf('kind')

/** One way through one file. */
export class Pass {
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
      if (!this.isAsked(chunk, hits)) continue
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
  private isAsked(chunk: Span, hits: HitFinder | undefined): boolean {
    if (hits?.hits(chunk.start, chunk.end) === false) return this.shape[chunk.start] === PERCENT
    if (this.isMentioned(chunk) && (this.tools.wanted.all || this.mayBeWanted(chunk))) return true
    return this.shape[chunk.start] === PERCENT
  }

  private isMentioned(chunk: Span): boolean {
    return mentions(this.tools.wanted, this.source.bytes, chunk)
  }

  /** False only when the lines at column 0 say for certain that nobody wants the document. */
  private mayBeWanted(chunk: Span): boolean {
    const top = scanTopLevel(this.shape, chunk.start, chunk.end)
    if (top.isOdd) return this.mayNameKind(chunk)
    if (top.kind === undefined) return false
    return matchesBytes(this.tools.search, this.shape, top.kind, top.apiVersion)
  }

  /**
   * However odd its spelling, a `kind` key has these letters or an escape in it. Text without
   * either, such as values for another tool's templates, is no Kubernetes object, broken or not.
   */
  private mayNameKind({ start, end }: Span): boolean {
    const text = this.source.bytes.subarray(start, end)
    return findBytes(text, KIND, 0) >= 0 || text.includes(BACKSLASH)
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
        ascii: result.ascii && this.masked === undefined ? span : undefined,
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
    const isAscii = result.ascii && this.masked === undefined
    const ascii = isAscii ? { start: content, end: result.end } : undefined
    this.keep({ span, index, parser: 'json', tape: noTexts(result.cells), ascii })
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
