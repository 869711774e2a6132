import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { commandTree } from '../completion/tree.ts'
import { zshScript } from '../completion/zsh.ts'
import { Fault } from '../../core/faults.ts'
import { didYouMean } from '../../lint/nearest.ts'
import type { Command } from './command.ts'

/** Prints a script for a shell. It holds all words, so that completing starts no program. */
export const completion: Command = {
  argumentValues: ['bash', 'zsh', 'fish'],
  define(command) {
    command.argument('<shell>', 'bash, zsh or fish').addHelpText('after', EXAMPLES)
  },
  run: async ([shell = ''], _options, io) => {
    const script = SCRIPTS[shell]
    if (script === undefined) throw unknownShell(shell)
    io.stdout.write(script(await commandTree()))
    return 0
  },
}

const SCRIPTS: Readonly<Record<string, typeof bashScript>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

const EXAMPLES = `
Examples:
  source <(semel completion bash)                                    in ~/.bashrc
  source <(semel completion zsh)                                     in ~/.zshrc, behind compinit
  semel completion fish > ~/.config/fish/completions/semel.fish

Print it again after an update of semel: the script holds its commands, options and rules.
`

function unknownShell(shell: string): Fault {
  const known = Object.keys(SCRIPTS)
  return new Fault('USAGE', {
    what: `semel knows no completion for ${shell}.${didYouMean(shell, known)}`,
    why: `it can write one for ${known.join(', ')}`,
    remedy: 'name one of them: semel completion bash',
  })
}
