import type { Severity } from '../core/findings.ts'
import type { Format, FormatContext } from './formats/format.ts'
import { problemBlocks } from './formats/problems.ts'
import type { Io } from './io.ts'
import { allRules } from './judge.ts'
import { Lines } from './lines.ts'
import { outputsOf, writeOutputs, type Output } from './output.ts'
import { paintFor } from './paint.ts'
import { problemOf, type Problem } from './problem.ts'
import { SEVERITIES, type Report } from './report.ts'
import type { TargetOptions } from './target.ts'
import { VERSION } from './version.ts'

/** Where the words of one command go: outputs to files or stdout, problems to stderr. */
export class Finish {
  private readonly io: Io
  private readonly options: TargetOptions
  private readonly formats: Readonly<Record<string, Format>>
  private readonly outputs: readonly Output[]
  private readonly lines = new Lines()

  /** Refuses wrong outputs before anything is read. */
  constructor(io: Io, options: TargetOptions, formats: Readonly<Record<string, Format>>) {
    this.io = io
    this.options = options
    this.formats = formats
    this.outputs = outputsOf(options.outputs, formats)
  }

  /** Only problems: nothing was judged. */
  stopped(problems: readonly Problem[]): number {
    this.tell(problems)
    return BROKEN
  }

  /**
   * Writes everything and gives the exit code: broken input wins over findings. With `instead` the
   * standard output gets that text, and only these problems are told.
   */
  report(report: Report, instead?: Instead): number {
    this.tell(instead?.problems ?? report.problems)
    if (instead !== undefined) this.io.stdout.write(instead.text(this.stdoutContext))
    const outputs = this.outputs.filter(({ file }) => instead === undefined || file !== undefined)
    const faults = writeOutputs(report, outputs, {
      cwd: this.io.cwd,
      formats: this.formats,
      stdout: (text) => this.io.stdout.write(text),
      stdoutContext: this.stdoutContext,
      fileContext: this.context(PLAIN, 'never'),
    })
    this.tell(faults.map(problemOf))
    if (report.problems.length + faults.length > 0) return BROKEN
    return countFrom(report, this.options.failOn) > 0 ? FOUND : CLEAN
  }

  /** Shows only what would change; a difference counts as a finding. */
  difference(text: string, problems: readonly Problem[]): number {
    this.tell(problems)
    this.io.stdout.write(text)
    if (problems.length > 0) return BROKEN
    return text === '' ? CLEAN : FOUND
  }

  note(text: string): void {
    this.io.stderr.write(`${text}\n`)
  }

  private get stdoutContext(): FormatContext {
    return this.context(this.io.stdout, this.options.color)
  }

  private tell(problems: readonly Problem[]): void {
    if (problems.length === 0) return
    const { paint, width } = this.context(this.io.stderr, this.options.color)
    this.io.stderr.write(problemBlocks(problems, { lines: this.lines, paint, width }))
  }

  private context(stream: Io['stdout'], color: TargetOptions['color']): FormatContext {
    const columns = stream.columns ?? Number(this.io.env['COLUMNS'] ?? '')
    return {
      lines: this.lines,
      paint: paintFor(stream, color, this.io.env),
      width: columns >= 40 ? columns : DEFAULT_WIDTH,
      rules: allRules,
      failOn: this.options.failOn,
      version: VERSION,
    }
  }
}

interface Instead {
  readonly text: (context: FormatContext) => string
  readonly problems: readonly Problem[]
}

const CLEAN = 0
const FOUND = 1
const BROKEN = 2
/** For pipes and files, where nobody knows how wide the reader's window is. */
const DEFAULT_WIDTH = 100
const PLAIN: Io['stdout'] = { write: () => {}, isTerminal: false, columns: DEFAULT_WIDTH }

/** Findings of this severity or worse. */
function countFrom({ result }: Report, failOn: Severity): number {
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1)
  return counted.reduce((sum, severity) => sum + result.counts[severity], 0)
}
