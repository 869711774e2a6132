import { Finish } from '../finish.ts'
import { formats } from '../formats/index.ts'
import { defineLint, lintOptionsOf, lintValues } from '../lint-options.ts'
import { lintOnce } from '../lint-once.ts'
import { defineTarget, targetValues } from '../target.ts'
import type { Command } from './command.ts'

/** Judges all Jobs and says everything that was found, for people and for machines. */
export const lint: Command = {
  values: { ...targetValues(Object.keys(formats)), ...lintValues },
  define(command) {
    command.argument('[path...]', 'files or folders (default: this one); - is stdin')
    defineTarget(command, Object.keys(formats))
    defineLint(command)
    command.addHelpText('after', EXAMPLES)
  },
  run: async (paths, given, io) => {
    const options = lintOptionsOf(paths, given, io.cwd)
    const finish = new Finish(io, options, formats)
    if (!options.watch) return lintOnce(options, finish, io)
    const { watchLint } = await import('../watch.ts')
    return watchLint(options, finish, io)
  },
}

const EXAMPLES = `
Examples:
  semel lint                                  this folder and all below it
  semel lint apps infrastructure              two folders
  kustomize build prod | semel lint - --engine flux
  semel lint -o github --since origin/main    in a pull request
  semel lint -o text -o sarif=semel.sarif     one run, two outputs
  semel lint --fail-on error                  warnings do not fail the run
  semel lint --diff                           what --fix would change
  semel lint --write-baseline --reason "from before semel"
  semel lint --baseline semel-baseline.json   only what is new
  semel lint --changed --since origin/main    only what this branch has changed

Exit codes: 0 clean, 1 findings, 2 broken use or input.
`
