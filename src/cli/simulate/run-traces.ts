import path from 'node:path'
import { createCel } from '../../adapters/cel.ts'
import { kindOfPath, listFiles, shownName } from '../../adapters/files.ts'
import type { ListedFile } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { compareText } from '../../core/text.ts'
import { judgeTrace, type Verdict } from '../../simulate/trace/judge.ts'
import { tracePlayers } from '../../simulate/trace/players/index.ts'
import type { Io } from '../io.ts'
import { paintFor, type Paint } from '../paint.ts'
import type { Problem } from '../problem.ts'
import { Progress } from '../progress.ts'
import { Tell } from '../stamp/tell.ts'
import { printable } from '../words.ts'
import { loadTrace } from './load-trace.ts'
import type { SimulateOptions } from './options.ts'

export interface TraceOptions {
  readonly paths: readonly string[]
  readonly outputs: SimulateOptions['outputs']
  readonly color: SimulateOptions['color']
}

/** Holds the model against recordings. 0: all agreed; 1: some did not; 2: a file is no trace. */
export function runTraces({ paths, outputs, color }: TraceOptions, io: Io): number {
  const files = paths.flatMap((given) => traceFiles(given, io))
  const tools = { cel: createCel() }
  const progress = new Progress(io)
  const verdicts: Verdict[] = []
  const problems: Problem[] = []
  files.forEach((file, at) => {
    progress.say(`trace ${at + 1} of ${files.length}`)
    const trace = loadTrace(file)
    if ('format' in trace) verdicts.push(judgeTrace(trace, tracePlayers, tools))
    else problems.push(...trace)
  })
  progress.end()
  new Tell(io, color).problems(problems)
  const agreed = verdicts.filter((verdict) => verdict.agreed).length
  if (outputs.some(({ format }) => format === 'json')) {
    const all = { format: 'semel-trace-verdicts/1', agreed, of: verdicts.length, traces: verdicts }
    io.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`)
  } else {
    const paint = paintFor(io.stdout, color, io.env)
    for (const verdict of verdicts) io.stdout.write(`${blockOf(verdict, paint)}\n`)
    io.stdout.write(`traces: ${agreed} of ${verdicts.length}\n`)
  }
  if (problems.length > 0) return 2
  return agreed === verdicts.length ? 0 : 1
}

/** A file as it is named, or every JSON file below a folder. */
function traceFiles(given: string, io: Io): readonly ListedFile[] {
  const absolute = path.resolve(io.cwd, given)
  const shown = shownName(given)
  const kind = kindOfPath(absolute)
  if (kind === undefined) {
    throw new Fault('PATH_NOT_FOUND', {
      what: `${shown} does not exist`,
      why: 'no trace can be read from it',
      remedy: 'check the spelling and the folder in which semel was started',
      where: shown,
    })
  }
  if (kind === 'file') return [{ path: shown, absolute, isNamed: true }]
  const { entries } = listFiles({ cwd: io.cwd, paths: [given], gitignore: false })
  const traces = entries.filter((file) => file.path.endsWith('.json'))
  if (traces.length === 0) {
    throw new Fault('NO_INPUT', {
      what: `${shown} holds no .json file`,
      why: 'a run that saw no trace must not pass',
      remedy: 'give the folder that holds the traces',
      where: shown,
    })
  }
  return [...traces].sort((one, other) => compareText(one.path, other.path))
}

function blockOf({ id, agreed, differences, cause }: Verdict, paint: Paint): string {
  if (agreed) return `${paint.good('agreed')}   ${printable(id)}`
  const [first] = differences
  const lines = [`${paint.error('differs')}  ${printable(id)}`]
  if (first !== undefined) {
    lines.push(
      `         ${printable(first.where)}`,
      `           recorded  ${printable(first.recorded)}`,
      `           model     ${printable(first.model)}`,
    )
  }
  if (cause !== undefined) {
    const about = cause.object === undefined ? '' : ` ${cause.object}`
    lines.push(`           rule      ${cause.rule}: ${printable(`${cause.effect}${about}`)}`)
  }
  if (differences.length > 1) lines.push(`           and ${differences.length - 1} more`)
  return lines.join('\n')
}
