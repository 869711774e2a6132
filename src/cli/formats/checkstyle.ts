import type { Finding } from '../../core/findings.ts'
import type { Report } from '../report.ts'
import type { FormatContext } from './format.ts'
import { element, XML_HEAD } from './xml.ts'

/** Checkstyle's XML: what most review bots and editors' plugins read. */
export function checkstyle(report: Report, { lines }: FormatContext): string {
  const byFile = new Map<string, string[]>()
  const add = (path: string, row: string): void => {
    const rows = byFile.get(path)
    if (rows === undefined) byFile.set(path, [row])
    else rows.push(row)
  }
  for (const { code, what, why, remedy, path, place } of report.problems) {
    const start = place === undefined ? undefined : lines.region(place).start
    const where = { line: start?.line ?? 1, column: start?.column }
    const row = { ...where, severity: 'error', message: words({ what, why, remedy }) }
    add(path ?? '', element('error', { ...row, source: `semel.${code}` }))
  }
  for (const finding of report.result.findings) {
    const { path, start } = lines.region(finding.place)
    const { severity, rule } = finding
    const where = { line: start.line, column: start.column }
    const row = { ...where, severity, message: words(finding), source: `semel.${rule}` }
    add(path, element('error', row))
  }
  const files = [...byFile].map(([name, rows]) => element('file', { name }, rows))
  return `${XML_HEAD}\n${element('checkstyle', { version: '8.0' }, files)}\n`
}

function words({ what, why, remedy }: Pick<Finding, 'what' | 'why' | 'remedy'>): string {
  return `${what}\nwhy: ${why}\nremedy: ${remedy}`
}
