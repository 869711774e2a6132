import type { Source } from '../source.ts'
import { findBytes } from './bytes.ts'
import type { FileReading, FullParser } from './document.ts'
import { HELM, RESOURCE_SET, maskTemplate } from './helm-mask.ts'
import { JsonParser } from './json-parser.ts'
import { HitFinder, searchFor, type Wanted } from './needles.ts'
import { Pass, type ReadLimits, type Tools } from './pass.ts'
import { readError } from './read-error.ts'
import { splitStream } from './stream.ts'
import { StructuralParser } from './structural.ts'
import { asUtf8 } from './utf16.ts'

export type { Needle, Wanted } from './needles.ts'
export type { ReadLimits } from './pass.ts'

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

const NO_DOCUMENTS: readonly never[] = []

/** Reads many files with the same options; words and tapes are made once. */
export class FileReader {
  private readonly tools: Tools

  /** `like`: a reader whose parsers this one may use too, when it is one of many. */
  constructor(options: ReadOptions, like?: FileReader) {
    const limits = { ...READ_LIMITS, ...options.limits }
    this.tools = {
      ...options,
      limits: { ...limits, depth: Math.min(limits.depth, MOST_DEPTH) },
      search: searchFor(options.wanted),
      structural: like?.tools.structural ?? new StructuralParser(),
      json: like?.tools.json ?? new JsonParser(),
    }
  }

  read(given: Source): FileReading {
    const source = asUtf8(given)
    const { bytes } = source
    const { template } = this.tools
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const hits = hitsIn(bytes, this.tools, start)
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
    const { template } = this.tools
    const delimiters = template === 'resourceset' ? RESOURCE_SET : HELM
    const read = (elseBranches: 'kept' | 'open'): FileReading => {
      const hits = hitsIn(bytes, this.tools, start)
      const masked = maskTemplate(bytes, delimiters, { elseBranches })
      return new Pass(this.tools, source, masked).run(start, hits)
    }
    const whole = read('kept')
    if (whole.unreadTemplate === undefined) return whole
    const without = read('open')
    return countUnread(without) < countUnread(whole) ? without : whole
  }
}

/** None where every document counts, and where texts tell it quicker than kinds would. */
function hitsIn(
  bytes: Uint8Array,
  { wanted, search }: Tools,
  start: number,
): HitFinder | undefined {
  if (wanted.all || wanted.texts !== undefined) return undefined
  return new HitFinder(bytes, search, start)
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
