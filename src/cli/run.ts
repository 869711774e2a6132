import { Command as Commander, CommanderError } from 'commander'
import { Fault } from '../core/faults.ts'
import { didYouMean } from '../lint/nearest.ts'
import { commands } from './commands/index.ts'
import type { CommandEntry } from './commands/command.ts'
import { defineCommand } from './define.ts'
import type { Io } from './io.ts'
import { Lines } from './lines.ts'
import { paintFor, type ColorChoice } from './paint.ts'
import { problemOf } from './problem.ts'
import { problemBlocks } from './formats/problems.ts'
import { VERSION } from './version.ts'

/**
 * Runs one command line and returns its exit code: 0 clean, 1 findings, 2 broken use or input.
 * Everything outside comes in with `io`. Only a bug of ours reaches the catch below as anything
 * but a Fault.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  const isDebug = args.includes('--debug') || (io.env['SEMEL_DEBUG'] ?? '') !== ''
  try {
    return await dispatch(args, io)
  } catch (error) {
    if (error instanceof Fault) {
      io.stderr.write(faultText(error, args, io))
      return error.exitCode
    }
    const text = error instanceof Error ? error.message : String(error)
    const message = text.startsWith('bug in semel: ') ? text : `bug in semel: ${text}`
    const hint = isDebug ? '' : ' (run again with --debug for the stack, and please report it)'
    io.stderr.write(`${message.split('\n')[0]}${hint}\n`)
    if (isDebug && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`)
    return 2
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<number> {
  let exitCode = 0
  const program = new Commander('semel')
    .description('Kubernetes Jobs under GitOps: which run, how often, and why.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .addHelpText('after', TOP_HELP)
  const wanted = commandOf(args)
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.summary)
    if (entry !== wanted) continue
    const loaded = await entry.load()
    defineCommand(command.showSuggestionAfterError(false), loaded)
    command.action(async () => {
      exitCode = await loaded.run(command.args, command.opts(), io)
    })
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(io.stdout.columns ?? 80, 100) - 1,
    })
  }
  if (args.length === 0) {
    io.stdout.write(program.helpInformation() + TOP_HELP)
    return 0
  }
  if (wanted === undefined && args[0] !== undefined && !args[0].startsWith('-')) {
    throw unknownCommand(args[0])
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    const command = program.commands.find((one) => one.name() === wanted?.name) ?? program
    throw usageFault(error, command)
  }
}

const TOP_HELP = `
Examples:
  semel check                       what the Jobs of this repository will do
  semel lint -o github              findings beside the lines of a pull request
  semel lint -o text -o sarif=semel.sarif
  kustomize build prod | semel stamp > out.yaml   names that follow content
  semel explain ttl-causes-rerun    what a finding means

Exit codes: 0 clean, 1 findings, 2 broken use or input.
`

/** Options that take a value never stand before the command, so the first plain word is it. */
function commandOf(args: readonly string[]): CommandEntry | undefined {
  const name = args.find((word) => !word.startsWith('-'))
  return commands.find((entry) => entry.name === name)
}

function unknownCommand(word: string): Fault {
  const names = commands.map(({ name }) => name)
  return new Fault('USAGE', {
    what: `there is no command ${word}.${didYouMean(word, names)}`,
    why: `semel knows ${names.join(', ')}`,
    remedy: 'semel --help shows what each of them does',
  })
}

function usageFault(error: CommanderError, command: Commander): Fault {
  const [line = ''] = error.message.replace(/^error: /, '').split('\n')
  const option = /unknown option '(--?[^'=]+)/.exec(line)?.[1]
  const known = command.options.flatMap(({ long, short }) => [long ?? short ?? ''])
  const hint = option === undefined ? '' : `.${didYouMean(option, [...known, '--help'])}`
  const name = command.parent === null ? 'semel' : `semel ${command.name()}`
  return new Fault('USAGE', {
    what: `${line}${hint}`,
    why: `${name} cannot tell what is meant`,
    remedy: `${name} --help lists the options`,
    cause: error,
  })
}

function faultText(fault: Fault, args: readonly string[], io: Io): string {
  const paint = paintFor(io.stderr, colorOf(args), io.env)
  const width = io.stderr.columns ?? 100
  return problemBlocks([problemOf(fault)], { lines: new Lines(), paint, width })
}

/** Faults may come before the options were read. */
function colorOf(args: readonly string[]): ColorChoice {
  if (args.includes('--no-color') || args.includes('--color=never')) return 'never'
  return args.includes('--color=always') ? 'always' : 'auto'
}
