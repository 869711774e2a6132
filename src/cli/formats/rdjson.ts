import type { Severity } from '../../core/findings.ts'
import type { Place, Source } from '../../core/source.ts'
import type { ReadyFix } from '../../lint/fix.ts'
import type { Lines } from '../lines.ts'
import type { Report } from '../report.ts'
import type { FormatContext } from './format.ts'

/** Reviewdog's diagnostics, with the fixes as suggestions that a review can take over. */
export function rdjson(report: Report, { lines }: FormatContext): string {
  const problems = report.problems.map(({ code, what, why, remedy, path, place }) => ({
    message: `${what}\nwhy: ${why}\nremedy: ${remedy}`,
    location: place === undefined ? { path: path ?? '' } : locationOf(place, lines),
    severity: 'ERROR',
    code: { value: code },
  }))
  const findings = report.result.findings.map((finding) => {
    const { rule, severity, what, why, remedy, place, related } = finding
    const fix = report.result.fixes.get(finding)
    return {
      message: `${what}\nwhy: ${why}\nremedy: ${remedy}`,
      location: locationOf(place, lines),
      severity: LEVELS[severity],
      code: { value: rule },
      ...(fix === undefined ? {} : { suggestions: suggestionsOf(fix, lines) }),
      ...(related.length === 0
        ? {}
        : {
            relatedLocations: related.map((other) => ({
              message: other.note,
              location: locationOf(other.place, lines),
            })),
          }),
    }
  })
  const body = { source: { name: 'semel' }, diagnostics: [...problems, ...findings] }
  return `${JSON.stringify(body, null, 2)}\n`
}

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'ERROR',
  warning: 'WARNING',
  info: 'INFO',
}

function suggestionsOf({ source, splices }: ReadyFix, lines: Lines): readonly object[] {
  return splices.map(({ start, end, text }) => ({
    range: locationOf({ source, span: { start, end } }, lines).range,
    text,
  }))
}

/** Columns are bytes here, from 1; the end is exclusive. */
function locationOf(place: Place, lines: Lines): { path: string; range: object } {
  const { source, span } = place
  const at = (offset: number): object => {
    const { line } = lines.position(source, offset)
    return { line, column: offset - lineStart(source, offset) + 1 }
  }
  return {
    path: source.path,
    range: { start: at(span.start), end: at(Math.max(span.start, span.end)) },
  }
}

function lineStart({ bytes }: Source, offset: number): number {
  return offset === 0 ? 0 : bytes.lastIndexOf(10, offset - 1) + 1
}
