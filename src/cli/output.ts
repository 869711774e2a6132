import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Fault } from '../core/faults.ts'
import { didYouMean } from '../lint/nearest.ts'
import { pathFault } from '../adapters/read-source.ts'

/** One `-o FORMAT[=FILE]`; without a file it goes to the standard output. */
export interface Output {
  readonly format: string
  readonly file?: string
}

/** Reads the values of `-o`. One output at most may go to the standard output. */
export function outputsOf(
  values: readonly string[],
  formats: Readonly<Record<string, unknown>>,
): readonly Output[] {
  const outputs = values.map((value) => outputOf(value, Object.keys(formats)))
  const toStdout = outputs.filter(({ file }) => file === undefined)
  if (toStdout.length > 1) {
    const names = toStdout.map(({ format }) => format)
    throw new Fault('USAGE', {
      what: `${names.join(' and ')} cannot both be written to the standard output`,
      why: 'nobody could tell them apart again',
      remedy: `give all but one a file, for example -o ${names[1]}=report.${names[1]}`,
    })
  }
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : [path.resolve(file)]))
  if (new Set(files).size < files.length) {
    throw new Fault('USAGE', {
      what: 'two outputs have the same file',
      why: 'the second would replace the first',
      remedy: 'give each output a file of its own',
    })
  }
  return outputs.length === 0 ? [{ format: 'text' }] : outputs
}

function outputOf(value: string, known: readonly string[]): Output {
  const equals = value.indexOf('=')
  const format = equals < 0 ? value : value.slice(0, equals)
  const file = equals < 0 ? '-' : value.slice(equals + 1)
  if (!known.includes(format)) {
    throw new Fault('USAGE', {
      what: `there is no output format ${format}.${didYouMean(format, known)}`,
      why: `the formats are ${known.join(', ')}`,
      remedy: 'write -o FORMAT, or -o FORMAT=FILE for a file',
    })
  }
  if (file === '') {
    throw new Fault('USAGE', {
      what: `-o ${value} names no file`,
      why: 'what follows = is the file to write',
      remedy: `write -o ${format} for the standard output, or -o ${format}=FILE`,
    })
  }
  return file === '-' ? { format } : { format, file }
}

export interface Targets<Told, Context> {
  readonly cwd: string
  readonly formats: Readonly<Record<string, (told: Told, context: Context) => string>>
  readonly stdout: (text: string) => void
  readonly stdoutContext: Context
  /** Without colours and of a fixed width. */
  readonly fileContext: Context
}

/** Writes every output; what cannot be written is returned, and the others are written all the same. */
export function writeOutputs<Told, Context>(
  told: Told,
  outputs: readonly Output[],
  targets: Targets<Told, Context>,
): readonly Fault[] {
  const faults: Fault[] = []
  for (const { format, file } of outputs) {
    const make = targets.formats[format]
    if (make === undefined) continue
    if (file === undefined) {
      targets.stdout(make(told, targets.stdoutContext))
      continue
    }
    try {
      const absolute = path.resolve(targets.cwd, file)
      mkdirSync(path.dirname(absolute), { recursive: true })
      writeFileSync(absolute, make(told, targets.fileContext))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      const { why } = pathFault(error, file)
      faults.push(
        new Fault('OUTPUT_UNWRITABLE', {
          what: `the ${format} output could not be written to ${file}`,
          why,
          remedy: 'name a file in a folder that this user may write to',
          where: file,
          cause: error,
        }),
      )
    }
  }
  return faults
}
