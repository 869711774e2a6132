import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cached } from './rig/cache.ts'
import { startControlPlane } from './rig/control-plane.ts'
import { goBuild } from './rig/go.ts'
import { real } from './rig/real.ts'

/** What the rig promises when something goes wrong. */
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'semel-rig-'))
  vi.stubEnv('SEMEL_REAL_CACHE', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const silent = (): void => {}

describe('the cache of binaries', () => {
  const write = (into: string): Promise<void> =>
    Promise.resolve(writeFileSync(path.join(into, 'binary'), 'x'))

  it('makes a folder once, however many ask at the same time', async () => {
    const make = vi.fn(write)
    const folders = await Promise.all([1, 2, 3].map(() => cached('key', make, silent)))
    expect(make).toHaveBeenCalledTimes(1)
    expect(new Set(folders)).toEqual(new Set([path.join(folder, 'key')]))
    expect(readdirSync(folder)).toEqual(['key'])
  })

  it('leaves nothing behind when it cannot be made, and tries again', async () => {
    const fail = (into: string): Promise<void> =>
      write(into).then(() => Promise.reject(new Error('no compiler')))
    await expect(cached('key', fail, silent)).rejects.toThrow('no compiler')
    expect(readdirSync(folder)).toEqual([])
    expect(existsSync(path.join(await cached('key', write, silent), 'binary'))).toBe(true)
  })

  it('takes over from a process that has died, and says whom it waits for', async () => {
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'exit')
    writeFileSync(path.join(folder, 'key.lock'), String(dead.pid))
    const said: string[] = []
    await cached('key', write, (line) => said.push(line))
    expect(said).toEqual([expect.stringContaining(`waiting for process ${dead.pid},`)])
  })
})

describe('a build', () => {
  it('that fails says what the compiler said', async () => {
    const module = path.join(folder, 'module')
    mkdirSync(module)
    writeFileSync(path.join(module, 'go.mod'), 'module example.test/broken\n\ngo 1.26.0\n')
    writeFileSync(path.join(module, 'main.go'), 'package main\n\nfunc main() { nothing() }\n')
    const output = path.join(folder, 'out')
    const build = goBuild({ name: 'broken', module, packages: ['.'], output, say: silent })
    await expect(build).rejects.toThrow(
      /^broken: `go build` in .* ended with code 1 after \d+ s:\n[^]*undefined: nothing/,
    )
  })
})

describe('a control plane', () => {
  it('that does not start says why, from its log', async () => {
    const settings = { label: 'broken', apiServerArgs: ['--no-such-flag'] }
    const starting = startControlPlane(real().binaries, settings)
    const failure = await starting.then(() => 'started', String)
    expect(failure).toMatch(/kube-apiserver ended with code 1 \(.*kube-apiserver\.log\):/)
    expect(failure).toContain('unknown flag: --no-such-flag')
    const log = /\((\S+\.log)\)/.exec(failure)?.[1] ?? ''
    rmSync(path.dirname(log), { recursive: true })
  })

  it('without controllers stores and does nothing', async () => {
    const settings = { label: 'quiet', controllerManager: false }
    const plane = await startControlPlane(real().binaries, settings)
    try {
      expect(plane.pids).toHaveLength(2)
      const { body } = await plane.client.request('GET', '/version')
      expect(body['gitVersion']).toBe(`v${plane.version}`)
    } finally {
      await plane.stop()
    }
    expect(existsSync(plane.folder)).toBe(false)
    expect(plane.pids.filter(isAlive)).toEqual([])
  })
})

describe('the keeper', () => {
  it('ends what it keeps when its parent is gone, but nothing that has ended before', async () => {
    const script = fileURLToPath(new URL('rig/keeper.mjs', import.meta.url))
    const keeper = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'] })
    const [kept, released] = [waiting(), waiting()]
    keeper.stdin.write(`${kept.pid}\n${released.pid}\n-${released.pid}\n`)
    const ended = Promise.all([once(kept, 'exit'), once(keeper, 'exit')])
    keeper.stdin.end()
    expect(await ended).toEqual([
      [null, 'SIGKILL'],
      [0, null],
    ])
    expect(released.exitCode).toBeNull()
    expect(isAlive(released.pid ?? 0)).toBe(true)
    released.kill('SIGKILL')
  })
})

function waiting(): ChildProcess {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
