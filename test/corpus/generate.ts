import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const generator = fileURLToPath(new URL('../../bench/gen-corpus.mjs', import.meta.url))

/** A line of the truth file. */
export interface Truth {
  readonly file: string
  readonly index: number
  readonly start: number
  readonly end: number
  readonly apiVersion: string
  readonly kind: string
  readonly name?: string
  readonly namespace?: string
  readonly items?: readonly Omit<Truth, 'file' | 'index' | 'start' | 'end'>[]
  readonly odd?: string
}

export interface Corpus {
  /** To be removed when the test ends. */
  readonly folder: string
  readonly root: string
  readonly truth: readonly Truth[]
}

/** Writes a corpus with its truth file into a new temporary folder. */
export async function generateCorpus(options: {
  readonly seed: number
  readonly documents: number
}): Promise<Corpus> {
  const folder = await mkdtemp(path.join(tmpdir(), 'semel-corpus-'))
  const root = path.join(folder, 'corpus')
  await runGenerator([
    '--out',
    root,
    '--seed',
    String(options.seed),
    '--documents',
    String(options.documents),
  ])
  const lines = (await readFile(`${root}.truth.jsonl`, 'utf8')).trimEnd().split('\n')
  return { folder, root, truth: lines.map((line) => JSON.parse(line) as Truth) }
}

export function runGenerator(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [generator, ...args])
}
