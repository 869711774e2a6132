import { isatty } from 'node:tty'
import { readStdin } from '../adapters/read-source.ts'
import { watchFolders, type FolderWatch } from '../adapters/watch.ts'

/** What a command may know of the world around it; tests hand in their own. */
export interface Io {
  readonly cwd: string
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  /** YYYY-MM-DD, for what ends on a day. */
  readonly today: string
  /** Milliseconds of a clock that only runs forward. */
  now(): number
  readStdin(maxBytes: number): Uint8Array
  /** Nobody pipes anything in: reading would wait for what a person types. */
  readonly stdinIsTerminal?: boolean
  readonly waiting: Waiting
}

/** For a command that goes on until somebody ends it. Each gives back how to stop it. */
export interface Waiting {
  /** Calls at each change of an entry of the folders: with its absolute path, where it is known. */
  watch(changed: (file: string) => void): FolderWatch
  after(ms: number, run: () => void): () => void
  /** Ctrl-C, or whoever runs us asks us to end. */
  interrupted(run: () => void): () => void
}

export interface Stream {
  /** Bytes are text in UTF-8. */
  write(text: string | Uint8Array): void
  readonly isTerminal: boolean
  /** Undefined when nobody knows, as in a pipe. */
  readonly columns: number | undefined
}

export function processIo(): Io {
  return {
    cwd: process.cwd(),
    stdout: streamOf(process.stdout, 1),
    stderr: streamOf(process.stderr, 2),
    env: process.env,
    today: dayOf(new Date()),
    now: () => performance.now(),
    readStdin,
    stdinIsTerminal: isatty(0),
    waiting: {
      watch: watchFolders,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      interrupted(run) {
        for (const signal of END_SIGNALS) process.once(signal, run)
        return () => {
          for (const signal of END_SIGNALS) process.off(signal, run)
        }
      },
    },
  }
}

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const

function streamOf(stream: NodeJS.WriteStream, descriptor: number): Stream {
  // A reader that went away (`semel lint | head`) is no fault of ours; the rest is written to nobody.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  // `isTTY` is missing, not false, where there is no terminal.
  const isTerminal = isatty(descriptor)
  return {
    write: (text) => {
      if (stream.writable) stream.write(text)
    },
    isTerminal,
    columns: isTerminal ? stream.columns : undefined,
  }
}

/** The day where the user is, not in Greenwich. */
function dayOf(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0')
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`
}
