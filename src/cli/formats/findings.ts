import type { Finding } from '../../core/findings.ts'
import type { ReadyFix } from '../../lint/fix.ts'
import { codeFrame } from '../frame.ts'
import { pad, printable, wrap } from '../words.ts'
import type { FormatContext } from './format.ts'

/** One finding for a terminal: where, what, the code, why, remedy and what else plays a part. */
export function findingBlock(
  finding: Finding,
  context: FormatContext,
  options: { readonly withPath: boolean; readonly fix?: ReadyFix | undefined },
): readonly string[] {
  const { lines, paint, width } = context
  const { start, path } = lines.region(finding.place)
  const brush = paint[finding.severity]
  const at = `${start.line}:${start.column}`
  const where = options.withPath ? `${printable(path)}:${at}` : at
  const indent = 4
  const reading = Math.min(width, MAX_READING_WIDTH)
  const margin = ' '.repeat(indent)
  const frame = codeFrame(finding.place, lines, { paint, mark: brush, width, indent })
  return [
    `  ${paint.strong(where)}  ${brush(finding.severity)}  ${finding.rule}`,
    ...wrap(printable(finding.what), reading - indent).map(
      (line) => `${margin}${paint.strong(line)}`,
    ),
    '',
    ...frame,
    '',
    ...labelled('why', finding.why, { context, reading, indent }),
    ...labelled('remedy', finding.remedy, { context, reading, indent }),
    ...(options.fix === undefined
      ? []
      : labelled('fix', fixText(options.fix), { context, reading, indent })),
    ...finding.related.flatMap(({ place, note }) => {
      const other = lines.region(place)
      const link = `${other.path}:${other.start.line}:${other.start.column}`
      return labelled('see', `${link}  ${note}`, { context, reading, indent })
    }),
    '',
  ]
}

function fixText({ safe, title }: ReadyFix): string {
  return `${title} (--fix${safe ? '' : ' --unsafe'})`
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const MAX_READING_WIDTH = 120
const LABEL_WIDTH = 8

function labelled(
  label: string,
  text: string,
  options: { context: FormatContext; reading: number; indent: number },
): readonly string[] {
  const { context, reading, indent } = options
  const margin = ' '.repeat(indent)
  const rows = wrap(printable(text), reading - indent - LABEL_WIDTH)
  return rows.map((row, index) => {
    const head =
      index === 0 ? context.paint.faint(pad(label, LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH)
    return `${margin}${head}${row}`
  })
}
