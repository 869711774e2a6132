import { existsSync } from 'node:fs'
import path from 'node:path'
import { gitRootOf } from '../../adapters/gitignore.ts'

export const CONFIG_NAME = 'semel.yaml'

/**
 * The semel.yaml that holds for a folder: the one in it, or the nearest above it up to the top of
 * the git working tree (without git: up to the folder in which semel was started).
 */
export function findConfig(cwd: string, start: string): string | undefined {
  const top = gitRootOf(start) ?? (isBelow(start, cwd) ? cwd : start)
  for (let folder = start; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, CONFIG_NAME)
    if (existsSync(candidate)) return candidate
    if (folder === top || path.dirname(folder) === folder) return undefined
  }
}

/** True for the folder itself and everything in it; both absolute. */
export function isBelow(inner: string, outer: string): boolean {
  const below = path.relative(outer, inner)
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)
}
