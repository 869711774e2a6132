import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import path from 'node:path'
import type { Fault } from '../core/faults.ts'
import { gitRootOf, ignoreRulesAt, NO_IGNORE_RULES, type IgnoreRules } from './gitignore.ts'
import { pathFault, STDIN_PATH, type ListedFile } from './read-source.ts'

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
