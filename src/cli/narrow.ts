import type { Finding, Severity } from '../core/findings.ts'
import type { Subject } from '../ownership/subject.ts'
import { applyBaseline, writeBaseline, type Applied } from './baseline/apply.ts'
import type { LoadedBaseline } from './baseline/load.ts'
import type { ChangeTest } from './changes.ts'
import type { Judgement } from './judge.ts'
import type { LintOptions } from './lint-options.ts'
import type { Note, Report } from './report.ts'

/** What decides which findings a user sees, beside suppressions and semel.yaml. */
export interface Scope {
  readonly baseline: LoadedBaseline | undefined
  readonly changes: ChangeTest | undefined
}

export interface Narrowed {
  readonly report: Report
  /** What was written beside it, for people. */
  readonly said?: string
}

/** The report without what the baseline knows and, where asked, without what has not changed. */
export function narrowed(
  judged: Judgement,
  { baseline, changes }: Scope,
  { write, changed, since }: Pick<LintOptions, 'write' | 'changed' | 'since'>,
): Narrowed {
  const applied = baseline === undefined ? undefined : apply(judged, baseline, write)
  const open = applied?.open ?? judged.result.findings
  const isShown = (finding: Finding): boolean =>
    !changed || changes === undefined || changes.concerns(finding, subjectsOf(finding, judged))
  const findings = open.filter(isShown)
  const { said } = applied ?? {}
  return {
    report: {
      ...judged,
      result: { ...judged.result, findings, counts: countsOf(findings) },
      problems: [...judged.problems, ...(applied?.problems ?? [])],
      notes: [...judged.notes, ...noteOf(changes, since)],
      ...(applied === undefined ? {} : { known: applied.known }),
      ...(changed ? { unchanged: open.length - findings.length } : {}),
      ...(changes === undefined
        ? {}
        : { isOnChangedLine: (finding: Finding) => changes.isOnLine(finding) }),
    },
    ...(said === undefined ? {} : { said }),
  }
}

/** The findings that the user would see, for whoever wants to change the files by them. */
export function seenFindings(
  judged: Judgement,
  scope: Scope,
  options: Pick<LintOptions, 'changed' | 'since'>,
): readonly Finding[] {
  return narrowed(judged, scope, { ...options, write: undefined }).report.result.findings
}

function apply(judged: Judgement, baseline: LoadedBaseline, write: LintOptions['write']): Applied {
  return write === undefined
    ? applyBaseline(judged, baseline)
    : writeBaseline(judged, baseline, write)
}

function subjectsOf(finding: Finding, { result }: Judgement): readonly Subject[] {
  return result.subjects.get(finding) ?? []
}

function noteOf(changes: ChangeTest | undefined, since: string | undefined): readonly Note[] {
  if (changes?.note === undefined) return []
  return [{ path: since ?? '', what: changes.note, why: 'more may be shown than the branch did' }]
}

function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}
