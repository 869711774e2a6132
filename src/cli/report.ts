import type { Finding, Severity } from '../core/findings.ts'
import type { Place } from '../core/source.ts'
import type { BaselineEntry } from '../lint/baseline.ts'
import type { LintResult } from '../lint/run.ts'
import type { Repository } from '../ownership/subject.ts'
import type { Problem } from './problem.ts'
import { count, listed } from './words.ts'

/** All that a run found; every output format is a function of it. */
export interface Report {
  readonly repository: Repository
  readonly result: LintResult
  readonly problems: readonly Problem[]
  readonly notes: readonly Note[]
  readonly numbers: Numbers
  /** Findings that the baseline holds; they are not among those of `result`. */
  readonly known?: readonly KnownFinding[]
  /** How many findings were left out because nothing of theirs has changed. */
  readonly unchanged?: number
  /** Set when a revision was given to compare with. */
  readonly isOnChangedLine?: (finding: Finding) => boolean
  /** What `--fix` has changed before this was judged. */
  readonly fixed?: readonly FixedFinding[]
}

export interface KnownFinding {
  readonly finding: Finding
  readonly entry: BaselineEntry
}

export interface FixedFinding {
  readonly path: string
  readonly rule: string
  readonly title: string
}

/** What could not be followed; no fault of anybody. */
export interface Note {
  readonly path: string
  readonly place?: Place
  readonly what: string
  readonly why: string
}

export interface Numbers {
  readonly files: number
  readonly documents: number
  readonly jobs: number
  readonly cronJobs: number
}

/** Worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** The path in the package, for whoever wants to read more. */
export function pageOf(rule: string): string {
  return `docs/rules/${rule}.md`
}

/** `2 errors, 1 warning`; empty when there is nothing. */
export function severityWords(counts: Readonly<Record<Severity, number>>): string {
  return SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) => count(counts[severity], severity))
    .join(', ')
}

/** `1 suppressed`, `3 in the baseline` ...: what stands behind the counts, each where it is so. */
export function besides(report: Report): readonly string[] {
  const { result, problems, known = [], unchanged = 0, fixed = [] } = report
  return [
    ...(fixed.length > 0 ? [`${fixed.length} fixed`] : []),
    ...(result.suppressed.length > 0 ? [`${result.suppressed.length} suppressed`] : []),
    ...(known.length > 0 ? [`${known.length} in the baseline`] : []),
    ...(unchanged > 0 ? [`${unchanged} where nothing has changed`] : []),
    ...(problems.length > 0 ? [`${count(problems.length, 'problem')} with the input`] : []),
  ]
}

/** How many of the findings go by `--fix`, and how many more by `--fix --unsafe`. */
export function fixWords({ result }: Report): string | undefined {
  const fixes = result.findings.flatMap((finding) => result.fixes.get(finding) ?? [])
  const safe = fixes.filter((fix) => fix.safe).length
  const unsafe = fixes.length - safe
  if (fixes.length === 0) return undefined
  if (safe === 0) return `${unsafe} can be fixed by semel lint --fix --unsafe`
  const more = unsafe === 0 ? '' : `, ${unsafe} more with --unsafe`
  return `${safe} can be fixed by semel lint --fix${more}`
}

/** `5 Jobs and 2 CronJobs`. */
export function jobWords({ jobs, cronJobs }: Numbers): string {
  const parts = [
    ...(jobs > 0 || cronJobs === 0 ? [count(jobs, 'Job')] : []),
    ...(cronJobs > 0 ? [count(cronJobs, 'CronJob')] : []),
  ]
  return listed(parts)
}

export function numberOfFiles(findings: readonly Finding[]): number {
  return new Set(findings.map(({ place }) => place.source.path)).size
}
