import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { oraclesMissing } from '../oracles.ts'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))
const program = path.join(root, 'dist/cli/main.js')

/** Why these tests cannot run here; `npm test` builds first. */
export const missing: string | undefined =
  oraclesMissing ?? (existsSync(program) ? undefined : 'dist/cli/main.js is not built')

/** For the name of a group of tests that is skipped. */
export const reason: string = missing === undefined ? '' : ` (not run: ${missing})`

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-integration-'))
  made.push(folder)
  return folder
}

/** A folder for the PATH, with `semel` as it is built, and other programs by name. */
export function programs(others: Readonly<Record<string, string>> = {}): string {
  const folder = newFolder()
  // A copy, so that another build does not take it away in the middle of a test.
  cpSync(path.dirname(program), path.join(folder, 'cli'), { recursive: true })
  const copy = path.join(folder, 'cli/main.js')
  const all = { semel: `${process.execPath}" "${copy}`, ...others }
  for (const [name, target] of Object.entries(all)) {
    const file = path.join(folder, name)
    writeFileSync(file, `#!/bin/sh\nexec "${target}" "$@"\n`)
    chmodSync(file, 0o755)
  }
  return folder
}

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a program as its caller does: with nothing of this machine's environment. */
export async function run(
  file: string,
  args: readonly string[],
  { cwd = root, env = {}, path: own }: RunOptions,
): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, {
      cwd,
      env: { PATH: `${own}:/usr/bin:/bin`, HOME: own, KUBECONFIG: '/nonexistent', ...env },
      maxBuffer: 1 << 28,
      timeout: 50_000,
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string }
    return { code: typeof code === 'number' ? code : 1, out: stdout ?? '', err: stderr ?? '' }
  }
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** The first folder of the PATH. */
  readonly path: string
}

/** Names of the Jobs in a stream, in order. */
export function jobNames(stream: string): readonly string[] {
  return stream.split(/^---.*$/m).flatMap((document) => {
    if (!/^kind: Job$/m.test(document)) return []
    return /^ {2}name: (\S+)/m.exec(document)?.[1] ?? []
  })
}
