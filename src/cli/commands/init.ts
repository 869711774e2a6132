import { existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathFault } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { CONFIG_NAME } from '../config/find.ts'
import { firstConfig } from '../config/first.ts'
import { Finish } from '../finish.ts'
import { judge } from '../judge.ts'
import { startFolder } from '../naming.ts'
import { jobWords } from '../report.ts'
import { targetWithDefaults } from '../target.ts'
import { count } from '../words.ts'
import type { Command } from './command.ts'

/** Writes a first semel.yaml. It asks nothing, so it runs the same everywhere. */
export const init: Command = {
  define(command) {
    command
      .argument('[folder]', 'where semel.yaml is to stand (default: here)')
      .option('--force', 'replace a semel.yaml that exists')
      .addHelpText('after', EXAMPLES)
  },
  run: async ([given = '.'], { force }, io) => {
    const folder = startFolder(io.cwd, [given])
    assertExists(folder, given)
    const target = path.join(folder, CONFIG_NAME)
    const shown = path.relative(io.cwd, target).replaceAll(path.sep, '/')
    if (existsSync(target) && force !== true) throw exists(shown)
    const options = { ...targetWithDefaults([given]), useConfig: false }
    const found = await judge(options, io)
    if (!('repository' in found)) return new Finish(io, options, {}).stopped(found)
    const fileName = (name: string): string =>
      path.relative(folder, path.resolve(io.cwd, name)).replaceAll(path.sep, '/')
    write(target, shown, firstConfig(found, fileName))
    const unread = count(found.problems.length, 'problem')
    io.stdout.write(
      [
        `Wrote ${shown} after a look at ${jobWords(found.numbers)}.`,
        'What it proposes stands in comments: take the # away where you agree.',
        ...(found.problems.length === 0
          ? []
          : [`There is ${unread} with the input; semel lint shows it.`]),
        '',
      ].join('\n'),
    )
    return 0
  },
}

const EXAMPLES = `
Examples:
  semel init                        for this folder
  semel init clusters/prod          for another one
  semel init --force                start again
`

function assertExists(folder: string, given: string): void {
  try {
    statSync(folder)
  } catch (error) {
    throw pathFault(error, given)
  }
}

function exists(shown: string): Fault {
  return new Fault('USAGE', {
    what: `${shown} exists already`,
    why: 'semel init would replace what somebody wrote',
    remedy: 'edit it, or run semel init --force to start again',
    where: shown,
  })
}

function write(target: string, shown: string, text: string): void {
  try {
    writeFileSync(target, text)
  } catch (error) {
    const { why } = pathFault(error, shown)
    throw new Fault('OUTPUT_UNWRITABLE', {
      what: `${shown} could not be written`,
      why,
      remedy: 'name a folder that this user may write to',
      where: shown,
      cause: error,
    })
  }
}
