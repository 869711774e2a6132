import type { Command as Commander } from 'commander'
import type { Io } from '../io.ts'

/** One command; its code is loaded when it is asked for. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

/** What a shell may offer: words, names of files, or nothing. */
export type Values = readonly string[] | 'files' | 'nothing'

export interface Command {
  /** For options that take a value and have no choices of their own, by their long name. */
  readonly values?: Readonly<Record<string, Values>>
  /** For the arguments; files when left out. */
  readonly argumentValues?: Values
  /** Adds arguments, options and examples. */
  define(command: Commander): void
  /** Returns the exit code: 0 clean, 1 findings, 2 broken use or input. */
  run(args: readonly string[], options: Readonly<Record<string, unknown>>, io: Io): Promise<number>
}
