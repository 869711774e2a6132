import { Finish } from '../finish.ts'
import { formats } from '../formats/index.ts'
import { judge } from '../judge.ts'
import { defineTarget, targetOf } from '../target.ts'
import { count } from '../words.ts'
import type { Command } from './command.ts'

/** Judges all Jobs and says everything that was found, for people and for machines. */
export const lint: Command = {
  define(command) {
    command.argument('[path...]', 'files or folders (default: this one); - is stdin')
    defineTarget(command, Object.keys(formats))
    command.addHelpText('after', EXAMPLES)
  },
  run: async (paths, given, io) => {
    const options = targetOf(paths, given)
    const finish = new Finish(io, options, formats)
    const found = await judge(options, io)
    if (!('repository' in found)) return finish.stopped(found)
    const { jobs, cronJobs, documents } = found.numbers
    if (jobs + cronJobs === 0 && found.problems.length === 0) {
      finish.note(`No Job or CronJob was found in ${count(documents, 'document')}.`)
    }
    return finish.report(found)
  },
}

const EXAMPLES = `
Examples:
  semel lint                                  this folder and all below it
  semel lint apps infrastructure              two folders
  kustomize build prod | semel lint - --engine flux
  semel lint -o github                        in a GitHub workflow
  semel lint -o text -o sarif=semel.sarif     one run, two outputs
  semel lint --fail-on error                  warnings do not fail the run

Exit codes: 0 clean, 1 findings, 2 broken use or input.
`
