import { byteLength } from '../../core/text.ts'
import { textOf, type Span } from '../../core/source.ts'
import type { FileReading } from '../../core/yaml/document.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * `...` ends a YAML document, and the readers of kubectl, Argo CD, Helm and kustomize ignore what
 * follows until the next `---`, without a word.
 * Silent for blank lines and comments, and in files without any Job.
 */
export const droppedText: Rule = {
  id: 'dropped-text',
  severity: 'warning',
  summary: 'Text after `...` is ignored without a word, also a Job in it.',
  kinds: ['Job', 'CronJob'],
  checkRepository,
}

function checkRepository({ files, subjects }: Repository): readonly RuleFinding[] {
  return files.flatMap((file) => judge(file, subjects))
}

function judge(file: FileReading, subjects: readonly Subject[]): readonly RuleFinding[] {
  return file.droppedText.flatMap((span) => {
    const text = textOf(file.source, span)
    const first = /^[^\S\n]*[^#\s][^\n]*/m.exec(text)
    if (first === null) return []
    const job = JOB_KIND.exec(text)?.[1]
    const before = lastBefore(file, span, subjects)
    if (job === undefined && before === undefined) return []
    const start = span.start + byteLength(text.slice(0, first.index))
    const what = job === undefined ? 'this text is' : `this ${job} is`
    return [
      {
        place: { source: file.source, span: { start, end: span.end } },
        ...(before === undefined ? {} : { subject: before }),
        what: `${what} ignored: it follows "..." without a "---" line`,
        why:
          '"..." ends the document, and kubectl, Argo CD, Helm and kustomize drop the text up to ' +
          'the next "---" without a word' +
          (job === undefined ? '' : `, so the ${job} is never created`),
        remedy: 'replace the "..." line by "---"; delete the text if it is not wanted',
        ...(job === undefined ? {} : { severity: 'error' as const }),
      },
    ]
  })
}

/** A line of its own, or in a flow mapping (also JSON). */
const JOB_KIND = /(?:^|[{,])\s*["']?kind["']?\s*:\s*["']?((?:Cron)?Job)\b/m

/** The Job before the text, or else any of the file: whose finding it is. */
function lastBefore(
  file: FileReading,
  { start }: Span,
  subjects: readonly Subject[],
): Subject | undefined {
  const own = subjects.filter(({ manifest }) => manifest.document.source === file.source)
  return own.findLast(({ manifest }) => manifest.document.span.start < start) ?? own[0]
}
