import { Option } from 'commander'
import { Fault } from '../../core/faults.ts'
import { runCases } from '../simulate/run-cases.ts'
import { runTraces, type TraceOptions } from '../simulate/run-traces.ts'
import type { Command } from './command.ts'

/** The model over virtual time. */
export const simulate: Command = {
  define(command) {
    command
      .argument('[path...]', 'traces, cases, or folders of them')
      .option('--trace', 'hold the model against recorded traces (job-trace/1)')
      .option('--case', 'play scenarios (job-scenario/1) and hold them against what is expected')
      .addOption(
        new Option('-o, --output <format>', 'text or json')
          .choices(['text', 'json'])
          .default('text'),
      )
      .addOption(
        new Option('--color <when>', 'colours')
          .choices(['auto', 'always', 'never'])
          .default('auto'),
      )
      .option('--no-color', 'the same as --color never')
    command.addHelpText('after', EXAMPLES)
  },
  async run(paths, given, io) {
    const isCase = given['case'] === true
    if (isCase === (given['trace'] === true) || paths.length === 0) {
      throw new Fault('USAGE', {
        what: 'simulate needs --trace or --case, and at least one path',
        why: 'playing recorded traces and scenarios is what it can do so far',
        remedy: 'write semel simulate --trace FILE, or semel simulate --case FOLDER',
      })
    }
    const color = given['color'] === false ? 'never' : (given['color'] as TraceOptions['color'])
    const output = given['output'] as TraceOptions['output']
    return isCase ? runCases({ paths, output, color }, io) : runTraces({ paths, output, color }, io)
  },
}

const EXAMPLES = `
A trace tells what real controllers did with given files and events. The model gets the same and
must answer with the same Jobs, pods, conditions and times (within the trace's tolerance).

Examples:
  semel simulate --trace 001-backoff.json          agreed, or where the two part and by which rule
  semel simulate --trace traces/ -o json           every difference, for a program
  semel simulate --case cases/                     every folder below that holds a scenario.yaml

Exit codes: 0 all agreed, 1 some did not, 2 broken use or input.
`
