import path from 'node:path'
import type { Command as Commander } from 'commander'
import { Fault } from '../core/faults.ts'
import type { Command } from './commands/command.ts'
import { targetOf, type TargetOptions } from './target.ts'

/** What `semel lint` is asked beside what to look at. */
export interface LintOptions extends TargetOptions {
  /** Which fixes to make; undefined for none. */
  readonly fix: 'safe' | 'all' | undefined
  /** Show what the fixes would change, and write nothing. */
  readonly diff: boolean
  readonly baseline: string | undefined
  readonly write: WriteBaseline | undefined
  /** Leave out what stands on lines and objects that have not changed. */
  readonly changed: boolean
  readonly since: string | undefined
  readonly watch: boolean
}

export interface WriteBaseline {
  readonly reason: string | undefined
  readonly acceptNew: boolean
}

export function defineLint(command: Commander): void {
  command
    .option('--fix', 'make the safe fixes in the files, then judge what is left')
    .option('--unsafe', 'with --fix or --diff: also the fixes that change what runs or is kept')
    .option('--diff', 'show what the fixes would change, and write nothing')
    .option('--baseline <file>', 'leave out the findings that this file holds')
    .option('--write-baseline', `write the findings there are into it (default ${BASELINE_NAME})`)
    .option('--reason <text>', 'with --write-baseline: why they may stay')
    .option('--accept-new', 'with --write-baseline: also add findings to a file that exists')
    .option('--changed', 'only what stands on lines and objects that have changed')
    .option('--since <revision>', 'compared with which revision of git (default: HEAD)')
    .option('--watch', 'judge again at every change of a file, and print what is new or gone')
}

/** What a shell may offer for these. */
export const lintValues: NonNullable<Command['values']> = {
  '--baseline': 'files',
  '--reason': 'nothing',
  '--since': 'nothing',
}

const BASELINE_NAME = 'semel-baseline.json'

export function lintOptionsOf(
  paths: readonly string[],
  given: Readonly<Record<string, unknown>>,
  cwd: string,
): LintOptions {
  const target = targetOf(paths, given)
  const flag = (name: string): boolean => given[name] === true
  const text = (name: string): string | undefined =>
    typeof given[name] === 'string' ? given[name] : undefined
  for (const [wanted, message] of CLASHES) if (wanted(flag, text, target)) throw usage(message)
  const changed = flag('changed')
  const isWriting = flag('writeBaseline')
  const baseline = text('baseline') ?? (isWriting ? BASELINE_NAME : undefined)
  return {
    ...target,
    fix: flag('fix') || flag('diff') ? (flag('unsafe') ? 'all' : 'safe') : undefined,
    diff: flag('diff'),
    baseline,
    write: isWriting ? { reason: text('reason'), acceptNew: flag('acceptNew') } : undefined,
    changed,
    since: text('since') ?? (changed ? 'HEAD' : undefined),
    watch: flag('watch'),
    leftOut: [BASELINE_NAME, baseline ?? BASELINE_NAME, ...outputFiles(target.outputs)].map(
      (file) => path.resolve(cwd, file),
    ),
  }
}

/** What semel itself writes is nothing to judge, and no change to look at again. */
function outputFiles(outputs: readonly string[]): readonly string[] {
  return outputs.flatMap((output) => {
    const equals = output.indexOf('=')
    return equals < 0 ? [] : [output.slice(equals + 1)]
  })
}

type Message = readonly [what: string, why: string, remedy: string]
type Clash = (
  flag: (name: string) => boolean,
  text: (name: string) => string | undefined,
  target: TargetOptions,
) => boolean

const CLASHES: readonly (readonly [Clash, Message])[] = [
  [
    (flag) => flag('unsafe') && !flag('fix') && !flag('diff'),
    ['--unsafe alone does nothing', 'it says which fixes to make', 'write --fix --unsafe'],
  ],
  [
    (_, text) => text('reason') !== undefined && text('reason')?.trim() === '',
    ['--reason is empty', 'somebody will read it in a year', 'say why the findings may stay'],
  ],
  [
    (flag, text) => !flag('writeBaseline') && (flag('acceptNew') || text('reason') !== undefined),
    [
      '--reason and --accept-new are for --write-baseline only',
      'nothing else is written down with a reason',
      'add --write-baseline, or leave them out',
    ],
  ],
  [
    (flag) => flag('writeBaseline') && (flag('fix') || flag('diff') || flag('changed')),
    [
      '--write-baseline does not go with --fix, --diff or --changed',
      'a baseline is written from all findings, as the files are',
      'run one after the other',
    ],
  ],
  [
    (flag, _, { outputs }) => flag('diff') && outputs.length > 0,
    [
      '--diff does not go with -o',
      'it prints what would change, and nothing else',
      'leave one of them out',
    ],
  ],
  [
    (flag, _, { paths }) => (flag('fix') || flag('diff')) && paths.includes('-'),
    [
      'the standard input cannot be fixed',
      'a fix changes the file that the text came from',
      'give the file or folder itself',
    ],
  ],
  [
    (flag, text, { paths }) =>
      (flag('changed') || text('since') !== undefined) && paths.includes('-'),
    [
      'nobody knows what has changed in the standard input',
      '--changed and --since ask git about files',
      'give the files or folders themselves',
    ],
  ],
  [
    (flag, _, { paths }) =>
      flag('watch') &&
      (paths.includes('-') || ['fix', 'diff', 'writeBaseline'].some((name) => flag(name))),
    [
      '--watch only looks',
      'it goes with files and folders, and not with --fix, --diff or --write-baseline',
      'run them on their own',
    ],
  ],
  [
    (flag, _, { outputs }) =>
      flag('watch') &&
      outputs.some((output) => !output.includes('=') && !/^(?:text|compact)$/.test(output)),
    [
      '--watch prints text',
      'a reader of another format could not tell one look from the next',
      'give that output a file: -o FORMAT=FILE',
    ],
  ],
]

function usage([what, why, remedy]: Message): Fault {
  return new Fault('USAGE', { what, why, remedy })
}
