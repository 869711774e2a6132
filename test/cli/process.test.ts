import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/cli/version.ts'
import { folder, job, root } from './cli.ts'

const main = path.join(root, 'dist/cli/main.js')

/** CI colours everything; what is compared here must be plain. */
const { FORCE_COLOR: _forced, ...env } = process.env
const isBuilt = existsSync(main)
const reason = isBuilt ? '' : ' (not run: dist is not built, `npm test` builds it)'

describe.skipIf(!isBuilt)(`the built program${reason}`, () => {
  const run = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [main, ...args], { cwd: root, env, input, encoding: 'utf8' })

  it.each(['--version', '-V'])('answers %s', (flag) => {
    expect(run([flag])).toMatchObject({ status: 0, stdout: `${VERSION}\n`, stderr: '' })
  })

  it.each<[number, readonly string[]]>([
    [0, ['lint', 'fixtures/ttl-contract']],
    [1, ['lint', 'examples/shop']],
    [2, ['lint', 'nowhere']],
    [2, ['lint', '--nonsense']],
    [0, ['--help']],
  ])('ends with %i for %j', (code, args) => {
    expect(run(args).status).toBe(code)
  })

  it('colours nothing in a pipe, also in CI', () => {
    const options = { cwd: root, env: { ...env, CI: 'true' }, encoding: 'utf8' } as const
    const { stdout } = spawnSync(process.execPath, [main, 'check', 'examples/shop'], options)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('ttl-causes-rerun')
  })

  it('reads a pipe', () => {
    const { status, stdout } = run(['lint', '-', '-o', 'compact'], 'kind: ConfigMap\n')
    expect(stdout).toContain('No findings: 0 Jobs in 1 document')
    expect(status).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('is quiet when its reader goes away', () => {
    const command = `"${process.execPath}" "${main}" lint examples/shop -o json | head -c 10`
    const options = { cwd: root, env, encoding: 'utf8', stdio: 'pipe' } as const
    expect(execFileSync('sh', ['-c', `${command} 2>&1`], options)).toBe('{\n  "forma')
  })

  it.skipIf(process.platform === 'win32')('watches until Ctrl-C, and ends clean', async () => {
    const cwd = folder({ 'a.yaml': job('a') })
    const args = [main, 'lint', '--watch', '--engine', 'kubectl']
    const child = spawn(process.execPath, args, { cwd, env })
    const said = { out: '', err: '' }
    const until = (ready: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (ready()) resolve()
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        look()
      })
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
    await until(() => said.err.includes('Waiting for changes'))
    writeFileSync(path.join(cwd, 'a.yaml'), job('a').replace(/@sha256:5+/, ':latest'))
    await until(() => said.out.includes('1 warning in'))
    child.kill('SIGINT')
    const [code, signal] = await once(child, 'close')
    expect({ code, signal, err: said.err }).toEqual({
      code: 1,
      signal: null,
      err: 'Waiting for changes; Ctrl-C ends it.\n',
    })
    expect(said.out).toContain('a.yaml:14:18  warning  mutable-tag')
  })

  it('finds its pages', () => {
    expect(run(['explain', 'ttl-causes-rerun']).stdout).toMatch(/^# ttl-causes-rerun\n\n/)
  })
})
