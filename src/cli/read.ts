import { FileMemory, readSource, STDIN_PATH, type ListedFile } from '../adapters/read-source.ts'
import { Fault } from '../core/faults.ts'
import type { Source } from '../core/source.ts'
import type { FileReading, FullParser } from '../core/yaml/document.ts'
import { FileReader } from '../core/yaml/read-file.ts'
import type { Io } from './io.ts'
import { problemAt, problemOf, type Problem } from './problem.ts'
import type { Progress } from './progress.ts'
import { isKnownByName, mayHoldManifests, OBJECTS, WHOLE } from './wanted.ts'

/** The files of a run, read as far as they matter to Jobs. */
export interface Reading {
  /** Only files that hold something: of the others nothing is kept in memory. */
  readonly files: readonly FileReading[]
  readonly problems: readonly Problem[]
  /** Paths of files that could not be read, wholly or in part. */
  readonly unread: ReadonlySet<string>
  readonly filesSeen: number
  readonly documentsSeen: number
}

export interface ReadingOptions {
  readonly io: Io
  readonly maxFileBytes: number
  readonly progress: Progress
  readonly loadFullParser: () => Promise<FullParser>
  /** By path: bytes that count instead of those of the file. */
  readonly overlay?: Overlay
  /** Readings of the same bytes under the same name, from an earlier state of the repository. */
  readonly known?: KnownReadings
}

export type KnownReadings = Map<
  string,
  { readonly isTemplate: boolean; readonly reading: FileReading }
>

export type Overlay = ReadonlyMap<string, Uint8Array>

export async function readFiles(
  entries: readonly ListedFile[],
  options: ReadingOptions,
): Promise<Reading> {
  const { progress } = options
  const readers = new Readers(options.loadFullParser)
  const memory = new FileMemory()
  const charts = chartFolders(entries)
  const files: FileReading[] = []
  const problems: Problem[] = []
  const unread = new Set<string>()
  let filesSeen = 0
  let documentsSeen = 0
  for (const entry of entries) {
    if (!entry.isNamed && !mayHoldManifests(entry.path)) continue
    filesSeen += 1
    progress.tick(filesSeen, entries.length)
    const source = sourceOf(entry, options, memory)
    if (source instanceof Fault) {
      problems.push(problemOf(source))
      unread.add(entry.path)
      continue
    }
    const reading = await readKnown(source, isTemplate(entry.path, charts), readers, options.known)
    documentsSeen += reading.documentsSeen
    for (const { code, span, what, why, remedy } of reading.errors) {
      problems.push(problemAt(code, { source: reading.source, span }, { what, why, remedy }))
      unread.add(entry.path)
    }
    const { documents, droppedText, errors } = reading
    if (documents.length + droppedText.length + errors.length === 0) continue
    memory.keep(source)
    files.push(reading)
  }
  return { files, problems, unread, filesSeen, documentsSeen }
}

async function readKnown(
  source: Source,
  isTemplate: boolean,
  readers: Readers,
  known: KnownReadings | undefined,
): Promise<FileReading> {
  const before = known?.get(source.path)
  if (before?.reading.source.bytes === source.bytes && before.isTemplate === isTemplate) {
    return before.reading
  }
  const reading = await readers.read(source, isTemplate)
  known?.set(source.path, { isTemplate, reading })
  return reading
}

/** Reads one more text of a file, as the run has read the file. */
export async function readAgain(
  source: Source,
  entries: readonly ListedFile[],
  loadFullParser: ReadingOptions['loadFullParser'],
): Promise<FileReading> {
  const readers = new Readers(loadFullParser)
  return readers.read(source, isTemplate(source.path, chartFolders(entries)))
}

function sourceOf(
  entry: ListedFile,
  { io, maxFileBytes, overlay }: ReadingOptions,
  memory: FileMemory,
): Source | Fault {
  const instead = overlay?.get(entry.path)
  if (instead !== undefined) return { path: entry.path, bytes: instead }
  try {
    if (entry.path !== STDIN_PATH) return readSource(entry, maxFileBytes, memory)
    return { path: STDIN_PATH, bytes: io.readStdin(maxFileBytes) }
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** Keeps one reader for each way of reading, and the full parser once a file has needed it. */
class Readers {
  private readonly load: () => Promise<FullParser>
  private readonly readers = new Map<string, FileReader>()
  private fullParser: FullParser | undefined

  constructor(load: () => Promise<FullParser>) {
    this.load = load
  }

  async read(source: Source, isHelm: boolean): Promise<FileReading> {
    const reading = this.readerFor(source.path, isHelm).read(source)
    if (reading.needsFullParser !== true) return reading
    this.fullParser = await this.load()
    this.readers.clear()
    return this.readerFor(source.path, isHelm).read(source)
  }

  private readerFor(path: string, isHelm: boolean): FileReader {
    const isWhole = isKnownByName(path)
    const key = `${isWhole} ${isHelm}`
    const known = this.readers.get(key)
    if (known !== undefined) return known
    const reader = new FileReader({
      wanted: isWhole ? WHOLE : OBJECTS,
      fullParser: this.fullParser,
      ...(isHelm ? { template: 'helm' as const } : {}),
    })
    this.readers.set(key, reader)
    return reader
  }
}

function chartFolders(entries: readonly ListedFile[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { path } of entries) {
    if (path === 'Chart.yaml') folders.add('')
    else if (path.endsWith('/Chart.yaml')) folders.add(path.slice(0, -'Chart.yaml'.length))
  }
  return folders
}

/** True for files below the `templates/` of a chart. */
function isTemplate(path: string, charts: ReadonlySet<string>): boolean {
  if (charts.size === 0) return false
  for (let at = path.indexOf('templates/'); at >= 0; at = path.indexOf('templates/', at + 1)) {
    if ((at === 0 || path[at - 1] === '/') && charts.has(path.slice(0, at))) return true
  }
  return false
}
