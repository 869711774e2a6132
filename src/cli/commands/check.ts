import { Finish } from '../finish.ts'
import { checkJson, checkText } from '../formats/check.ts'
import { judge } from '../judge.ts'
import { defineTarget, targetOf, targetValues } from '../target.ts'
import type { Command } from './command.ts'

/** What a newcomer runs: every Job, what applies it, and the worst that was found. */
export const check: Command = {
  get values() {
    return targetValues(Object.keys(FORMATS))
  },
  define(command) {
    command.argument('[path...]', 'files or folders (default: this one); - is stdin')
    defineTarget(command, Object.keys(FORMATS))
    command.addHelpText('after', EXAMPLES)
  },
  run: async (paths, given, io) => {
    const options = targetOf(paths, given)
    const finish = new Finish(io, options, FORMATS)
    const found = await judge(options, io)
    if (!('repository' in found)) return finish.stopped(found)
    return finish.report(found)
  },
}

const FORMATS = { text: checkText, json: checkJson }

const EXAMPLES = `
Columns: APPLIED BY is the engine and the object that makes it apply the Job. CONTRACT is what a
second run would do, from the annotation semel.dev/contract; once is the default. FORECAST is how
often the Job runs in 7 days while nobody changes anything, if its work takes a minute and
succeeds; \`semel simulate\` plays it. HASHED tells whether the name changes with the content.

Examples:
  semel check                                 this folder and all below it
  semel check examples/shop
  semel check --engine argocd deploy          when the repository does not say what applies it
  semel check -o json

Exit codes: 0 clean, 1 findings, 2 broken use or input.
`
