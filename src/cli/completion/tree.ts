import { Command as Commander, type Option } from 'commander'
import type { Values } from '../commands/command.ts'
import { commands } from '../commands/index.ts'
import { defineCommand } from '../define.ts'

/** The commands as a shell has to know them, taken from what each command defines. */
export interface CommandNode {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionNode[]
  readonly argumentValues: Values
}

export interface OptionNode {
  readonly short?: string
  readonly long: string
  readonly summary: string
  /** Undefined for options without a value. */
  readonly values?: Values
}

export async function commandTree(): Promise<readonly CommandNode[]> {
  return Promise.all(
    commands.map(async (entry): Promise<CommandNode> => {
      const command = await entry.load()
      const made = defineCommand(new Commander(entry.name), command)
      const { values = {}, argumentValues = 'files' } = command
      const options = [...made.options, made.createOption('-h, --help', 'show help')]
      return {
        name: entry.name,
        summary: entry.summary,
        options: options.map((option) => optionNode(option, values)),
        argumentValues,
      }
    }),
  )
}

/** What is known before any command is named. */
export const TOP_OPTIONS: readonly OptionNode[] = [
  { short: '-V', long: '--version', summary: 'print the version' },
  { short: '-h', long: '--help', summary: 'show help' },
]

function optionNode(
  { short, long, description, argChoices, required, optional }: Option,
  values: Readonly<Record<string, Values>>,
): OptionNode {
  const name = long ?? short ?? ''
  const known = argChoices ?? values[name] ?? 'files'
  return {
    ...(short === undefined || short === null ? {} : { short }),
    long: name,
    summary: description,
    ...(required || optional ? { values: known } : {}),
  }
}
