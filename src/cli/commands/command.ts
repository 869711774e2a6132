import type { Command as Commander } from 'commander'
import type { Io } from '../io.ts'

/** One command; its code is loaded when it is asked for. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

export interface Command {
  /** Adds arguments, options and examples. */
  define(command: Commander): void
  /** Returns the exit code: 0 clean, 1 findings, 2 broken use or input. */
  run(args: readonly string[], options: Readonly<Record<string, unknown>>, io: Io): Promise<number>
}
