import type { Finding } from '../../core/findings.ts'
import type { Problem } from '../problem.ts'
import { besides, jobWords, severityWords, type Report } from '../report.ts'
import { count } from '../words.ts'
import type { FormatContext } from './format.ts'
import { mostUrgentFirst } from './urgency.ts'

/**
 * A comment for a pull request: one line of counts, a row for each finding, and what to do about
 * each. GitHub takes 65,536 characters and refuses more, so the worst come first, those on changed
 * lines before the others, and a line says what was left out. The mark in its first line lets a
 * script find the comment again to replace it.
 */
export function markdown(report: Report, context: FormatContext): string {
  const findings = mostUrgentFirst(report)
  const page = new Page([MARK, '', `### ${headline(report)}`, ''])
  addProblems(page, report.problems, context)
  const table = ['| where | | rule | what |', '|---|---|---|---|']
  const rows = findings.map((finding) => tableRow(finding, report, context))
  const details = findings.map((finding) => detail(finding, report, context))
  const shownRows = page.addAll(table, rows, ROOM_FOR_DETAILS)
  const more = ['', '<details><summary>Why, and what to do</summary>', '']
  const shownDetails = page.addAll(more, details, ROOM_FOR_END)
  if (shownDetails > 0) page.add(['</details>'])
  return page.text([
    '',
    ...leftOut(findings.length - shownRows, 'is not listed here', 'are not listed here'),
    ...leftOut(
      shownRows - shownDetails,
      'is listed without its reasons',
      'are listed without their reasons',
    ),
    '`semel explain RULE` tells what is behind a rule.',
  ])
}

const MARK = '<!-- semel lint -->'
const MAX_LENGTH = 65_536
/** Kept free for the last lines. */
const ROOM_FOR_END = 1_000
/** Problems leave most of the page to the findings. */
const ROOM_FOR_FINDINGS = 45_000
/** A table that fills the page alone would help nobody. */
const ROOM_FOR_DETAILS = 26_000

/** Lines up to a length; what does not fit is left out whole. */
class Page {
  private readonly lines: string[]
  private length: number

  constructor(lines: readonly string[]) {
    this.lines = [...lines]
    this.length = lengthOf(lines)
  }

  add(lines: readonly string[]): void {
    this.lines.push(...lines)
    this.length += lengthOf(lines)
  }

  /** A head and as many blocks as leave `room` free; how many these were. */
  addAll(head: readonly string[], blocks: readonly string[], room: number): number {
    const most = MAX_LENGTH - room
    const fits = (more: number): boolean => this.length + more <= most
    if (blocks[0] === undefined || !fits(lengthOf(head) + blocks[0].length + 1)) return 0
    this.add(head)
    let shown = 0
    for (const block of blocks) {
      if (!fits(block.length + 1)) break
      this.add([block])
      shown += 1
    }
    return shown
  }

  text(end: readonly string[]): string {
    return `${[...this.lines, ...end].join('\n')}\n`
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function headline(report: Report): string {
  const { result, numbers } = report
  const found = severityWords(result.counts)
  const words = found === '' ? 'No findings' : found
  return [`semel: ${words} (${jobWords(numbers)})`, ...besides(report)].join('; ')
}

function tableRow(finding: Finding, report: Report, { lines }: FormatContext): string {
  const { place, severity, rule, what } = finding
  const { path, start } = lines.region(place)
  const mark = report.isOnChangedLine?.(finding) === true ? ' (changed)' : ''
  return `| ${code(`${path}:${start.line}`)}${mark} | ${severity} | ${code(rule)} | ${prose(what)} |`
}

function detail(finding: Finding, { result }: Report, { lines }: FormatContext): string {
  const { place, rule, what, why, remedy } = finding
  const { path, start } = lines.region(place)
  const fix = result.fixes.get(finding)
  const how =
    fix === undefined
      ? ''
      : `\n  - fix: ${prose(fix.title)} (${code(`semel lint --fix${fix.safe ? '' : ' --unsafe'}`)})`
  return [
    `- ${code(`${path}:${start.line}`)} ${code(rule)}: ${prose(what)}`,
    `  - why: ${prose(why)}`,
    `  - remedy: ${prose(remedy)}${how}`,
  ].join('\n')
}

function addProblems(page: Page, problems: readonly Problem[], { lines }: FormatContext): void {
  if (problems.length === 0) return
  const rows = problems.map(({ code: id, what, remedy, path, place }) => {
    const line = place === undefined ? '' : `:${lines.region(place).start.line}`
    const where = path === undefined ? '' : `${code(`${path}${line}`)} `
    return `- ${where}${code(id)}: ${prose(what)}; ${prose(remedy)}`
  })
  const shown = page.addAll(['Not everything could be judged:', ''], rows, ROOM_FOR_FINDINGS)
  const left = problems.length - shown
  page.add([...(left > 0 ? [`- ${count(left, 'more problem')} in the log`] : []), ''])
}

function leftOut(number: number, one: string, many: string): readonly string[] {
  if (number <= 0) return []
  const words = number === 1 ? `1 finding ${one}` : `${number} findings ${many}`
  return [`**${words}**: a comment may have ${MAX_LENGTH.toLocaleString('en')} characters.`, '']
}

/** Text as it is: no sign of it marks anything up, calls anybody, or leads anywhere. */
function prose(text: string): string {
  return cut(text)
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~$]/g, String.raw`\$&`)
    .replaceAll(/@|#(?=\d)/g, '$&\u200b')
    .replaceAll(/:\/\//g, ':\u200b//')
}

/** Names and paths; the marks around it are one longer than any inside it. */
function code(text: string): string {
  const flat = cut(text)
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('|', String.raw`\|`)
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length))
  const mark = '`'.repeat(longest + 1)
  const blank = longest > 0 ? ' ' : ''
  return `${mark}${blank}${flat}${blank}${mark}`
}

/** A name can be as long as a file; a comment cannot. */
function cut(text: string): string {
  return text.length <= MAX_WORDS ? text : `${text.slice(0, MAX_WORDS)}…`
}

const MAX_WORDS = 500
