import type { Severity } from '../../core/findings.ts'
import type { Report } from '../report.ts'
import { Fingerprints } from './fingerprints.ts'
import type { FormatContext } from './format.ts'

/** GitLab's code quality report, shown beside the lines of a merge request. */
export function gitlab(report: Report, { lines }: FormatContext): string {
  const fingerprints = new Fingerprints(lines)
  const problems = report.problems.flatMap(({ code, what, why, remedy, path, place }) => {
    if (path === undefined) return []
    const begin = place === undefined ? 1 : lines.region(place).start.line
    return [
      {
        description: `${what} (why: ${why}; remedy: ${remedy})`,
        check_name: code,
        fingerprint: fingerprints.ofText(JSON.stringify([code, path, what])),
        severity: 'blocker',
        location: { path, lines: { begin } },
      },
    ]
  })
  const findings = report.result.findings.map((finding) => {
    const { rule, severity, what, why, remedy, place } = finding
    const { path, start, end } = lines.region(place)
    return {
      description: `${what} (why: ${why}; remedy: ${remedy})`,
      check_name: rule,
      fingerprint: fingerprints.of(finding),
      severity: LEVELS[severity],
      location: { path, lines: { begin: start.line, end: Math.max(start.line, end.line) } },
    }
  })
  return `${JSON.stringify([...problems, ...findings], null, 2)}\n`
}

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'major',
  warning: 'minor',
  info: 'info',
}
