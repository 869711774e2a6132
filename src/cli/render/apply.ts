import type { Finding } from '../../core/findings.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { LintResult } from '../../lint/run.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import type { Rendered } from './render.ts'
import { carrierKey, folderOf, renderedLink } from './targets.ts'

/**
 * The repository with rendered Jobs in the place of those they were made from. `written` is the
 * repository as it is written, `built` the one with the rendered objects added to it.
 */
export function withRendered(
  written: Repository,
  built: Repository,
  { folders, of }: Rendered,
  relative: (shown: string) => string,
): Repository {
  const open = new Set<string>()
  const all = new Set<string>()
  for (const subject of written.subjects) {
    const link = renderedLink(subject)
    const isRendered = link !== undefined && folders.has(relative(folderOf(link.path)))
    all.add(keyOf(subject.manifest))
    if (!isRendered) open.add(keyOf(subject.manifest))
  }
  const subjects = built.subjects.filter((subject) => {
    const from = of.get(subject.manifest.document.source)
    if (from === undefined) {
      const key = keyOf(subject.manifest)
      return open.has(key) || !all.has(key)
    }
    return from.carrier === undefined || from.carrier === carrierKey(subject.carrier)
  })
  return { ...built, subjects }
}

/** Says of each finding on a rendered object what it was rendered from. */
export function sayRendered(result: LintResult, { of }: Rendered): LintResult {
  const subjects = new Map<Finding, readonly Subject[]>()
  const findings = result.findings.map((finding) => {
    const about = result.subjects.get(finding) ?? []
    const from = about.flatMap(({ manifest }) => of.get(manifest.document.source) ?? [])[0]
    const said =
      from === undefined
        ? finding
        : {
            ...finding,
            related: [
              ...finding.related,
              { place: from.place, note: `rendered from here by ${from.tool}` },
            ],
          }
    subjects.set(said, about)
    return said
  })
  return { ...result, findings, subjects }
}

function keyOf({ document, root }: Manifest): string {
  return JSON.stringify([document.source.path, document.index, document.span.start, root])
}
