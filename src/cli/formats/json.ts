import type { Finding } from '../../core/findings.ts'
import type { Place } from '../../core/source.ts'
import type { ReadyFix } from '../../lint/fix.ts'
import type { Lines } from '../lines.ts'
import { pageOf, type Note, type Report } from '../report.ts'
import type { Problem } from '../problem.ts'
import type { FormatContext } from './format.ts'

/** The shape is described in docs/reference/output.md; a change of meaning changes `format`. */
const LINT_FORMAT = 'semel.dev/lint/v1'

export function json(report: Report, context: FormatContext): string {
  return `${JSON.stringify({ format: LINT_FORMAT, ...bodyOf(report, context) }, null, 2)}\n`
}

/** What `semel lint` and `semel check` tell in the same way. */
export function bodyOf(report: Report, { lines, version }: FormatContext): object {
  const { result, numbers, problems, notes, known = [], fixed, unchanged } = report
  const { counts, findings, suppressed } = result
  return {
    tool: { name: 'semel', version },
    summary: {
      ...numbers,
      errors: counts.error,
      warnings: counts.warning,
      infos: counts.info,
      suppressed: suppressed.length,
      ...(report.known === undefined ? {} : { known: known.length }),
      ...(unchanged === undefined ? {} : { unchanged }),
      ...(fixed === undefined ? {} : { fixed: fixed.length }),
      problems: problems.length,
    },
    findings: findings.map((finding) => ({
      ...findingJson(finding, lines),
      ...fixJson(result.fixes.get(finding)),
    })),
    suppressed: suppressed.map(({ finding, reason, until, by }) => ({
      ...findingJson(finding, lines),
      suppression: { reason, ...(until === undefined ? {} : { until }), ...regionJson(by, lines) },
    })),
    ...(report.known === undefined
      ? {}
      : {
          known: known.map(({ finding, entry: { reason, fingerprint } }) => ({
            ...findingJson(finding, lines),
            baseline: { reason, fingerprint },
          })),
        }),
    ...(fixed === undefined ? {} : { fixed }),
    problems: problems.map((problem) => problemJson(problem, lines)),
    notes: notes.map((note) => noteJson(note, lines)),
  }
}

function findingJson(finding: Finding, lines: Lines): object {
  const { rule, severity, place, object, pointer, what, why, remedy, related } = finding
  return {
    rule,
    severity,
    ...regionJson(place, lines),
    object,
    pointer,
    what,
    why,
    remedy,
    related: related.map(({ place: other, note }) => ({ ...regionJson(other, lines), note })),
    page: pageOf(rule),
  }
}

function fixJson(fix: ReadyFix | undefined): object {
  return fix === undefined ? {} : { fix: { safe: fix.safe, title: fix.title } }
}

function problemJson({ code, what, why, remedy, path, place }: Problem, lines: Lines): object {
  const where =
    place === undefined ? (path === undefined ? {} : { path }) : regionJson(place, lines)
  return { code, ...where, what, why, remedy }
}

function noteJson({ path, place, what, why }: Note, lines: Lines): object {
  return { ...(place === undefined ? { path } : regionJson(place, lines)), what, why }
}

export function regionJson(place: Place, lines: Lines): object {
  const { path, start, end } = lines.region(place)
  return {
    path,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  }
}
