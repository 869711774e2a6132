import type { Finding } from '../../core/findings.ts'
import type { Report } from '../report.ts'
import { printable } from '../words.ts'
import type { FormatContext } from './format.ts'
import { summaryLine } from './text.ts'

/** One line for each finding, as compilers write them; editors and grep understand it. */
export function compact(report: Report, context: FormatContext): string {
  const rows = report.result.findings.map((finding) => compactRow(finding, context))
  return `${[...rows, summaryLine(report, context)].join('\n')}\n`
}

export function compactRow(
  { place, severity, rule, what }: Finding,
  { lines, paint }: FormatContext,
): string {
  const { path, start } = lines.region(place)
  const where = `${printable(path)}:${start.line}:${start.column}`
  return `${where}: ${paint[severity](severity)} ${rule}: ${printable(what)}`
}
