import { spawnSync } from 'node:child_process'
import { Fault } from '../core/faults.ts'

/**
 * What differs between a revision and the files as they are: committed, staged, unstaged and new
 * ones. The revision counts where the branch left it, so that what others have merged since is not
 * taken for a change; a clone too shallow to know that place is compared with the revision itself.
 * A file that was moved counts as new, as other engines may carry it now.
 * Runs `git` from the PATH, without a shell, and lets it write nothing.
 */
export function changedSince({ folder, since, env }: ChangedOptions): Changes {
  const git = new Git(folder, env)
  const top = git.text(['rev-parse', '--show-toplevel'], () => noWorkingTree(folder))
  const isShallow = git.text(['rev-parse', '--is-shallow-repository']) === 'true'
  const named = git.commit(since)
  // Before the first commit everything is new.
  if (named === undefined && since !== 'HEAD') throw unknownRevision(since, isShallow)
  const left = named === undefined ? git.emptyTree() : git.try(['merge-base', named, 'HEAD'])
  const base = left ?? named ?? since
  const names = git.output(['diff', ...DIFF, '--name-only', '-z', '--diff-filter=d', base, '--'])
  const hunks = hunksOf(git.output(['diff', ...DIFF, '--unified=0', base, '--']))
  const others = git.output([
    'ls-files',
    '--others',
    '--exclude-standard',
    '--full-name',
    '-z',
    '--',
    ':/',
  ])
  const files = new Map<string, readonly LineRange[] | 'all'>()
  for (const name of namesIn(names)) files.set(name, hunks.get(name) ?? 'all')
  for (const name of namesIn(others)) files.set(name, 'all')
  return {
    top,
    files,
    ...(left === undefined
      ? {
          note: `compared with ${since} itself: the clone does not reach back to where they parted`,
        }
      : {}),
  }
}

export interface ChangedOptions {
  /** Absolute; somewhere in the working tree. */
  readonly folder: string
  /** A branch, a tag, a commit. */
  readonly since: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Changes {
  /** Absolute path of the working tree. */
  readonly top: string
  /** By path from there; `all` for new files, and for those whose lines git does not compare. */
  readonly files: ReadonlyMap<string, readonly LineRange[] | 'all'>
  /** Set when the comparison is another one than was asked for. */
  readonly note?: string
}

/** Lines of the file as it is, 1-based; with `count` 0 lines were taken away behind `first`. */
export interface LineRange {
  readonly first: number
  readonly count: number
}

const DIFF = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--ignore-submodules',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

class Git {
  private readonly folder: string
  private readonly env: ChangedOptions['env']

  constructor(folder: string, env: ChangedOptions['env']) {
    this.folder = folder
    this.env = env
  }

  /** One line; `otherwise` says why git refused. */
  text(args: readonly string[], otherwise?: () => Fault): string {
    return this.output(args, otherwise).trimEnd()
  }

  /** Undefined where git says no. */
  try(args: readonly string[]): string | undefined {
    const { status, stdout } = this.run(args)
    return status === 0 ? stdout.trimEnd() : undefined
  }

  commit(name: string): string | undefined {
    // A revision that looks like an option would be taken for one.
    if (name.startsWith('-')) return undefined
    return this.try(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
  }

  /** What stood there before the first commit. */
  emptyTree(): string {
    return this.text(['hash-object', '-t', 'tree', '--stdin'])
  }

  output(args: readonly string[], otherwise?: () => Fault): string {
    const { status, stdout, stderr } = this.run(args)
    if (status === 0) return stdout
    throw isNoRepository(stderr) && otherwise !== undefined ? otherwise() : refused(args, stderr)
  }

  private run(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
    const { error, status, stdout, stderr } = spawnSync('git', [...QUIET, ...args], {
      cwd: this.folder,
      env: { ...this.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: LIMIT_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    if (error === undefined) return { status, stdout, stderr }
    throw unusable(error)
  }
}

/** No program of the repository's own settings is started, and paths come as they are. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false']
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
const LIMIT_MS = 120_000

function namesIn(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '')
}

/** Reads a diff without context: the changed lines of the new side, by path. */
function hunksOf(diff: string): ReadonlyMap<string, readonly LineRange[]> {
  const files = new Map<string, LineRange[]>()
  const lines = diff.split('\n')
  let ranges: LineRange[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('+++ ')) {
      ranges = []
      files.set(pathIn(line.slice('+++ '.length)), ranges)
      continue
    }
    const [, gone = '1', first = '', count = '1'] = HUNK.exec(line) ?? []
    if (first === '') continue
    ranges.push({ first: Number(first), count: Number(count) })
    // What follows is text of the files, which may look like anything.
    for (let left = Number(gone) + Number(count); left > 0;) {
      at += 1
      if (lines[at]?.startsWith('\\') !== true) left -= 1
    }
  }
  return files
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** `b/my file` with a tab behind it, or `"b/with \"quotes\""` in C's spelling. */
function pathIn(written: string): string {
  if (!written.startsWith('"')) return written.replace(/\t$/, '').slice('b/'.length)
  const inner = written.slice(1, written.lastIndexOf('"'))
  const bytes: number[] = []
  for (const [part, octal, escaped] of inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...Buffer.from(escaped === undefined ? part : (ESCAPES[escaped] ?? escaped)))
  }
  return Buffer.from(bytes).toString('utf8').slice('b/'.length)
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}

function isNoRepository(stderr: string): boolean {
  return /not a git repository|must be run in a work tree/i.test(stderr)
}

function noWorkingTree(folder: string): Fault {
  return new Fault('GIT_UNUSABLE', {
    what: `${folder} is no working tree of git`,
    why: 'without its history nobody can tell what has changed',
    remedy: 'run semel in a clone, or leave --changed and --since out',
  })
}

function unknownRevision(since: string, isShallow: boolean): Fault {
  const name = since.replace(/^(?:refs\/remotes\/)?[^/]+\//, '')
  return new Fault('GIT_UNUSABLE', {
    what: `git knows no revision ${since} here`,
    why: isShallow
      ? 'this clone is shallow: it holds only the last commits of one branch'
      : 'no branch, tag or commit of this clone has that name',
    remedy: isShallow
      ? `fetch it first, for example git fetch --depth=1 origin ${name}:refs/remotes/origin/${name}, or clone with the whole history`
      : `correct it, or fetch it first: git fetch origin ${name}`,
  })
}

function refused(args: readonly string[], stderr: string): Fault {
  const said = stderr.trim().split('\n')[0] ?? ''
  return new Fault('GIT_UNUSABLE', {
    what: `git ${args[0] ?? ''} failed`,
    why: said === '' ? 'it gave no reason' : `it says: ${said}`,
    remedy: 'make git work here, or leave --changed and --since out',
  })
}

function unusable(error: NodeJS.ErrnoException): Fault {
  const words: Readonly<Record<string, readonly [string, string]>> = {
    ENOENT: ['there is no git on the PATH', 'install git, or leave --changed and --since out'],
    ETIMEDOUT: ['git did not answer within two minutes', 'see what holds it up: git status'],
    ENOBUFS: ['the difference is larger than 256 MiB', 'compare with a nearer revision'],
  }
  const [what, remedy] = words[error.code ?? ''] ?? [
    `git could not be started: ${error.message}`,
    'make git work here, or leave --changed and --since out',
  ]
  const why = '--changed and --since ask git what has changed'
  return new Fault('GIT_UNUSABLE', { what, why, remedy, cause: error })
}
