import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Sees to it that processes end when this one does, in whatever way. A process of its own does
 * that (keeper.mjs), because a killed one can do nothing any more.
 */
export class Keeper {
  readonly #process: ChildProcess

  constructor() {
    const script = fileURLToPath(new URL('keeper.mjs', import.meta.url))
    this.#process = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'] })
    this.#process.on('error', () => {})
    this.#process.stdin?.on('error', () => {})
  }

  keep(child: ChildProcess): void {
    if (child.pid === undefined) return
    this.#process.stdin?.write(`${child.pid}\n`)
    child.on('exit', () => this.#process.stdin?.write(`-${child.pid}\n`))
  }

  /** Ends what is still kept. */
  async close(): Promise<void> {
    this.#process.stdin?.end()
    await new Promise<void>((resolve) => {
      if (this.#process.pid === undefined || this.#process.exitCode !== null) resolve()
      else this.#process.once('exit', () => resolve())
    })
  }
}
