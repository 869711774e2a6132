import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Option, type Command as Commander } from 'commander'
import { pathFault } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import type { PolicyId } from '../../core/fingerprint.ts'
import type { StampOptions } from '../../stamp/stamp-types.ts'
import type { Command } from '../commands/command.ts'
import type { Io } from '../io.ts'
import type { ColorChoice } from '../paint.ts'
import { sizeOf } from '../target.ts'

type Given = Readonly<Record<string, unknown>>

/** What `semel stamp` and `semel hash` have in common. */
export interface Asked {
  readonly paths: readonly string[]
  readonly stamp: StampOptions
  readonly maxFileBytes: number
  readonly gitignore: boolean
  readonly color: ColorChoice
  readonly json: boolean
}

export const stampValues: NonNullable<Command['values']> = {
  '--secret-key-file': 'files',
  '--max-file-size': 'nothing',
}

export function definePolicy(command: Commander): void {
  command
    .addOption(new Option('--policy <name>', 'which fields count').choices(['intent', 'adr-012']))
    .option('--secret-key-file <file>', 'key for the content of followed Secrets')
}

export function defineInput(command: Commander): void {
  command
    .option('--max-file-size <size>', 'refuse larger input, for example 32MiB', '256MiB')
    .option('--no-gitignore', 'also read what git ignores')
    .addOption(
      new Option('-o, --output <format>', 'how to tell what was done')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addOption(
      new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('--no-color', 'the same as --color never')
}

export function askedOf(paths: readonly string[], given: Given, io: Io): Asked {
  const { policy, secretKeyFile, color } = given
  return {
    paths: pathsOf(paths, io),
    stamp: {
      ...(policy === undefined ? {} : { policy: policy as PolicyId }),
      ...(typeof secretKeyFile === 'string' ? { secretKey: secretKeyOf(secretKeyFile, io) } : {}),
    },
    maxFileBytes: sizeOf(String(given['maxFileSize'])),
    gitignore: given['gitignore'] !== false,
    color: color === false ? 'never' : (color as ColorChoice),
    json: given['output'] === 'json',
  }
}

/** Without a path: what is piped in. */
function pathsOf(paths: readonly string[], io: Io): readonly string[] {
  if (paths.length > 0) return paths
  if (io.stdinIsTerminal !== true) return ['-']
  throw new Fault('USAGE', {
    what: 'no file, no folder and no piped input is given',
    why: 'without a path the manifests are read from a pipe, and there is none',
    remedy: 'name files or folders, or pipe a rendered stream in',
  })
}

function secretKeyOf(file: string, io: Io): string {
  let text: string
  try {
    text = readFileSync(path.resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw pathFault(error, file)
  }
  const key = text.replace(/\r?\n$/, '')
  if (key !== '') return key
  throw new Fault('USAGE', {
    what: `the key file ${file} is empty`,
    why: 'without a key the content of a Secret could be guessed from the name',
    remedy: 'write a long random text into it, for example: openssl rand -hex 32',
  })
}
