import type { FileReading } from '../core/yaml/document.ts'

/**
 * The files of a repository by path, relative to its root with `/` between folders; the root
 * itself is the empty path. Every answer is a look-up or a slice of one sorted list, because
 * thousands of carriers ask.
 */
export interface Tree {
  /** Path of a reading below the root. */
  pathOf(file: FileReading): string
  /** As the user named it: the root and `path`. */
  shown(path: string): string
  /** The path below the root of a file as the user named it. */
  below(shown: string): string
  reading(path: string): FileReading | undefined
  isFile(path: string): boolean
  isFolder(path: string): boolean
  /** All files in the folder and below it, sorted. */
  under(folder: string): readonly string[]
  /** Every folder that holds a file, at any depth, sorted; the root is not listed. */
  readonly folders: readonly string[]
  /** Folders above the root by the ends of its name: `b` and `a/b` for the root `a/b`. */
  readonly foldersAbove: readonly string[]
  /** All files with one of these base names, sorted. */
  named(...names: readonly string[]): readonly string[]
}

export function buildTree(
  files: readonly FileReading[],
  listing: readonly string[],
  root: string,
): Tree {
  const prefix = normalFolder(root)
  const pathOf = (file: FileReading): string => relative(prefix, file.source.path)
  const readings = new Map(files.map((file) => [pathOf(file), file]))
  const paths = new Set(listing.map((path) => path.replace(/^(\.\/)+/, '')))
  for (const path of readings.keys()) paths.add(path)
  const sorted = [...paths].sort(byCode)
  const folders = new Set<string>()
  const byName = new Map<string, string[]>()
  for (const path of sorted) {
    const name = baseName(path)
    const same = byName.get(name)
    if (same === undefined) byName.set(name, [path])
    else same.push(path)
    for (let folder = parent(path); folder !== '' && !folders.has(folder);) {
      folders.add(folder)
      folder = parent(folder)
    }
  }
  return {
    pathOf,
    shown: (path) => (prefix === '' ? path : path === '' ? prefix : `${slashed(prefix)}${path}`),
    below: (shown) => relative(prefix, shown),
    reading: (path) => readings.get(path),
    isFile: (path) => paths.has(path),
    isFolder: (path) => path === '' || folders.has(path),
    under: pathsBelow(sorted),
    folders: [...folders].sort(byCode),
    foldersAbove: endsOf(prefix),
    named: (...names) =>
      names.length === 1
        ? (byName.get(names[0] ?? '') ?? [])
        : names.flatMap((name) => byName.get(name) ?? []).sort(byCode),
  }
}

/** Answers which of the paths, in their sorted order, lie below a folder. */
export function pathsBelow(sorted: readonly string[]): (folder: string) => readonly string[] {
  const ranges = new Map<string, { readonly start: number; end: number }>()
  for (const [index, path] of sorted.entries()) {
    for (let folder = parent(path); folder !== ''; folder = parent(folder)) {
      const range = ranges.get(folder)
      if (range === undefined) ranges.set(folder, { start: index, end: index + 1 })
      else range.end = index + 1
    }
  }
  return (folder) => {
    if (folder === '') return sorted
    const range = ranges.get(folder)
    return range === undefined ? NONE : sorted.slice(range.start, range.end)
  }
}

const NONE: readonly string[] = []

/**
 * Where `reference`, written in `folder`, leads: a path below the root, or undefined when it
 * leaves the root. `./`, `//` and a trailing `/` mean nothing; a leading `/` starts at the root,
 * as Flux and Argo CD read it.
 */
export function resolvePath(folder: string, reference: string): string | undefined {
  if (PLAIN.test(reference)) {
    const inner = reference.startsWith('./') ? reference.slice(2) : reference
    return folder === '' ? inner : `${folder}/${inner}`
  }
  const steps = reference.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const step of reference.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return undefined
  }
  return steps.join('/')
}

/** Nothing in it needs resolving but a leading `./`: nearly all that people write. */
const PLAIN = /^(?:\.\/)?(?:[^./][^/]*\/)*[^./][^/]*$/

export function parent(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function byCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function relative(prefix: string, path: string): string {
  const plain = path.replace(/^(\.\/)+/, '')
  const start = slashed(prefix)
  return prefix !== '' && plain.startsWith(start) ? plain.slice(start.length) : plain
}

function endsOf(root: string): readonly string[] {
  const steps = root.split('/').filter((step) => step !== '' && step !== '..')
  return steps.map((_, index) => steps.slice(index).join('/'))
}

function normalFolder(root: string): string {
  const plain = root.replace(/^(\.\/)+/, '')
  if (plain === '.' || plain === '') return ''
  return plain === '/' ? '/' : plain.replace(/\/+$/, '')
}

function slashed(prefix: string): string {
  return prefix.endsWith('/') ? prefix : `${prefix}/`
}
