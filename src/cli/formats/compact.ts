import type { Report } from '../report.ts'
import { printable } from '../words.ts'
import type { FormatContext } from './format.ts'
import { summaryLine } from './text.ts'

/** One line for each finding, as compilers write them; editors and grep understand it. */
export function compact(report: Report, context: FormatContext): string {
  const { lines, paint } = context
  const rows = report.result.findings.map(({ place, severity, rule, what }) => {
    const { path, start } = lines.region(place)
    const where = `${printable(path)}:${start.line}:${start.column}`
    return `${where}: ${paint[severity](severity)} ${rule}: ${printable(what)}`
  })
  return `${[...rows, summaryLine(report, context)].join('\n')}\n`
}
