import { Option, type Command as Commander } from 'commander'
import { Fault } from '../core/faults.ts'
import type { Severity } from '../core/findings.ts'
import { engines } from '../engines/index.ts'
import type { EngineId } from '../engines/engine.ts'
import { didYouMean } from '../lint/nearest.ts'
import type { Command } from './commands/command.ts'
import type { ColorChoice } from './paint.ts'

/** What `semel check` and `semel lint` are asked to look at, and how to show it. */
export interface TargetOptions {
  readonly paths: readonly string[]
  readonly engine: EngineId | undefined
  readonly config: string | undefined
  /** False: as if there were no semel.yaml. */
  readonly useConfig: boolean
  readonly render: boolean
  readonly allowEmpty: boolean
  readonly maxFileBytes: number
  readonly gitignore: boolean
  readonly color: ColorChoice
  readonly failOn: Severity
  readonly outputs: readonly string[]
  /** Files that are no manifests although they look like some; absolute. */
  readonly leftOut: readonly string[]
}

/** `judges`: findings decide about the exit code. */
export function defineTarget(
  command: Commander,
  formats: readonly string[],
  { judges }: { readonly judges: boolean } = { judges: true },
): void {
  if (judges) {
    command.addOption(
      new Option('--fail-on <severity>', 'findings from which on the exit code is 1')
        .choices(['error', 'warning', 'info'])
        .default('warning'),
    )
  }
  command
    .option('--engine <id>', `what applies the files: ${engines.map(({ id }) => id).join(', ')}`)
    .option('--config <file>', 'settings to use instead of the nearest semel.yaml')
    .option('--render', 'also judge what kubectl kustomize and helm template make of the files')
    .option('--allow-empty', 'do not mind when no Job is found')
    .option('--max-file-size <size>', 'refuse larger files, for example 32MiB', DEFAULT_SIZE)
    .option('--no-gitignore', 'also read what git ignores')
    .option(
      '-o, --output <format[=file]>',
      `${formats.join(', ')}; may be given several times`,
      (value: string, before: readonly string[]) => [...before, value],
      [] as readonly string[],
    )
    .addOption(
      new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('--no-color', 'the same as --color never')
}

/** What a shell may offer for the options above. */
export function targetValues(formats: readonly string[]): NonNullable<Command['values']> {
  return {
    '--engine': engines.map(({ id }) => id),
    '--config': 'files',
    '--max-file-size': 'nothing',
    '--output': formats,
  }
}

/** The same as without any option. */
export function targetWithDefaults(paths: readonly string[]): TargetOptions {
  return {
    paths,
    engine: undefined,
    config: undefined,
    useConfig: true,
    render: false,
    allowEmpty: false,
    maxFileBytes: sizeOf(DEFAULT_SIZE),
    gitignore: true,
    color: 'auto',
    failOn: 'warning',
    outputs: [],
    leftOut: [],
  }
}

const DEFAULT_SIZE = '16MiB'

export function targetOf(
  paths: readonly string[],
  options: Readonly<Record<string, unknown>>,
): TargetOptions {
  const { color } = options
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    engine: engineOf(options['engine']),
    useConfig: true,
    config: typeof options['config'] === 'string' ? options['config'] : undefined,
    render: options['render'] === true,
    allowEmpty: options['allowEmpty'] === true,
    maxFileBytes: sizeOf(String(options['maxFileSize'])),
    gitignore: options['gitignore'] !== false,
    color: color === false ? 'never' : (color as ColorChoice),
    failOn: (options['failOn'] ?? 'warning') as Severity,
    outputs: options['output'] as readonly string[],
    leftOut: [],
  }
}

function engineOf(id: unknown): EngineId | undefined {
  if (typeof id !== 'string') return undefined
  const found = engines.find((engine) => engine.id === id)
  if (found !== undefined) return found.id
  const known = engines.map((engine) => engine.id)
  throw new Fault('USAGE', {
    what: `there is no engine ${id}.${didYouMean(id, known)}`,
    why: `semel knows ${known.join(', ')}`,
    remedy: 'name one of them, or leave --engine out: the files themselves often tell',
  })
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1000,
  m: 1e6,
  g: 1e9,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
}

/** The bytes that `32MiB` or `500k` stands for. */
export function sizeOf(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?i?)b?$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toLowerCase()]
  const bytes = Math.floor(Number(number) * (factor ?? Number.NaN))
  if (number !== '' && bytes > 0 && bytes <= MAX_BYTES) return bytes
  throw new Fault('USAGE', {
    what: `--max-file-size ${text} is no size between 1 byte and 1GiB`,
    why: 'a size is a number with an optional unit (k, M, G, Ki, Mi, Gi)',
    remedy: 'write for example --max-file-size 32MiB',
  })
}

const MAX_BYTES = 2 ** 30
