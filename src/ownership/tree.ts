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
    reading: (path) => readings.get(path),
    isFile: (path) => paths.has(path),
    isFolder: (path) => path === '' || folders.has(path),
    under: (folder) => below(sorted, folder),
    folders: [...folders].sort(byCode),
    foldersAbove: endsOf(prefix),
    named: (...names) =>
      names.length === 1
        ? (byName.get(names[0] ?? '') ?? [])
        : names.flatMap((name) => byName.get(name) ?? []).sort(byCode),
  }
}

/** The part of a sorted list of paths that lies below `folder`. */
export function below(sorted: readonly string[], folder: string): readonly string[] {
  if (folder === '') return sorted
  const start = lowerBound(sorted, `${folder}/`)
  const end = lowerBound(sorted, `${folder}0`)
  return sorted.slice(start, end)
}

/**
 * Where `reference`, written in `folder`, leads: a path below the root, or undefined when it
 * leaves the root. `./`, `//` and a trailing `/` mean nothing; a leading `/` starts at the root,
 * as Flux and Argo CD read it.
 */
export function resolvePath(folder: string, reference: string): string | undefined {
  const steps = reference.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const step of reference.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return undefined
  }
  return steps.join('/')
}

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

function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
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
