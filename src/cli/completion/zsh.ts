import type { Values } from '../commands/command.ts'
import { TOP_OPTIONS, type CommandNode, type OptionNode } from './tree.ts'

/** May be sourced, or stand as \`_semel\` in a folder of fpath. */
export function zshScript(commands: readonly CommandNode[]): string {
  const list = commands.map(({ name, summary }) => `        ${quoted(`${name}:${summary}`)}`)
  return `#compdef semel
# Completion of semel for zsh, written by: semel completion zsh
_semel() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${TOP_OPTIONS.flatMap(specs)
  .map((spec) => `    ${spec} \\`)
  .join('\n')}
    '1:command:->command' \\
    '*::: :->rest' && return
  case $state in
    command)
      local -a commands
      commands=(
${list.join('\n')}
      )
      _describe command commands
      ;;
    rest)
      # What follows is completed as if the command were a program of its own.
      words=($line[1] "\${words[@]}")
      ((CURRENT += 1))
      case $line[1] in
${commands.map(branch).join('\n')}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _semel ]]; then
  _semel "$@"
else
  compdef _semel semel
fi
`
}

function branch({ name, options, argumentValues }: CommandNode): string {
  const rows = [...options.flatMap(specs), quoted(`*:argument:${action(argumentValues)}`)]
  return `        ${name})
          _arguments \\
${rows.map((row) => `            ${row}`).join(' \\\n')}
          ;;`
}

/** One specification for each spelling. */
function specs({ short, long, summary, values }: OptionNode): readonly string[] {
  const about = `[${summary.replaceAll(/[[\]:\\]/g, String.raw`\$&`)}]`
  const value = values === undefined ? '' : `:value:${action(values)}`
  const flags = [...(short === undefined ? [] : [short]), values === undefined ? long : `${long}=`]
  return flags.map((flag) => quoted(`*${flag}${about}${value}`))
}

function action(values: Values): string {
  if (values === 'files') return '_files'
  return values === 'nothing' ? '' : `(${values.join(' ')})`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
