import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyOf, folder, job, semel } from './cli.ts'

const read = (cwd: string, name = 'semel.yaml'): string =>
  readFileSync(path.join(cwd, name), 'utf8')

/** Takes the proposals for what they are. */
const agreed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^# (?=(?:scopes|rules|ignore|ttlContract):| {2})/, ''))
    .join('\n')
    .replaceAll('reason: # why this Job is an exception', 'reason: it was so')

describe('semel init', () => {
  it('writes a file that changes nothing, with proposals that can be taken as they are', async () => {
    const cwd = copyOf('fixtures/ttl-contract')
    const made = await semel('init --force', { cwd })
    expect(made.code).toBe(0)
    expect(made.out).toContain('Wrote semel.yaml after a look at 37 Jobs.')
    expect((await semel('lint', { cwd })).code).toBe(0)
    const proposal = read(cwd)
    expect(proposal).toContain('Flux applies 37.')
    expect(proposal).toContain('(29 of 37 have this one)')
    writeFileSync(path.join(cwd, 'semel.yaml'), agreed(proposal))
    const { code, err } = await semel('lint', { cwd })
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  it('proposes an engine where the repository tells none', async () => {
    const cwd = folder({ 'apps/a.yaml': job('a'), 'apps/b.yaml': job('b'), 'c.yaml': job('c') })
    await semel('init', { cwd })
    const text = read(cwd)
    expect(text).toContain('Found: 3 Jobs in 3 files. nothing here says what applies 3.')
    expect(text).toContain('#   - path: apps # 2 Jobs or CronJobs\n#     engine: kubectl')
    expect(text).toContain('#   - path: c.yaml # 1 Job or CronJob')
    writeFileSync(path.join(cwd, 'semel.yaml'), agreed(text))
    const { out } = await semel('check -o json', { cwd })
    expect(JSON.parse(out)).toMatchObject({ jobs: [{ engineIs: 'given' }, {}, {}], problems: [] })
  })

  it('quotes names that YAML would take for something else', async () => {
    const name = '"{{ .Release.Name }}"'
    const files = {
      'a: b.yaml': job(name, { spec: 'ttlSecondsAfterFinished: 60' }),
      'c.yaml': job('c', { spec: 'ttlSecondsAfterFinished: 7' }),
      'd.yaml': job('d', { spec: 'ttlSecondsAfterFinished: 7' }),
    }
    const cwd = folder(files)
    await semel('init', { cwd })
    expect(read(cwd)).toContain('#     - file: "a: b.yaml"\n#       job: "{{ .Release.Name }}"')
    writeFileSync(path.join(cwd, 'semel.yaml'), agreed(read(cwd)))
    expect((await semel('lint --engine kubectl -o compact', { cwd })).err).toBe('')
  })

  it('does not replace a file unless told to, even a broken one', async () => {
    const cwd = folder({ 'a.yaml': job('a'), 'semel.yaml': 'version: 7\n' })
    const refused = await semel('init', { cwd })
    expect(refused.err).toContain('semel.yaml exists already')
    expect(refused.code).toBe(2)
    expect(read(cwd)).toBe('version: 7\n')
    expect((await semel('init --force', { cwd })).code).toBe(0)
    expect(read(cwd)).toContain('version: 1\n')
  })

  it('writes into the folder that is named', async () => {
    const cwd = folder({ 'prod/apps/a.yaml': job('a') })
    const { out } = await semel('init prod', { cwd })
    expect(out).toContain('Wrote prod/semel.yaml')
    expect(read(cwd, 'prod/semel.yaml')).toContain('#   - path: apps #')
  })

  it.each([
    ['nowhere', 'PATH_NOT_FOUND'],
    ['.', 'NO_INPUT'],
  ])('refuses %s with %s', async (where, code) => {
    const answer = await semel(`init ${where}`, { cwd: folder() })
    expect(answer.err).toContain(code)
    expect(answer.code).toBe(2)
  })
})
