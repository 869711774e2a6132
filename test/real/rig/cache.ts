import { mkdir, mkdtemp, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'

const POLL_MS = 500
const BEAT_MS = 10_000
const DEAD_AFTER_MS = 60_000

/**
 * A folder of the cache under `key`, made by `make` when it is not there. It appears complete or
 * not at all, and one process makes it while others wait.
 */
export async function cached(
  key: string,
  make: (folder: string) => Promise<void>,
  say: (line: string) => void,
): Promise<string> {
  const root = process.env['SEMEL_REAL_CACHE'] ?? path.join(homedir(), '.cache', 'semel-real')
  const target = path.join(root, key)
  if (await exists(target)) return target
  await mkdir(root, { recursive: true })
  const unlock = await lock(`${target}.lock`, say)
  try {
    if (await exists(target)) return target
    const fresh = await mkdtemp(`${target}.partial-`)
    try {
      await make(fresh)
      await rename(fresh, target)
    } finally {
      await rm(fresh, { recursive: true, force: true })
    }
    return target
  } finally {
    await unlock()
  }
}

/**
 * The holder touches the file again and again, so a lock whose holder died is taken over. Should
 * two take it at the same instant, both build: slower, not wrong.
 */
async function lock(file: string, say: (line: string) => void): Promise<() => Promise<void>> {
  for (let waited = false; ; waited = true) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(String(process.pid))
      await handle.close()
      const beat = setInterval(() => {
        const now = new Date()
        utimes(file, now, now).catch(() => {})
      }, BEAT_MS)
      return async () => {
        clearInterval(beat)
        await rm(file, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (!waited) say(`waiting for process ${await holder(file)}, which builds the same (${file})`)
    if (await isAbandoned(file)) await rm(file, { force: true })
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function holder(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return 'unknown'
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > DEAD_AFTER_MS) return true
    const pid = Number(await readFile(file, 'utf8'))
    return pid > 0 && !isAlive(pid)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function exists(target: string): Promise<boolean> {
  try {
    await stat(target)
    return true
  } catch {
    return false
  }
}
