import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Keeper } from './keeper.ts'

const TAIL_LINES = 12

/**
 * Programs that belong together, with a folder for their files and logs. They end when this process
 * does, in whatever way.
 */
export class Programs {
  readonly folder: string
  readonly #children = new Map<string, ChildProcess>()
  readonly #keeper = new Keeper()
  #ending = false
  #failed = false

  constructor(label: string) {
    this.folder = mkdtempSync(path.join(tmpdir(), `semel-real-${label}-`))
  }

  run(file: string, args: readonly string[]): void {
    const name = path.basename(file)
    const log = openSync(this.#log(name), 'w')
    const child = spawn(file, args, { cwd: this.folder, stdio: ['ignore', log, log] })
    closeSync(log)
    this.#children.set(name, child)
    child.on('error', (error) => writeFileSync(this.#log(name), error.message))
    this.#keeper.keep(child)
  }

  pids(): readonly number[] {
    return [...this.#children.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  problem(): string | undefined {
    if (this.#ending) return undefined
    for (const [name, child] of this.#children) {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) continue
      this.#failed = true
      const how = child.signalCode ?? `code ${child.exitCode}`
      return `${name} ended with ${how} (${this.#log(name)}):\n${this.tail(name)}`
    }
    return undefined
  }

  tail(name: string): string {
    this.#failed = true
    return readFileSync(this.#log(name), 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  }

  /** Ends exactly what was started. None needs an orderly end: its data goes with the folder. */
  async endAll(): Promise<void> {
    this.#ending = true
    await Promise.all([...this.#children.values()].map(ended))
    await this.#keeper.close()
  }

  /** Logs of a failure stay, unless it is no matter. */
  removeFolder({ evenIfFailed }: { readonly evenIfFailed: boolean }): void {
    const keep = this.#failed || process.env['SEMEL_REAL_KEEP'] !== undefined
    if (!keep || evenIfFailed) rmSync(this.folder, { recursive: true, force: true })
  }

  #log(name: string): string {
    return path.join(this.folder, `${name}.log`)
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Ports of loopback that nobody listens on at this moment. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.on('error', reject)
          server.listen(0, '127.0.0.1', () => {
            const address = server.address()
            resolve(typeof address === 'object' && address !== null ? address.port : 0)
          })
        }),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
