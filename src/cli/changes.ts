import { realpathSync } from 'node:fs'
import path from 'node:path'
import { changedSince, type Changes, type LineRange } from '../adapters/git.ts'
import type { Finding } from '../core/findings.ts'
import { outermost, type Place } from '../core/source.ts'
import { textOfManifest } from '../lint/run.ts'
import type { Subject } from '../ownership/subject.ts'
import type { Io } from './io.ts'
import { Lines } from './lines.ts'
import { startFolder } from './naming.ts'

/** What has changed since a revision, asked by finding. */
export interface ChangeTest {
  readonly note?: string
  /** The finding stands on a changed line. */
  isOnLine(finding: Finding): boolean
  /**
   * Something that the finding is about has changed: its line, its object, what carries the
   * object, or a place that explains it.
   */
  concerns(finding: Finding, subjects: readonly Subject[]): boolean
}

export function changesSince(since: string, paths: readonly string[], io: Io): ChangeTest {
  const changes = changedSince({ folder: startFolder(io.cwd, paths), since, env: io.env })
  const test = new Test(changes, io.cwd)
  return {
    ...(changes.note === undefined ? {} : { note: changes.note }),
    isOnLine: ({ place }) => test.touches(place),
    concerns: (finding, subjects) =>
      test.touches(finding.place) ||
      finding.related.some(({ place }) => test.touches(place)) ||
      subjects.some((subject) => test.touchesSubject(subject)),
  }
}

class Test {
  private readonly changes: Changes
  private readonly cwd: string
  private readonly top: string
  private readonly lines = new Lines()

  constructor(changes: Changes, cwd: string) {
    this.changes = changes
    this.cwd = cwd
    this.top = real(changes.top)
  }

  touches(place: Place): boolean {
    const { source, span } = outermost(place)
    const ranges = this.rangesOf(source.path)
    if (typeof ranges === 'string') return ranges === 'all'
    const { start, end } = this.lines.region({ source, span })
    // A span may end behind its last line break.
    const last = end.line > start.line && end.column === 1 ? end.line - 1 : end.line
    return ranges.some(({ first, count }) => {
      // Lines that went stood between `first` and the next one: also just above the place.
      if (count === 0) return first >= start.line - 1 && first < last
      return first <= last && first + count > start.line
    })
  }

  touchesSubject({ manifest, chain }: Subject): boolean {
    return (
      this.touches(textOfManifest(manifest)) ||
      chain.some((link) => {
        if (link.manifest === undefined) return this.rangesOf(link.path) !== 'none'
        return this.touches(textOfManifest(link.manifest))
      })
    )
  }

  /** `none` for a file as it was. What stands outside of the working tree may have changed. */
  private rangesOf(shown: string): readonly LineRange[] | 'all' | 'none' {
    const absolute = real(path.resolve(this.cwd, shown))
    const below = path.relative(this.top, absolute)
    if (below.startsWith('..') || path.isAbsolute(below)) return 'all'
    return this.changes.files.get(below.replaceAll(path.sep, '/')) ?? 'none'
  }
}

/** Git knows folders by their real path, and a link by its own. */
function real(absolute: string): string {
  try {
    return path.join(realpathSync(path.dirname(absolute)), path.basename(absolute))
  } catch {
    return absolute
  }
}
