import type { Finding } from '../../core/findings.ts'
import { outermost, type Place } from '../../core/source.ts'
import type { StampFault, StampNote } from '../../stamp/stamp-types.ts'
import { findingBlock } from '../formats/findings.ts'
import type { FormatContext } from '../formats/format.ts'
import { problemBlocks } from '../formats/problems.ts'
import type { Io, Stream } from '../io.ts'
import { Lines } from '../lines.ts'
import { paintFor, type ColorChoice } from '../paint.ts'
import { problemAt, type Problem } from '../problem.ts'
import { VERSION } from '../version.ts'
import { printable, wrap } from '../words.ts'

/** Says on the standard error what a person should know; the standard output is for a program. */
export class Tell {
  readonly lines: Lines = new Lines()
  private readonly io: Io
  private readonly color: ColorChoice

  constructor(io: Io, color: ColorChoice) {
    this.io = io
    this.color = color
  }

  problems(problems: readonly Problem[]): void {
    if (problems.length > 0) this.say(problemBlocks(problems, this.context(this.io.stderr)))
  }

  findings(findings: readonly Finding[]): void {
    const context = this.context(this.io.stderr)
    for (const finding of findings) {
      const outer = { ...finding, place: outermost(finding.place) }
      this.say(`${findingBlock(outer, context, { withPath: true }).join('\n')}\n`)
    }
  }

  notes(notes: readonly StampNote[]): void {
    const { paint, width } = this.context(this.io.stderr)
    for (const { place, severity, object, text, remedy } of notes) {
      const head = `${paint.strong(printable(this.at(place)))}  ${paint[severity](severity)}`
      const rows = wrap(printable(`${object}: ${text}`), width - 4)
      const more = wrap(printable(remedy), width - 12)
      const marked = more.map((row, index) => `${index === 0 ? 'remedy  ' : ' '.repeat(8)}${row}`)
      this.say([head, ...[...rows, ...marked].map((row) => `    ${row}`), ''].join('\n'))
    }
  }

  line(text: string): void {
    this.say(`${printable(text)}\n`)
  }

  /** `jobs.yaml:4:9`. */
  at(place: Place): string {
    const { path, start } = this.lines.region(outermost(place))
    return `${path}:${start.line}:${start.column}`
  }

  context(stream: Stream): FormatContext {
    const columns = stream.columns ?? Number(this.io.env['COLUMNS'] ?? '')
    return {
      lines: this.lines,
      paint: paintFor(stream, this.color, this.io.env),
      width: columns >= 40 ? columns : 100,
      rules: [],
      failOn: 'warning',
      version: VERSION,
    }
  }

  private say(text: string): void {
    this.io.stderr.write(text)
  }
}

export function problemsOf(faults: readonly StampFault[]): readonly Problem[] {
  return faults.map(({ code, place, object, what, why, remedy }) =>
    problemAt(code, place, {
      what: object === undefined ? what : `${object}: ${what}`,
      why,
      remedy,
    }),
  )
}

/** `Job shop/migrate`; `Job shop/(generateName)` where the cluster makes the name. */
export function objectLabel(object: {
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string | undefined
}): string {
  const { kind, namespace, name = '(generateName)' } = object
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}
