import type { Command as Commander } from 'commander'
import type { Command } from './commands/command.ts'

/** Arguments and options of one command, with those that all have. */
export function defineCommand(commander: Commander, command: Command): Commander {
  command.define(commander)
  return commander.option('--debug', 'show the stack when semel itself fails')
}
