import { problemLine, type RenderProblem } from '../../render/problems.ts'
import type { Origin, Values } from '../../render/values/values.ts'
import { codeFrame } from '../frame.ts'
import type { Io } from '../io.ts'
import type { ColorChoice } from '../paint.ts'
import { Tell } from '../stamp/tell.ts'
import { count, pad, printable, wrap } from '../words.ts'

/**
 * What is wrong with values, for people: the line of the specification, where the value stands,
 * and what to do. Warnings stand without the line of code, and say what to do once, as there may
 * be many of one kind.
 */
export function tellProblems(
  problems: readonly RenderProblem[],
  values: Values,
  { io, color }: { readonly io: Io; readonly color: ColorChoice },
): void {
  const context = new Tell(io, color).context(io.stderr)
  const { lines, paint, width } = context
  const reading = Math.min(width, 120)
  const told = new Set<string>()
  for (const problem of problems) {
    const { code, severity } = problem
    const origin = values.originOf(problem.at, problem.on)
    const remedy = remedyOf(problem, origin)
    const isTold = severity === 'warning' && told.has(`${code} ${remedy}`)
    told.add(`${code} ${remedy}`)
    const line = printable(problemLine(problem))
    const head = paint[severity](severity) + line.slice(severity.length)
    const isFramed = severity === 'error' && origin.kind === 'place'
    const frame = isFramed
      ? codeFrame(origin.place, lines, { paint, mark: paint.error, width, indent: 2 })
      : []
    const where = placeWords(origin, (place) => {
      const { path, start } = lines.region(place)
      return `${path}:${start.line}:${start.column}`
    })
    const rows = [
      head,
      ...(where === '' ? [] : [`  ${paint.strong(printable(where))}`]),
      ...(frame.length === 0 ? [] : ['', ...frame, '']),
      ...wrap(isTold ? '' : printable(remedy), reading - 10).map((row, index) =>
        index === 0 ? `  ${paint.faint(pad('remedy', 8))}${row}` : `          ${row}`,
      ),
    ]
    io.stderr.write(`${rows.join('\n')}\n`)
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length
  if (errors > 0) io.stderr.write(`${count(errors, 'error')}: nothing is rendered\n`)
}

/** On the command line quotes would be the shell's. */
function remedyOf({ code, remedy }: RenderProblem, origin: Origin): string {
  const isSet = origin.kind === 'words' && origin.words.startsWith('--set ')
  return code === 'JG116' && isSet ? 'use --set-string, which takes all for text' : remedy
}

function placeWords(
  origin: Origin,
  at: (place: Extract<Origin, { kind: 'place' }>['place']) => string,
): string {
  if (origin.kind === 'place') return at(origin.place)
  if (origin.kind === 'nowhere') return ''
  return origin.words.length > 100 ? `${origin.words.slice(0, 99)}…` : origin.words
}
