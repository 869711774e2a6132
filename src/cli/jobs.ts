import { compareText } from '../core/text.ts'
import type { Finding, Severity } from '../core/findings.ts'
import { hashSuffixOf } from '../core/names.ts'
import { outermost, type Place } from '../core/source.ts'
import { isTemplated } from '../core/templates.ts'
import { stringAt } from '../core/json.ts'
import { placeOf } from '../core/manifest.ts'
import { contractOf, hashInName, label, type RepeatContract } from '../lint/helpers.ts'
import type { LintResult } from '../lint/run.ts'
import type { Repository, Subject } from '../ownership/subject.ts'
import { forecastOf, type Forecast } from '../simulate/forecast/index.ts'
import { SEVERITIES } from './report.ts'

/** A Job or CronJob as `semel check` shows it: once for each engine that carries it. */
export interface JobRow {
  readonly subject: Subject
  /** `shop/migrate`. */
  readonly name: string
  /** `Flux shop-db`. */
  readonly appliedBy: string
  readonly contract: RepeatContract
  readonly follows: Follows
  readonly forecast: Forecast
  readonly place: Place
  readonly findings: readonly Finding[]
  readonly counts: Readonly<Record<Severity, number>>
}

/** Whether another content has another name. CronJobs are changed in place and need none. */
export type Follows = 'yes' | 'no' | 'unknown' | 'not needed'

export function jobRows(repository: Repository, result: LintResult): readonly JobRow[] {
  const bySubject = new Map<Subject, Finding[]>()
  for (const finding of result.findings) {
    for (const subject of result.subjects.get(finding) ?? []) {
      const known = bySubject.get(subject)
      if (known === undefined) bySubject.set(subject, [finding])
      else known.push(finding)
    }
  }
  return repository.subjects
    .map((subject) => rowOf(subject, bySubject.get(subject) ?? []))
    .sort(byCarrier)
}

function rowOf(subject: Subject, findings: readonly Finding[]): JobRow {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return {
    subject,
    name: label(subject).slice(subject.kind.length + 1),
    appliedBy: appliedBy(subject),
    contract: contractOf(subject),
    follows: followsContent(subject),
    forecast: forecastOf(subject),
    place: outermost(placeOf(subject.manifest, ['metadata', 'name'])),
    findings,
    counts,
  }
}

function appliedBy({ engine, carrier, chain, traits, engineGiven }: Subject): string {
  if (engineGiven) return `${engine.title} (given)`
  if (traits.assumed) return 'unknown'
  const name = carrier?.name ?? chain[0]?.label
  return name === undefined ? engine.title : `${engine.title} ${name}`
}

function followsContent(subject: Subject): Follows {
  if (subject.kind === 'CronJob') return 'not needed'
  if (hashInName(subject) !== undefined) return 'yes'
  const name = stringAt(subject.object, ['metadata', 'name'])
  if (name === undefined) return 'no'
  if (isTemplated(name)) return 'unknown'
  return hashSuffixOf(name) === undefined ? 'no' : 'yes'
}

export function worstOf(counts: Readonly<Record<Severity, number>>): Severity | undefined {
  return SEVERITIES.find((severity) => counts[severity] > 0)
}

function byCarrier(one: JobRow, other: JobRow): number {
  return (
    compareText(one.appliedBy, other.appliedBy) ||
    compareText(one.name, other.name) ||
    compareText(one.place.source.path, other.place.source.path)
  )
}
