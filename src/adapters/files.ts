import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import type { Dirent } from 'node:fs'
import path from 'node:path'
import { Fault } from '../core/faults.ts'
import type { Source } from '../core/source.ts'
import { gitRootOf, ignoreRulesAt, NO_IGNORE_RULES, type IgnoreRules } from './gitignore.ts'

/**
 * Lists what stands below the given files and folders, in the order of their names. What git
 * ignores, `.git` and `node_modules` are left out; a file that is named itself is always taken.
 * Links are followed inside the working tree (or, without git, inside the folder); a link that
 * leads out of it, to nothing or to a folder that it stands in is noted and left alone.
 */
export function listFiles(options: ListOptions): Listing {
  const walk = new Walk(options)
  for (const named of options.paths) walk.start(named)
  return walk.listing()
}

export interface ListOptions {
  /** Absolute. */
  readonly cwd: string
  /** As the user wrote them; `-` is the standard input. */
  readonly paths: readonly string[]
  readonly gitignore: boolean
  /** Leaves out a file or a whole folder; absolute path. */
  readonly skip?: (absolute: string) => boolean
}

export interface Listing {
  readonly entries: readonly ListedFile[]
  /** Absolute: those that were looked into. */
  readonly folders: readonly string[]
  readonly faults: readonly Fault[]
  readonly notes: readonly { readonly path: string; readonly what: string }[]
}

export interface ListedFile {
  /** As the user would name it, with `/`; `<stdin>` for the standard input. */
  readonly path: string
  readonly absolute: string
  /** The user named this file itself, not a folder above it. */
  readonly isNamed: boolean
}

export const STDIN_PATH = '<stdin>'

/** More than this is a loop of links or no place for a linter. */
const MAX_ENTRIES = 2_000_000
const MAX_DEPTH = 200
const SKIPPED_FOLDERS = new Set(['.git', '.hg', '.svn', 'node_modules'])

class Walk {
  private readonly options: ListOptions
  private readonly entries = new Map<string, ListedFile>()
  private readonly folders: string[] = []
  private readonly faults: Fault[] = []
  private readonly notes: { path: string; what: string }[] = []
  private seen = 0

  constructor(options: ListOptions) {
    this.options = options
  }

  listing(): Listing {
    const { folders, faults, notes } = this
    return { entries: [...this.entries.values()], folders, faults, notes }
  }

  start(named: string): void {
    const { cwd, gitignore } = this.options
    if (named === '-') {
      this.entries.set('-', { path: STDIN_PATH, absolute: '-', isNamed: true })
      return
    }
    const absolute = path.resolve(cwd, named)
    const shown = shownName(named)
    const kind = this.kindOfNamed(absolute, shown)
    if (kind === 'file') this.add({ path: shown, absolute, isNamed: true })
    if (kind !== 'folder') return
    const real = realpathSync(absolute)
    const gitRoot = gitRootOf(absolute)
    const rules = gitignore ? ignoreRulesAt(absolute, gitRoot) : NO_IGNORE_RULES
    const border = gitRoot === undefined ? real : realpathSync(gitRoot)
    const prefix = shown === '.' ? '' : shown.endsWith('/') ? shown : `${shown}/`
    this.folder({ absolute, prefix, rules, border, chain: [real] })
  }

  private kindOfNamed(absolute: string, shown: string): 'file' | 'folder' | undefined {
    try {
      return statSync(absolute).isDirectory() ? 'folder' : 'file'
    } catch (error) {
      this.faults.push(pathFault(error, shown))
      return undefined
    }
  }

  private folder(at: Folder): void {
    this.folders.push(at.absolute)
    const entries = this.read(at)
    const own = entries.some((entry) => entry.name === '.gitignore')
    const rules = own && at.rules !== NO_IGNORE_RULES ? at.rules.within(at.absolute) : at.rules
    for (const entry of entries) {
      this.seen += 1
      if (this.seen > MAX_ENTRIES) return
      this.entry(entry, { ...at, rules })
    }
  }

  private read(at: Folder): readonly Dirent[] {
    const shown = at.prefix === '' ? '.' : at.prefix.replace(/(?<=.)\/$/, '')
    if (at.chain.length > MAX_DEPTH) {
      this.notes.push({ path: shown, what: `folders deeper than ${MAX_DEPTH} are left out` })
      return []
    }
    try {
      const entries = readdirSync(at.absolute, { withFileTypes: true })
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    } catch (error) {
      this.faults.push(pathFault(error, shown))
      return []
    }
  }

  private entry(entry: Dirent, at: Folder): void {
    const { name } = entry
    const absolute = `${at.absolute}${at.absolute.endsWith(path.sep) ? '' : path.sep}${name}`
    const shown = `${at.prefix}${name}`
    const link = entry.isSymbolicLink() ? this.followed(absolute, shown, at) : undefined
    if (entry.isSymbolicLink() && link === undefined) return
    const isFolder = link?.isFolder ?? entry.isDirectory()
    if (!isFolder && !(link !== undefined || entry.isFile())) return
    if (isFolder && SKIPPED_FOLDERS.has(name)) return
    // Git knows a link as a file, whatever it leads to.
    if (at.rules.ignores(absolute, entry.isDirectory())) return
    if (this.options.skip?.(absolute) === true) return
    if (!isFolder) this.add({ path: shown, absolute, isNamed: false })
    else {
      const real = link?.real ?? `${at.chain.at(-1)}${path.sep}${name}`
      this.folder({ ...at, absolute, prefix: `${shown}/`, chain: [...at.chain, real] })
    }
  }

  /** Where a link leads, when it may be followed. */
  private followed(
    absolute: string,
    shown: string,
    at: Folder,
  ): { real: string; isFolder: boolean } | undefined {
    const note = (what: string): undefined => {
      this.notes.push({ path: shown, what })
      return undefined
    }
    let real: string
    try {
      real = realpathSync(absolute)
    } catch {
      return note('the link leads to nothing and is left out')
    }
    if (real !== at.border && !real.startsWith(`${at.border}${path.sep}`)) {
      return note('the link leads out of the repository and is not followed')
    }
    if (kindOfPath(real) === 'folder') {
      const loops = at.chain.some(
        (above) => above === real || above.startsWith(`${real}${path.sep}`),
      )
      return loops ? note('the link leads back to a folder above it') : { real, isFolder: true }
    }
    return { real, isFolder: false }
  }

  private add(file: ListedFile): void {
    if (!this.entries.has(file.absolute)) this.entries.set(file.absolute, file)
  }
}

interface Folder {
  readonly absolute: string
  /** What stands before the names of its entries: `` or `apps/`. */
  readonly prefix: string
  readonly rules: IgnoreRules
  /** Links must not lead out of here. */
  readonly border: string
  /** Real paths of the folders on the way, this one last. */
  readonly chain: readonly string[]
}

/** What a path leads to; undefined for nothing, and for what the system refuses to look at. */
export function kindOfPath(absolute: string): 'file' | 'folder' | undefined {
  try {
    return statSync(absolute).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

/** `./apps/` is `apps`, and `.` stays. */
export function shownName(named: string): string {
  const slashes = path.sep === '/' ? named : named.replaceAll(path.sep, '/')
  const plain = slashes.replaceAll(/\/{2,}/g, '/').replaceAll(/(?:^|(?<=\/))\.\//g, '')
  const trimmed = plain.length > 1 ? plain.replace(/\/\.?$/, '') : plain
  return trimmed === '' ? '.' : trimmed
}

/**
 * Memory for many files of which few are kept: a file that is not kept leaves its room to the next
 * one, so that a run over a large repository touches little fresh memory.
 */
export class FileMemory {
  private slab: Buffer = Buffer.allocUnsafeSlow(0)
  private used = 0

  /** Room for a file, until the next one asks, unless it is kept. */
  room(sizeBytes: number): Buffer {
    if (sizeBytes > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(sizeBytes)
    if (this.used + sizeBytes > this.slab.length) {
      this.slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.used = 0
    }
    return this.slab.subarray(this.used, this.used + sizeBytes)
  }

  keep({ bytes }: Source): void {
    if (bytes.buffer === this.slab.buffer) this.used = bytes.byteOffset + bytes.length
  }
}

const SLAB_BYTES = 1 << 20

/** Reads a file as it is, up to `maxBytes`; throws a Fault when that cannot be done. */
export function readSource(file: ListedFile, maxBytes: number, memory?: FileMemory): Source {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file.absolute, 'r')
    return { path: file.path, bytes: readAll(descriptor, file.path, maxBytes, memory) }
  } catch (error) {
    throw error instanceof Fault ? error : pathFault(error, file.path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The standard input to its end, up to `maxBytes`. */
export function readStdin(maxBytes: number): Uint8Array {
  try {
    return readAll(STDIN_DESCRIPTOR, STDIN_PATH, maxBytes)
  } catch (error) {
    throw error instanceof Fault ? error : pathFault(error, STDIN_PATH)
  }
}

const STDIN_DESCRIPTOR = 0

function readAll(
  descriptor: number,
  shown: string,
  maxBytes: number,
  memory?: FileMemory,
): Uint8Array {
  const facts = fstatSync(descriptor)
  if (facts.size > maxBytes) throw tooLarge(shown, facts.size, maxBytes)
  // Pipes, and files that the system makes up as they are read, tell no size.
  const room = facts.isFile() && facts.size > 0 ? facts.size : 65_536
  let bytes = memory?.room(room) ?? Buffer.allocUnsafeSlow(room)
  let length = 0
  for (;;) {
    const got = readSync(descriptor, bytes, length, bytes.length - length, null)
    length += got
    if (got === 0 || (facts.size > 0 && length === facts.size)) break
    if (length > maxBytes) throw tooLarge(shown, length, maxBytes)
    if (length === bytes.length) {
      const larger = Buffer.allocUnsafeSlow(bytes.length * 2)
      bytes.copy(larger)
      bytes = larger
    }
  }
  return bytes.subarray(0, length)
}

function tooLarge(shown: string, sizeBytes: number, maxBytes: number): Fault {
  return new Fault('FILE_TOO_LARGE', {
    what: `${shown} has ${megabytes(sizeBytes)}, more than the limit of ${megabytes(maxBytes)}`,
    why: 'no manifest is that large, and reading such files could exhaust memory',
    remedy: 'leave it out with an ignore entry in semel.yaml, or raise --max-file-size',
    where: shown,
  })
}

function megabytes(sizeBytes: number): string {
  if (sizeBytes < 1024 * 1024) return `${sizeBytes} bytes`
  return `${(Math.ceil((sizeBytes / 1024 / 1024) * 10) / 10).toString()} MiB`
}

/** Turns an error of the file system into a fault, by its code. */
export function pathFault(error: unknown, shown: string): Fault {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new Fault('PATH_NOT_FOUND', {
      what: `${shown} does not exist`,
      why: 'so nothing below it was judged',
      remedy: 'check the spelling and the folder from which semel was started',
      where: shown,
      cause: error,
    })
  }
  const reason = REASONS[code] ?? `the system answered ${code}`
  return new Fault('PATH_UNREADABLE', {
    what: `${shown} cannot be read`,
    why: reason,
    remedy: 'make it readable for the user who runs semel, or leave it out',
    where: shown,
    cause: error,
  })
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to read it',
  EPERM: 'this user has no permission to read it',
  ELOOP: 'its links lead in a circle',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long for this system',
  EMFILE: 'too many files are open',
  EIO: 'the disk failed to deliver it',
}
