import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Keeper } from './keeper.ts'
import { goEnvironment, goProblem, goVersion } from '../../../scripts/go.mjs'

const PROGRESS_MS = 20_000
const TAIL_LINES = 15

/** `go build`, with a line of progress every 20 s. Fails with the last lines that Go wrote. */
export async function goBuild(build: GoBuild): Promise<void> {
  const flags = ['-v', '-trimpath', `-ldflags=${['-s', '-w', ...(build.linker ?? [])].join(' ')}`]
  await go(build.module, ['build', ...flags, '-o', build.output, ...build.packages], build)
}

export interface GoBuild {
  /** Names the program in what is said. */
  readonly name: string
  /** Folder with go.mod. */
  readonly module: string
  readonly packages: readonly string[]
  /** A file, or a folder (with a slash at its end) for several programs. */
  readonly output: string
  readonly linker?: readonly string[]
  readonly say: (line: string) => void
}

/** Runs Go in a module's folder and returns what it wrote to stdout. */
export function go(
  folder: string,
  args: readonly string[],
  { name, say }: Pick<GoBuild, 'name' | 'say'>,
): Promise<string> {
  const version = goVersion()
  const problem = goProblem(version)
  if (version === undefined || problem !== undefined) {
    return Promise.reject(new Error(`${name} cannot be built: ${problem}`))
  }
  const env = { ...process.env, ...goEnvironment(version) }
  const startedAt = performance.now()
  const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd: folder, env })
    const keeper = new Keeper()
    keeper.keep(child)
    const lines: string[] = []
    const out: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    createInterface(child.stderr).on('line', (line) => lines.push(line))
    const ticker = setInterval(() => {
      say(`building ${name}: ${lines.length} packages compiled, ${seconds()}`)
    }, PROGRESS_MS)
    const stop = (): void => {
      clearInterval(ticker)
      void keeper.close()
    }
    child.on('error', (error) => {
      stop()
      reject(new Error(`go could not be started: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      stop()
      if (code === 0) return resolve(Buffer.concat(out).toString('utf8'))
      const how = signal === null ? `code ${code}` : signal
      const tail = lines.slice(-TAIL_LINES).join('\n')
      reject(
        new Error(
          `${name}: \`go ${args[0]}\` in ${folder} ended with ${how} after ${seconds()}:\n${tail}`,
        ),
      )
    })
  })
}
