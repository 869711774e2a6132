import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/cli/version.ts'
import { root } from './cli.ts'

const main = path.join(root, 'dist/cli/main.js')

/** `npm test` builds before it tests; `npm run unit` alone may find nothing to run. */
describe.skipIf(!existsSync(main))('the built program', () => {
  const run = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [main, ...args], { cwd: root, input, encoding: 'utf8' })

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

  it('reads a pipe', () => {
    const { status, stdout } = run(['lint', '-', '-o', 'compact'], 'kind: ConfigMap\n')
    expect(stdout).toContain('No findings: 0 Jobs in 1 document')
    expect(status).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('is quiet when its reader goes away', () => {
    const command = `"${process.execPath}" "${main}" lint examples/shop -o json | head -c 10`
    const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const
    expect(execFileSync('sh', ['-c', `${command} 2>&1`], options)).toBe('{\n  "forma')
  })

  it('finds its pages', () => {
    expect(run(['explain', 'ttl-causes-rerun']).stdout).toMatch(/^# ttl-causes-rerun\n\n/)
  })
})
