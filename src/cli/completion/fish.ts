import type { Values } from '../commands/command.ts'
import { TOP_OPTIONS, type CommandNode, type OptionNode } from './tree.ts'

export function fishScript(commands: readonly CommandNode[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const first = `not __fish_seen_subcommand_from ${names}`
  const rows = [
    ...TOP_OPTIONS.map((option) => optionRow(option, first)),
    ...commands.map(
      ({ name, summary }) =>
        `complete -c semel -n ${quoted(first)} -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(({ name, options, argumentValues }) => {
      const here = `__fish_seen_subcommand_from ${name}`
      return [
        ...options.map((option) => optionRow(option, here)),
        ...argumentRows(argumentValues, here),
      ]
    }),
  ]
  return `# Completion of semel for fish, written by: semel completion fish
complete -c semel -e
${rows.join('\n')}
`
}

function optionRow({ short, long, summary, values }: OptionNode, condition: string): string {
  return [
    `complete -c semel -n ${quoted(condition)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    `-l ${long.slice(2)}`,
    ...(values === undefined ? [] : [valueFlags(values)]),
    `-d ${quoted(summary)}`,
  ].join(' ')
}

function valueFlags(values: Values): string {
  if (values === 'files') return '-r -F'
  return values === 'nothing' ? '-x' : `-x -a ${quoted(values.join(' '))}`
}

function argumentRows(values: Values, condition: string): readonly string[] {
  if (values === 'files') return [`complete -c semel -n ${quoted(condition)} -F`]
  const words = values === 'nothing' ? '' : ` -a ${quoted(values.join(' '))}`
  return [`complete -c semel -n ${quoted(condition)} -f${words}`]
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
