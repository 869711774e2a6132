import type { Values } from '../commands/command.ts'
import { TOP_OPTIONS, type CommandNode, type OptionNode } from './tree.ts'

/** Works from bash 3.2 on, which macOS has. */
export function bashScript(commands: readonly CommandNode[]): string {
  const names = commands.map(({ name }) => name)
  return `# Completion of semel for bash, written by: semel completion bash
_semel() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local command='' words='' i
  COMPREPLY=()
  # bash takes the = of --option=value for a word of its own.
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = ]] && ((COMP_CWORD > 1)); then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${names.join(' | ')})
        command=\${COMP_WORDS[i]}
        break
        ;;
    esac
  done
  case $command in
    '') words='${[...names, ...optionNames(TOP_OPTIONS)].join(' ')}' ;;
${commands.map(branch).join('\n')}
  esac
  # Without an answer bash offers files.
  [[ -z $words ]] && return
  if [[ $words == - ]]; then
    compopt +o default +o bashdefault 2>/dev/null
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _semel semel
`
}

function branch({ name, options, argumentValues }: CommandNode): string {
  const rows = options
    .filter(({ values }) => values !== undefined)
    .map(({ short, long, values }) => {
      const flags = short === undefined ? long : `${short} | ${long}`
      return `        ${flags}) words='${wordsOf(values ?? 'files')}' ;;`
    })
  return `    ${name})
      case $before in
${[...rows, `        *)`].join('\n')}
          if [[ $word == -* ]]; then
            words='${optionNames(options).join(' ')}'
          else
            words='${wordsOf(argumentValues)}'
          fi
          ;;
      esac
      ;;`
}

/** Empty for files, and a dash for nothing at all. */
function wordsOf(values: Values): string {
  if (values === 'files') return ''
  return values === 'nothing' ? '-' : values.join(' ')
}

function optionNames(options: readonly OptionNode[]): readonly string[] {
  return options.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long]))
}
