import path from 'node:path'
import { kindOfPath, shownName } from '../adapters/files.ts'
import { STDIN_PATH, type ListedFile } from '../adapters/read-source.ts'
import { isBelow } from './config/find.ts'

/** How the files of a run are named, and which folder is the top of the repository. */
export interface Naming {
  /** As shown to the user: `` or the one folder that was given. Paths in carriers start here. */
  readonly root: string
  /** The path of a file or folder from there. */
  readonly relative: (shown: string) => string
  /** As a file of this run is named. */
  readonly shown: (absolute: string) => string
  readonly absolute: (shown: string) => string
  /** True for files that a run over these paths looks at, if they exist. */
  readonly covers: (absolute: string) => boolean
}

export function namingOf(cwd: string, paths: readonly string[]): Naming {
  const places = paths
    .filter((named) => named !== '-')
    .map((named) => ({ shown: shownName(named), absolute: path.resolve(cwd, named) }))
  const [only] = places
  const isFolder = only !== undefined && kindOfPath(only.absolute) === 'folder'
  const root = paths.length === 1 && isFolder && only.shown !== '.' ? only.shown : ''
  const prefix = root === '' || root.endsWith('/') ? root : `${root}/`
  return {
    root,
    relative: (shown) => {
      if (shown === root) return ''
      return shown.startsWith(prefix) ? shown.slice(prefix.length) : shown
    },
    absolute: (shown) => path.resolve(cwd, shown),
    shown: (absolute) => {
      const home = places.find((place) => isBelow(absolute, place.absolute))
      const below = path.relative(home?.absolute ?? cwd, absolute).replaceAll(path.sep, '/')
      if (home === undefined || home.shown === '.') return below
      if (below === '') return home.shown
      return home.shown.endsWith('/') ? `${home.shown}${below}` : `${home.shown}/${below}`
    },
    covers: (absolute) => places.some((place) => isBelow(absolute, place.absolute)),
  }
}

/** The folder from which semel.yaml is looked for: that of the first path. */
export function startFolder(cwd: string, paths: readonly string[]): string {
  const first = paths[0]
  if (first === undefined || first === '-') return cwd
  const absolute = path.resolve(cwd, first)
  return kindOfPath(absolute) === 'file' ? path.dirname(absolute) : absolute
}

/** Paths from the top of the repository, without the standard input. */
export function listingFor(naming: Naming, entries: readonly ListedFile[]): readonly string[] {
  return entries
    .filter((entry) => entry.path !== STDIN_PATH)
    .map((entry) => naming.relative(entry.path))
}
