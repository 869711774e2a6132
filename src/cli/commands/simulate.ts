import { Fault } from '../../core/faults.ts'
import { drillKinds } from '../../simulate/drill/drill.ts'
import { defineSimulate, OUTPUTS, simulateOptions, spanOptions } from '../simulate/options.ts'
import { runCases } from '../simulate/run-cases.ts'
import { runRepository } from '../simulate/run-repository.ts'
import { runTraces } from '../simulate/run-traces.ts'
import { defineTarget, targetOf, targetValues } from '../target.ts'
import type { Command, Values } from './command.ts'

/** The models over virtual time. */
export const simulate: Command = {
  get values(): Readonly<Record<string, Values>> {
    return {
      ...targetValues(OUTPUTS),
      '--for': 'nothing',
      '--start': 'nothing',
      '--git': 'nothing',
      '--duration': 'nothing',
      '--fail': 'nothing',
      '--workloads': 'files',
      '--kubernetes': 'nothing',
      '--drill': drillKinds.map(({ example }) => example),
      '--why': 'nothing',
      '--why-not': 'nothing',
      '--seed': 'nothing',
      '--runs': 'nothing',
      '--max-runs': 'nothing',
    }
  },
  define(command) {
    command.argument('[path...]', 'a repository (default: this folder), or traces, or cases')
    defineSimulate(command)
    defineTarget(command, OUTPUTS, { judges: false })
    command.addHelpText('after', EXAMPLES)
  },
  async run(paths, given, io) {
    const target = targetOf(paths, given)
    const isCase = given['case'] === true
    const isTrace = given['trace'] === true
    if (isCase && isTrace) {
      throw new Fault('USAGE', {
        what: '--case and --trace cannot go together',
        why: 'a case is judged by what is expected of it, a trace by what was recorded',
        remedy: 'run semel simulate twice',
      })
    }
    if ((isCase || isTrace) && paths.length === 0) {
      throw new Fault('USAGE', {
        what: `--${isCase ? 'case' : 'trace'} needs at least one path`,
        why: 'there is nothing to play without one',
        remedy: 'write semel simulate --trace FILE, or semel simulate --case FOLDER',
      })
    }
    const options = simulateOptions(given, target.color)
    if (isTrace) return runTraces({ paths, color: target.color, outputs: options.outputs }, io)
    if (isCase) return runCases(paths, options, io)
    return runRepository(target, spanOptions(given, io.today), options, io)
  },
}

const EXAMPLES = `
Without --case and --trace, PATH is a repository: semel finds out what applies each Job, plays the
engines and Kubernetes in virtual time, and says when each Job will run, how often, and why.
Drills: controller-down=2h, controllers-down=2h, api-down=2h, registry-down=2h, git-down=2h,
restart, restore=1h, rebuild, upgrade=VERSION; @TIME says when (default: in the middle).

Examples:
  semel simulate                                   the next 7 days of this repository
  semel simulate --for 30d -o html=report.html     a report to look at
  semel simulate --git origin/main..HEAD           with the commits of this branch
  semel simulate --why shop/migrate@25h            why did it run then
  semel simulate --why-not shop/migrate@3d         why did it not
  semel simulate --drill restore=1h --drill rebuild    which Jobs run again
  semel simulate --seed 1 --runs 50                with jitter and delays: how the answers differ
  semel simulate --case cases/                     every folder below that holds a scenario.yaml
  semel simulate --trace traces/                   hold the model against recordings

Exit codes: 0 done (all agreed), 1 a Job runs without bound, or a case or trace did not come out as
it must, 2 broken use or input.
`
