import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import type { Io, Waiting } from '../../src/cli/io.ts'
import { runCli } from '../../src/cli/run.ts'

/** Runs command lines in this process, with a world that a test decides. */
export async function semel(args: string | readonly string[], world: World = {}): Promise<Answer> {
  const out: string[] = []
  const err: string[] = []
  const isTerminal = world.isTerminal ?? false
  const columns = world.columns
  const io: Io = {
    cwd: world.cwd ?? root,
    stdout: { write: (text) => both(out, world.write?.out, text), isTerminal, columns },
    stderr: { write: (text) => both(err, world.write?.err, text), isTerminal, columns },
    env: world.env ?? {},
    today: world.today ?? '2026-11-29',
    now: world.now ?? (() => 0),
    readStdin: (maxBytes) => {
      const bytes = new TextEncoder().encode(world.stdin ?? '')
      if (bytes.length <= maxBytes) return bytes
      throw new Fault('FILE_TOO_LARGE', { what: '<stdin>', why: '', remedy: '', where: '<stdin>' })
    },
    waiting: world.waiting ?? NOBODY_WAITS,
  }
  const words = typeof args === 'string' ? args.split(' ').filter((word) => word !== '') : args
  const code = await runCli(words, io)
  return { code, out: out.join(''), err: err.join('') }
}

export interface World {
  readonly cwd?: string
  readonly stdin?: string
  readonly isTerminal?: boolean
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  readonly today?: string
  readonly now?: () => number
  readonly waiting?: Waiting
  /** Told of each text at once. */
  readonly write?: Readonly<Record<'out' | 'err', (text: string) => void>>
}

function both(
  kept: string[],
  tell: ((text: string) => void) | undefined,
  given: string | Uint8Array,
): void {
  // A byte order mark that is written has to be seen.
  const text =
    typeof given === 'string' ? given : new TextDecoder('utf-8', { ignoreBOM: true }).decode(given)
  kept.push(text)
  tell?.(text)
}

const NOBODY_WAITS: Waiting = {
  watch: () => {
    throw new Error('nothing was to be watched')
  },
  after: () => {
    throw new Error('nothing was to be waited for')
  },
  interrupted: () => () => {},
}

export interface Answer {
  readonly code: number
  readonly out: string
  readonly err: string
}

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** A folder of its own for one test, removed at the end; files by path. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const made = mkdtempSync(path.join(tmpdir(), 'semel-test-'))
  folders.add(made)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(made, name)), { recursive: true })
    writeFileSync(path.join(made, name), content)
  }
  return made
}

/** A copy of a folder of the repository, to be changed. */
export function copyOf(source: string): string {
  const made = folder()
  cpSync(path.join(root, source), made, { recursive: true })
  return made
}

const folders = new Set<string>()
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

/** A Job that no rule has anything to say about, when nothing is known to apply it. */
export function job(name: string, more: { spec?: string; annotations?: string } = {}): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: shop
${more.annotations === undefined ? '' : `  annotations:\n    ${more.annotations}\n`}spec:
  backoffLimit: 0
  activeDeadlineSeconds: 600
${more.spec === undefined ? '' : `  ${more.spec}\n`}  template:
    spec:
      restartPolicy: Never
      containers:
        - name: run
          image: registry.example.test/shop/run@sha256:${'5'.repeat(64)}
`
}
