import { Option } from 'commander'
import { ruleList, ruleListJson } from '../rule-list.ts'
import type { Command } from './command.ts'

/** Lists the rules, for people and for whoever writes a semel.yaml by program. */
export const rules: Command = {
  argumentValues: 'nothing',
  define(command) {
    command
      .addOption(
        new Option('-o, --output <format>', 'how to print them')
          .choices(['text', 'json'])
          .default('text'),
      )
      .addHelpText('after', EXAMPLES)
  },
  run: async (_args, { output }, io) => {
    io.stdout.write(output === 'json' ? ruleListJson() : ruleList(io))
    return 0
  },
}

const EXAMPLES = `
Examples:
  semel rules                       every rule with its level and summary
  semel rules -o json               the same for programs

Levels are those without a semel.yaml; off means that it must be switched on.
`
