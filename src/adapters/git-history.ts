import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { Fault } from '../core/faults.ts'

/**
 * The commits behind a revision up to another one, along the first parents, and the files of each.
 * Contents are read in one go and kept by their hash, so that a file that does not change is the
 * same bytes in every commit. Runs `git` from the PATH, without a shell, and lets it write nothing.
 */
export class GitHistory {
  /** Absolute path of the working tree. */
  readonly top: string
  readonly base: Commit
  /** Oldest first. */
  readonly commits: readonly Commit[]
  readonly #options: HistoryOptions
  readonly #blobs = new Map<string, Uint8Array>()

  constructor(options: HistoryOptions) {
    this.#options = options
    // Not --show-toplevel, which follows links: paths have to stay as they were given.
    const below = this.#text(['rev-parse', '--show-prefix'])
    this.top = path.resolve(options.folder, below.replaceAll(/[^/]+/g, '..'))
    const base = this.#commits(['-1', this.#revision(options.base)])[0]
    if (base === undefined) throw unknownRevision(options.base)
    this.base = base
    const head = this.#revision(options.head)
    this.commits = this.#commits(['--first-parent', '--reverse', `${base.hash}..${head}`])
  }

  /** The plain files of the base and of each commit behind it: hash by path from the top. */
  trees(): readonly ReadonlyMap<string, string>[] {
    const found = [this.#files(this.base)]
    const all = [this.base, ...this.commits]
    const pairs = this.commits.map(({ tree }, index) => `${all[index]?.tree ?? ''} ${tree}\n`)
    const args = ['diff-tree', '--stdin', '-r', '-z', '--no-renames', '--no-relative', '--raw']
    const parts = this.#run(args, pairs.join('')).stdout.toString('utf8').split('\0')
    let next: Map<string, string> | undefined
    for (let at = 0; at < parts.length; at += 1) {
      let part = parts[at] ?? ''
      // Each comparison begins with a line that names the two trees.
      for (let head = TREES.exec(part); head !== null; head = TREES.exec(part)) {
        next = new Map(found.at(-1))
        found.push(next)
        part = part.slice(head[0].length)
      }
      const [, mode = '', blob = ''] = /^:\d+ (\d+) \w+ (\w+) /.exec(part) ?? []
      if (mode === '') continue
      at += 1
      const name = parts[at] ?? ''
      if (mode.startsWith('100')) next?.set(name, blob)
      else next?.delete(name)
    }
    return found
  }

  #files({ hash }: Commit): Map<string, string> {
    const found = new Map<string, string>()
    for (const line of this.#text(['ls-tree', '-r', '-z', '--full-tree', hash]).split('\0')) {
      const [, mode = '', blob = '', name = ''] = /^(\d+) \w+ (\w+)\t([\s\S]*)$/.exec(line) ?? []
      // Links and submodules hold no text of this repository.
      if (mode.startsWith('100')) found.set(name, blob)
    }
    return found
  }

  /** Reads many contents at once, for `bytes`. */
  prepare(blobs: Iterable<string>): void {
    const missing = [...new Set(blobs)].filter((blob) => !this.#blobs.has(blob))
    const sizes = this.#sizes(missing)
    for (let at = 0; at < missing.length;) {
      const batch: string[] = []
      for (let room = BATCH_BYTES; at < missing.length && room >= 0; at += 1) {
        const blob = missing[at] ?? ''
        batch.push(blob)
        room -= sizes.get(blob) ?? 0
      }
      this.#read(batch)
    }
  }

  /** Undefined for a content that git does not hold (a partial clone). */
  bytes(blob: string): Uint8Array | undefined {
    if (!this.#blobs.has(blob)) this.prepare([blob])
    return this.#blobs.get(blob)
  }

  #commits(args: readonly string[]): readonly Commit[] {
    return this.#text(['log', '-z', '--no-color', '--format=%H %T %ct %s', ...args, '--'])
      .split('\0')
      .flatMap((line) => {
        const [, hash, tree, seconds, subject = ''] =
          /^(\w+) (\w+) (\d+) ([\s\S]*)$/.exec(line) ?? []
        if (hash === undefined || tree === undefined) return []
        return [{ hash, tree, at: Number(seconds) * 1000, subject }]
      })
  }

  #revision(name: string): string {
    // A revision that looks like an option would be taken for one.
    if (name.startsWith('-') || name === '') throw unknownRevision(name)
    const { status, stdout } = this.#run(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
    if (status !== 0) throw unknownRevision(name)
    return stdout.toString('utf8').trim()
  }

  #sizes(blobs: readonly string[]): ReadonlyMap<string, number> {
    if (blobs.length === 0) return new Map()
    const { stdout } = this.#run(['cat-file', '--batch-check'], `${blobs.join('\n')}\n`)
    return new Map(
      stdout
        .toString('utf8')
        .split('\n')
        .map((line) => {
          const [blob = '', , size = '0'] = line.split(' ')
          return [blob, Number(size)]
        }),
    )
  }

  #read(blobs: readonly string[]): void {
    const { stdout } = this.#run(['cat-file', '--batch'], `${blobs.join('\n')}\n`)
    for (let at = 0; at < stdout.length;) {
      const end = stdout.indexOf(10, at)
      if (end < 0) return
      const [blob = '', type = '', size = ''] = stdout.toString('utf8', at, end).split(' ')
      at = end + 1
      if (type === 'missing') continue
      const bytes = stdout.subarray(at, at + Number(size))
      this.#blobs.set(blob, bytes)
      at += Number(size) + 1
    }
  }

  #text(args: readonly string[]): string {
    const { status, stdout, stderr } = this.#run(args)
    if (status === 0) return stdout.toString('utf8').replace(/\n$/, '')
    throw /not a git repository|must be run in a work tree/i.test(stderr)
      ? noWorkingTree(this.#options.folder)
      : refused(args, stderr)
  }

  #run(
    args: readonly string[],
    input?: string,
  ): { status: number | null; stdout: Buffer; stderr: string } {
    const { folder, env } = this.#options
    const { error, status, stdout, stderr } = spawnSync('git', [...QUIET, ...args], {
      cwd: folder,
      env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      maxBuffer: BATCH_BYTES * 4,
      timeout: LIMIT_MS,
      ...(input === undefined ? {} : { input }),
      windowsHide: true,
    })
    if (error === undefined) return { status, stdout, stderr: stderr.toString('utf8') }
    throw new Fault('GIT_UNUSABLE', {
      what:
        (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? 'there is no git on the PATH'
          : `git could not be started: ${error.message}`,
      why: '--git asks git what stood in each commit',
      remedy: 'make git work here, or leave --git out',
      cause: error,
    })
  }
}

export interface HistoryOptions {
  /** Absolute; somewhere in the working tree. */
  readonly folder: string
  readonly base: string
  readonly head: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Commit {
  readonly hash: string
  readonly tree: string
  /** The committer's time, milliseconds since 1970. */
  readonly at: number
  readonly subject: string
}

/** No program of the repository's own settings is started, and paths come as they are. */
const QUIET = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'log.showSignature=false',
]
const TREES = /^\w+ \w+\n/
const BATCH_BYTES = 64 * 1024 * 1024
const LIMIT_MS = 120_000

function noWorkingTree(folder: string): Fault {
  return new Fault('GIT_UNUSABLE', {
    what: `${folder} is no working tree of git`,
    why: 'without its history nobody can tell what each commit changed',
    remedy: 'run semel in a clone, or leave --git out',
  })
}

function unknownRevision(name: string): Fault {
  return new Fault('GIT_UNUSABLE', {
    what: `git knows no revision ${name === '' ? '(empty)' : name} here`,
    why: 'no branch, tag or commit of this clone has that name; a shallow clone holds only the last ones',
    remedy: 'correct it, or fetch it first',
  })
}

function refused(args: readonly string[], stderr: string): Fault {
  const said = stderr.trim().split('\n')[0] ?? ''
  return new Fault('GIT_UNUSABLE', {
    what: `git ${args[0] ?? ''} failed`,
    why: said === '' ? 'it gave no reason' : `it says: ${said}`,
    remedy: 'make git work here, or leave --git out',
  })
}
