import type { Finding } from '../../core/findings.ts'
import { SEVERITIES, type Report } from '../report.ts'

/**
 * For readers who see only the beginning: errors first, and of each severity those on changed
 * lines; else in the order of the files.
 */
export function mostUrgentFirst({ result, isOnChangedLine }: Report): readonly Finding[] {
  return SEVERITIES.flatMap((severity) => {
    const own = result.findings.filter((finding) => finding.severity === severity)
    if (isOnChangedLine === undefined) return own
    const onChanged = own.filter((finding) => isOnChangedLine(finding))
    return [...onChanged, ...own.filter((finding) => !onChanged.includes(finding))]
  })
}
