import type { Finding, Severity } from '../core/findings.ts'
import type { Place } from '../core/source.ts'
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
