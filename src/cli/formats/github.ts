import type { Finding, Severity } from '../../core/findings.ts'
import { SEVERITIES, severityWords, type Report } from '../report.ts'
import type { FormatContext } from './format.ts'

/**
 * Workflow commands, which GitHub shows beside the lines of a pull request. It shows the first ten
 * of each kind in a step and drops the others without a word, so the worst come first, the rest
 * are plain lines of the log, and the last command says how many these are.
 */
export function github(report: Report, context: FormatContext): string {
  const { findings, counts } = report.result
  const rows: string[] = []
  const left: Finding[] = []
  for (const severity of SEVERITIES) {
    const own = findings.filter((finding) => finding.severity === severity)
    const room = severity === 'info' ? SHOWN - 1 : SHOWN
    rows.push(...own.slice(0, room).map((finding) => annotation(finding, context)))
    left.push(...own.slice(room))
  }
  for (const { code, what, why, remedy, path, place } of report.problems) {
    const at = place === undefined ? undefined : context.lines.region(place)
    const file = at?.path ?? path
    const where = [
      ...(file === undefined ? [] : [`file=${property(file)}`]),
      ...(at === undefined ? [] : [`line=${at.start.line}`, `col=${at.start.column}`]),
      `title=${property(code)}`,
    ]
    rows.push(`::error ${where.join(',')}::${message([what, why, remedy])}`)
  }
  rows.push(...left.map((finding) => plain(finding, context)))
  const total = severityWords(counts)
  if (left.length > 0) {
    const rest = `${left.length} of them stand only in the log of this step`
    rows.push(`::notice title=semel::${data(`${total}; ${rest}`)}`)
  } else if (total !== '') rows.push(total)
  return rows.length === 0 ? '' : `${rows.join('\n')}\n`
}

const SHOWN = 10
const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
}

function annotation(finding: Finding, { lines }: FormatContext): string {
  const { path, start, end } = lines.region(finding.place)
  const sameLine = start.line === end.line && end.column > start.column
  const where = [
    `file=${property(path)}`,
    `line=${start.line}`,
    ...(end.line > start.line ? [`endLine=${end.line}`] : []),
    `col=${start.column}`,
    ...(sameLine ? [`endColumn=${end.column}`] : []),
    `title=${property(finding.rule)}`,
  ]
  const { what, why, remedy } = finding
  return `::${COMMANDS[finding.severity]} ${where.join(',')}::${message([what, why, remedy])}`
}

function plain({ place, severity, rule, what }: Finding, { lines }: FormatContext): string {
  const { path, start } = lines.region(place)
  return `${path}:${start.line}:${start.column}: ${severity} ${rule}: ${what}`.replaceAll(
    /[\r\n]+/g,
    ' ',
  )
}

function message([what, why, remedy]: readonly [string, string, string]): string {
  return data(`${what}\nwhy: ${why}\nremedy: ${remedy}`)
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
