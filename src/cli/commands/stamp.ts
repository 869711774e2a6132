import { Fault } from '../../core/faults.ts'
import type { Io } from '../io.ts'
import { askedOf, defineInput, definePolicy, stampValues } from '../stamp/options.ts'
import { runStamp, type StampRequest } from '../stamp/run.ts'
import type { Command } from './command.ts'

/** Names that follow the content, in whatever passes manifests on. */
export const stamp: Command = {
  values: stampValues,
  define(command) {
    command
      .argument('[path...]', 'files or folders, changed in place; - or a pipe: stdin to stdout')
      .option('--check', 'write nothing; exit code 1 when a name does not follow its content')
      .option('--diff', 'show what would change, and write nothing')
      .option('--krm', 'be a KRM function: a ResourceList from stdin to stdout')
      .option('--cron-jobs', 'also CronJobs')
      .option('--hooks', 'also hooks of Helm and Argo CD')
      .option('--generate-names', 'also Jobs with generateName')
      .option('--rendered', 'files are as the cluster will see them: nothing replaces ${...}')
      .option('--strict', 'refuse what is otherwise left alone because it is not certain')
    definePolicy(command)
    defineInput(command)
    command.addHelpText('after', EXAMPLES)
  },
  run: async (paths, given, io) => runStamp(requestOf(paths, given, io), io),
}

const EXAMPLES = `
Examples:
  helm template shop ./chart | semel stamp | kubectl apply -f -
  helm upgrade shop ./chart --post-renderer semel --post-renderer-args stamp
  semel stamp clusters/prod                   in place, only what changes
  semel stamp --diff clusters/prod            what would change
  semel stamp --check clusters/prod           in a pull request
  semel stamp --krm < resource-list.yaml

From a pipe to a pipe, nothing is written when anything is refused.

Exit codes: 0 done, 1 --check or --diff found a difference, 2 broken use or input.
`

type Given = Readonly<Record<string, unknown>>

function requestOf(paths: readonly string[], given: Given, io: Io): StampRequest {
  const asked = askedOf(paths, given, io)
  const flag = (name: string): boolean => given[name] === true
  const isStream = asked.paths.includes('-')
  const mode = modeOf(flag)
  if (isStream && asked.paths.length > 1) {
    throw usage('- stands beside files', 'a stream goes to stdout, files are changed in place')
  }
  if (mode === 'krm' && !isStream) {
    throw usage('--krm goes with no path', 'a KRM function reads a ResourceList from stdin')
  }
  if (asked.json && (mode === 'diff' || mode === 'krm' || (mode === 'write' && isStream))) {
    throw usage('-o json does not go with this', 'stdout is for the manifests or the difference')
  }
  return {
    ...asked,
    stamp: {
      ...asked.stamp,
      ...(flag('cronJobs') ? { cronJobs: true } : {}),
      ...(flag('hooks') ? { hooks: true } : {}),
      ...(flag('generateNames') ? { generateNames: true } : {}),
      ...(flag('strict') ? { strict: true } : {}),
      rendered: isStream || flag('rendered'),
      inPlace: !isStream,
    },
    isStream,
    mode,
  }
}

function modeOf(flag: (name: string) => boolean): StampRequest['mode'] {
  const wished = (['check', 'diff', 'krm'] as const).filter((name) => flag(name))
  const [mode = 'write', other] = wished
  if (other === undefined) return mode
  throw usage(`--${mode} and --${other} do not go together`, 'each decides what is written')
}

function usage(what: string, why: string): Fault {
  return new Fault('USAGE', { what, why, remedy: 'run them one after the other' })
}
