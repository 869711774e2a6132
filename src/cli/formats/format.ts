import type { Severity } from '../../core/findings.ts'
import type { Lines } from '../lines.ts'
import type { Paint } from '../paint.ts'
import type { Report } from '../report.ts'
import type { Rule } from '../../lint/rule.ts'

/** Turns a report into text, with a line feed at its end unless it is empty. */
export type Format = (report: Report, context: FormatContext) => string

export interface FormatContext {
  readonly lines: Lines
  readonly paint: Paint
  /** Columns to fill at most. */
  readonly width: number
  readonly rules: readonly Rule[]
  /** From here on findings make the exit code 1. */
  readonly failOn: Severity
  readonly version: string
}
