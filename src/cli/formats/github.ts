import type { Finding, Severity } from '../../core/findings.ts'
import type { Problem } from '../problem.ts'
import { SEVERITIES, severityWords, type Report } from '../report.ts'
import type { FormatContext } from './format.ts'
import { mostUrgentFirst } from './urgency.ts'

/**
 * Workflow commands, which GitHub shows beside the lines of a pull request. It shows the first ten
 * errors, warnings and notices of a step and drops the others without a word, so the worst come
 * first, and of those the ones on changed lines; the rest are plain lines of the log, and the last
 * command says how many these are.
 */
export function github(report: Report, context: FormatContext): string {
  const rows: string[] = []
  const left: string[] = []
  for (const severity of SEVERITIES) {
    const own = mostUrgentFirst(report).filter((finding) => finding.severity === severity)
    const problems = severity === 'error' ? report.problems : []
    const items = [
      ...problems.map((problem) => forProblem(problem, context)),
      ...own.map((finding) => forFinding(finding, context)),
    ]
    const room = severity === 'info' ? SHOWN - 1 : SHOWN
    rows.push(...items.slice(0, room).map(({ command }) => command))
    left.push(...items.slice(room).map(({ plain }) => plain))
  }
  rows.push(...left)
  const total = severityWords(report.result.counts)
  if (left.length > 0) {
    const rest = `${left.length} of them stand only in the log of this step, as GitHub shows ${SHOWN} of a kind`
    const all = [...(total === '' ? [] : [total]), ...problemWords(report)].join(' and ')
    rows.push(`::notice title=semel::${data(`${all}; ${rest}`)}`)
  } else if (total !== '') rows.push(total)
  return rows.length === 0 ? '' : `${rows.join('\n')}\n`
}

const SHOWN = 10
const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
}

interface Item {
  readonly command: string
  /** For the log, where nobody obeys it. */
  readonly plain: string
}

function forFinding(finding: Finding, { lines }: FormatContext): Item {
  const { place, severity, rule, what, why, remedy } = finding
  const { path, start, end } = lines.region(place)
  const sameLine = start.line === end.line && end.column > start.column
  const where = [
    `file=${property(path)}`,
    `line=${start.line}`,
    ...(end.line > start.line ? [`endLine=${end.line}`] : []),
    `col=${start.column}`,
    ...(sameLine ? [`endColumn=${end.column}`] : []),
    `title=${property(rule)}`,
  ]
  return {
    command: `::${COMMANDS[severity]} ${where.join(',')}::${message([what, why, remedy])}`,
    plain: plain(`${path}:${start.line}:${start.column}: ${severity} ${rule}: ${what}`),
  }
}

function forProblem(problem: Problem, { lines }: FormatContext): Item {
  const { code, what, why, remedy, path, place } = problem
  const at = place === undefined ? undefined : lines.region(place)
  const file = at?.path ?? path
  const where = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(at === undefined ? [] : [`line=${at.start.line}`, `col=${at.start.column}`]),
    `title=${property(code)}`,
  ]
  const position = at === undefined ? '' : `:${at.start.line}:${at.start.column}`
  return {
    command: `::error ${where.join(',')}::${message([what, why, remedy])}`,
    plain: plain(`${file ?? 'semel'}${position}: problem ${code}: ${what}`),
  }
}

function problemWords({ problems }: Report): readonly string[] {
  const { length } = problems
  return length === 0 ? [] : [`${length} ${length === 1 ? 'problem' : 'problems'} with the input`]
}

/** A line of the log; one that began like a command would be obeyed. */
function plain(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replace(/^\s*::/, (start) => `.${start}`)
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
