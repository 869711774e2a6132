import {
  besides,
  fixWords,
  jobWords,
  numberOfFiles,
  severityWords,
  type Report,
} from '../report.ts'
import { count, printable } from '../words.ts'
import { findingBlock } from './findings.ts'
import type { FormatContext } from './format.ts'

/** Findings grouped by file, each with its line of code, and one line of counts at the end. */
export function text(report: Report, context: FormatContext): string {
  const { paint } = context
  const { findings, fixes } = report.result
  const rows: string[] = []
  let path: string | undefined
  for (const finding of findings) {
    if (finding.place.source.path !== path) {
      path = finding.place.source.path
      rows.push(paint.path(printable(path)))
    }
    rows.push(...findingBlock(finding, context, { withPath: false, fix: fixes.get(finding) }))
  }
  rows.push(summaryLine(report, context))
  const words = fixWords(report)
  if (words !== undefined) rows.push(paint.faint(words))
  return `${rows.join('\n')}\n`
}

/** `2 errors in 1 of 9 files (5 Jobs); 1 suppressed`. */
export function summaryLine(report: Report, { paint }: FormatContext): string {
  const { result, numbers, problems } = report
  const { findings, counts } = result
  const rest = besides(report)
  const tail = rest.length === 0 ? '' : `; ${rest.join('; ')}`
  if (numbers.files === 0 && problems.length > 0) {
    return `${paint.warning('Nothing was judged')}${tail}`
  }
  const seen = `${jobWords(numbers)} in ${count(numbers.documents, 'document')}`
  if (findings.length === 0) {
    const brush = problems.length === 0 ? paint.good : paint.warning
    return `${brush('No findings')}: ${seen}, ${count(numbers.files, 'file')}${tail}`
  }
  const brush = counts.error > 0 ? paint.error : counts.warning > 0 ? paint.warning : paint.info
  const files = `${numberOfFiles(findings)} of ${count(numbers.files, 'file')}`
  return `${brush(severityWords(counts))} in ${files} (${seen})${tail}`
}
