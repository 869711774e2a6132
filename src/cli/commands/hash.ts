import { Fault } from '../../core/faults.ts'
import { diffHashes, showHashes } from '../stamp/hashes.ts'
import { askedOf, defineInput, definePolicy, stampValues } from '../stamp/options.ts'
import type { Command } from './command.ts'

/** The fingerprint of Jobs, and why it is what it is. */
export const hash: Command = {
  values: stampValues,
  define(command) {
    command
      .argument('[path...]', 'files or folders; - or a pipe: stdin')
      .option('--diff', 'which fields make the Jobs of two files differ: --diff A B')
      .option('--rendered', 'files are as the cluster will see them: nothing replaces ${...}')
    definePolicy(command)
    defineInput(command)
    command.addHelpText('after', EXAMPLES)
  },
  run: async (paths, given, io) => {
    const asked = { ...askedOf(paths, given, io), rendered: given['rendered'] === true }
    if (given['diff'] !== true) return showHashes(asked, io)
    const [before, after] = asked.paths
    if (before === undefined || after === undefined || asked.paths.length > 2) {
      throw new Fault('USAGE', {
        what: 'hash --diff needs two paths',
        why: 'it compares the Jobs of the first with those of the second',
        remedy: 'write semel hash --diff old.yaml new.yaml',
      })
    }
    return diffHashes([before, after], asked, io)
  },
}

const EXAMPLES = `
What a field does: counts (another value makes another name), default (says what its absence
says), idle (the API server keeps it, nothing that runs changes), left-out (the policy does not
count it).

Examples:
  semel hash job.yaml                         fingerprint, fields, and what the name covers
  helm template shop ./chart | semel hash -o json
  semel hash --diff old.yaml new.yaml         why two fingerprints differ

Exit codes: 0 done, 1 --diff found a difference, 2 broken use or input.
`
