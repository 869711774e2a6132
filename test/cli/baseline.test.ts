import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { baselineJsonSchema } from '../../src/cli/baseline/schema.ts'
import { identityFingerprint } from '../../src/lint/baseline.ts'
import { folder, job, root, semel } from './cli.ts'

const FILE = 'semel-baseline.json'
const moving = (name: string, tag = 'latest'): string => job(name).replace(/@sha256:5+/, `:${tag}`)
const lint = 'lint --engine kubectl'

const write = (cwd: string, more: readonly string[] = []) =>
  semel(['lint', '--engine', 'kubectl', '--write-baseline', '--reason', 'from before', ...more], {
    cwd,
  })
const look = (cwd: string, more = '') => semel(`${lint} --baseline ${FILE} ${more}`, { cwd })
const put = (cwd: string, name: string, text: string): void =>
  writeFileSync(path.join(cwd, name), text)
const entries = (cwd: string, file = FILE): Record<string, string>[] =>
  JSON.parse(readFileSync(path.join(cwd, file), 'utf8')).findings

describe('semel lint --write-baseline', () => {
  it('writes what there is, in an order of its own, and the run is clean from then on', async () => {
    const cwd = folder({ 'b.yaml': moving('two'), 'a.yaml': moving('one') })
    const { code, out, err } = await write(cwd)
    expect(err).toBe(`Wrote ${FILE}: 2 findings, 2 added, 0 taken out.\n`)
    expect(out).toBe('No findings: 2 Jobs in 2 documents, 2 files; 2 in the baseline\n')
    expect(code).toBe(0)
    expect(entries(cwd)).toEqual([
      {
        file: 'a.yaml',
        rule: 'mutable-tag',
        object: 'Job.batch shop/one',
        pointer: '/spec/template/spec/containers/run/image',
        value: '"registry.example.test/shop/run:latest"',
        reason: 'from before',
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      expect.objectContaining({ file: 'b.yaml', object: 'Job.batch shop/two' }),
    ])
    expect(await look(cwd)).toMatchObject({ code: 0, err: '' })
  })

  it('gives the same bytes for the same findings', async () => {
    const cwd = folder({ 'b.yaml': moving('two'), 'a.yaml': moving('one') })
    await write(cwd)
    const first = readFileSync(path.join(cwd, FILE))
    await write(cwd)
    expect(readFileSync(path.join(cwd, FILE)).equals(first)).toBe(true)
  })

  it('asks for a reason when it adds anything, and for none when it only shrinks', async () => {
    const cwd = folder({ 'a.yaml': moving('one'), 'b.yaml': moving('two') })
    const without = await semel(`${lint} --write-baseline`, { cwd })
    expect(without.err).toContain('2 findings would be written down without a reason')
    expect(without.code).toBe(2)
    expect(existsSync(path.join(cwd, FILE))).toBe(false)
    await write(cwd)
    put(cwd, 'b.yaml', job('two'))
    const shrunk = await semel(`${lint} --write-baseline`, { cwd })
    expect(shrunk.err).toBe(`Wrote ${FILE}: 1 finding, 0 added, 1 taken out.\n`)
    expect(entries(cwd)).toHaveLength(1)
  })

  it('refuses to grow unless somebody accepts what is new', async () => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    const before = readFileSync(path.join(cwd, FILE), 'utf8')
    put(cwd, 'b.yaml', moving('two'))
    const refused = await write(cwd)
    expect(refused.err).toContain('BASELINE_GROWS')
    expect(refused.err.replaceAll(/\s+/g, ' ')).toContain('for example mutable-tag on Job shop/two')
    expect(refused.out).toContain('mutable-tag')
    expect(refused.code).toBe(2)
    expect(readFileSync(path.join(cwd, FILE), 'utf8')).toBe(before)
    const accepted = await write(cwd, ['--accept-new'])
    expect(accepted.code).toBe(0)
    expect(entries(cwd).map(({ reason }) => reason)).toEqual(['from before', 'from before'])
  })

  it('keeps the reasons of what was there', async () => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    put(cwd, 'b.yaml', moving('two'))
    const args = ['lint', '--engine', 'kubectl', '--write-baseline', '--accept-new']
    await semel([...args, '--reason', ' because '], { cwd })
    expect(entries(cwd).map(({ reason }) => reason)).toEqual(['from before', 'because'])
  })

  it('lets a fix and a new fault not cancel out', async () => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    put(cwd, 'a.yaml', job('one'))
    put(cwd, 'b.yaml', moving('two'))
    const { code, out, err } = await look(cwd)
    expect(out).toContain('b.yaml')
    expect(err).toContain('BASELINE_STALE')
    expect(code).toBe(2)
  })

  it('leaves the entries alone that this run has not looked at', async () => {
    const cwd = folder({ 'a/one.yaml': moving('one'), 'b/two.yaml': moving('two') })
    await write(cwd)
    put(cwd, 'a/one.yaml', job('one'))
    expect((await look(cwd, 'b')).code).toBe(0)
    await semel(`${lint} --write-baseline b`, { cwd })
    expect(entries(cwd)).toHaveLength(2)
    await semel(`${lint} --write-baseline a`, { cwd })
    expect(entries(cwd)).toMatchObject([{ file: 'b/two.yaml' }])
  })
})

describe('semel lint --baseline', () => {
  it.each<[string, (cwd: string) => void]>([
    ['its lines move', (cwd) => put(cwd, 'a.yaml', `# one\n# two\n${moving('one')}`)],
    ['its file moves', (cwd) => renameSync(path.join(cwd, 'a.yaml'), path.join(cwd, 'z.yaml'))],
    [
      'its name gets a hash',
      (cwd) => put(cwd, 'a.yaml', moving('one').replace('name: one', 'name: one-1f2e3d4c')),
    ],
    [
      'a container is put before it',
      (cwd) => {
        const first = `        - name: first\n          image: registry.example.test/a@sha256:${'1'.repeat(64)}\n        - name: run`
        put(cwd, 'a.yaml', moving('one').replace('        - name: run', first))
      },
    ],
    [
      'another field changes',
      (cwd) => put(cwd, 'a.yaml', moving('one').replace('Seconds: 600', 'Seconds: 60')),
    ],
  ])('knows a finding again when %s', async (_case, change) => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    change(cwd)
    expect(await look(cwd)).toMatchObject({ code: 0, err: '' })
  })

  it.each<[string, (text: string) => string]>([
    ['the value', (text) => text.replace(':latest', ':main')],
    ['the object', (text) => text.replace('name: one', 'name: two')],
    ['the namespace', (text) => text.replace('namespace: shop', 'namespace: bank')],
    ['the field', (text) => text.replace('- name: run', '- name: other')],
  ])('takes another one for new when %s is another', async (_case, change) => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    put(cwd, 'a.yaml', change(moving('one')))
    const { code, out, err } = await look(cwd)
    expect(out).toContain('1 warning')
    expect(err).toContain('BASELINE_STALE')
    expect(code).toBe(2)
  })

  it('names what it no longer finds, with the way out', async () => {
    const cwd = folder({ 'a.yaml': moving('one'), 'b.yaml': job('two') })
    await write(cwd)
    rmSync(path.join(cwd, 'a.yaml'))
    const { code, err } = await look(cwd)
    const words = err.replaceAll(/\s+/g, ' ')
    expect(words).toContain(`problem BASELINE_STALE ${FILE}:11:22`)
    expect(words).toContain('the entry of mutable-tag on Job.batch shop/one matches no finding')
    expect(words).toContain(`semel lint --baseline ${FILE} --write-baseline`)
    expect(code).toBe(2)
    await semel(`${lint} --baseline ${FILE} --write-baseline`, { cwd })
    expect(entries(cwd)).toEqual([])
    expect((await look(cwd)).code).toBe(0)
  })

  it('says nothing about entries whose rule is off, or whose file cannot be read', async () => {
    const cwd = folder({ 'a.yaml': moving('one'), 'b.yaml': job('two') })
    await write(cwd)
    put(cwd, 'semel.yaml', 'version: 1\nrules: {mutable-tag: off}\n')
    expect(await look(cwd)).toMatchObject({ code: 0, err: '' })
    rmSync(path.join(cwd, 'semel.yaml'))
    put(cwd, 'a.yaml', `${moving('one')}\n  bad: [\n`)
    const { err } = await look(cwd)
    expect(err).toContain('YAML_INVALID')
    expect(err).not.toContain('BASELINE_STALE')
  })

  it('lets a suppression win, so that its entry goes', async () => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    put(cwd, 'a.yaml', `# semel-ignore mutable-tag: nightly\n${moving('one')}`)
    expect((await look(cwd)).err).toContain('BASELINE_STALE')
  })

  it('starts its paths at its own folder', async () => {
    const dropped = `${job('one')}...\nkind: Job\nthis: is lost\n`
    const cwd = folder({ 'deploy/a.yaml': dropped })
    await write(cwd, ['--baseline', 'ci/known.json', 'deploy'])
    expect(entries(cwd, 'ci/known.json')).toMatchObject([
      { rule: 'dropped-text', file: '../deploy/a.yaml', object: 'Job.batch shop/one' },
    ])
    const inside = path.join(cwd, 'deploy')
    const again = await semel(`${lint} --baseline ../ci/known.json`, { cwd: inside })
    expect(again).toMatchObject({ code: 0, err: '' })
  })

  it('is counted, and listed for machines', async () => {
    const cwd = folder({ 'a.yaml': moving('one') })
    await write(cwd)
    const json = JSON.parse((await look(cwd, '-o json')).out)
    expect(json.summary.known).toBe(1)
    expect(json.known).toMatchObject([{ rule: 'mutable-tag', baseline: { reason: 'from before' } }])
    const sarif = JSON.parse((await look(cwd, '-o sarif')).out)
    expect(sarif.runs[0].results[0].suppressions).toEqual([
      { kind: 'external', justification: 'from before' },
    ])
    expect((await look(cwd, '-o junit')).out).toContain(
      '<skipped message="in the baseline: from before"/>',
    )
  })
})

describe('a baseline that is none', () => {
  const good = {
    file: 'a.yaml',
    rule: 'mutable-tag',
    object: 'Job.batch shop/one',
    pointer: '',
    reason: 'why',
  }
  const entry = { ...good, fingerprint: identityFingerprint(good) }
  const file = (findings: readonly object[], more = {}): string =>
    JSON.stringify({ format: 'semel.dev/baseline/v1', findings, ...more })

  it.each<[string, string, string]>([
    ['no JSON', 'version: 1\n', 'is no JSON'],
    ['broken JSON', '{"format": ', 'is no JSON'],
    ['another format', file([], { format: 'x' }), 'format: Invalid input'],
    ['a key too much', file([], { version: 1 }), 'a baseline has no key version'],
    [
      'an entry without a reason',
      file([{ ...entry, reason: ' ' }]),
      'findings[0].reason does not say why',
    ],
    [
      'an entry with another fingerprint',
      file([{ ...entry, rule: 'no-deadline' }]),
      'is not the one that semel wrote',
    ],
    ['an entry twice', file([entry, entry]), 'stands twice'],
    [
      'a fingerprint that is none',
      file([{ ...entry, fingerprint: 'x' }]),
      'findings[0].fingerprint',
    ],
  ])('is refused: %s', async (_case, text, words) => {
    const cwd = folder({ 'a.yaml': moving('one'), [FILE]: text })
    const { code, out, err } = await look(cwd)
    expect(err.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(err).toContain('BASELINE_INVALID')
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('is a fault when it does not exist, with the way to write it', async () => {
    const { code, err } = await look(folder({ 'a.yaml': moving('one') }))
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      `semel lint --baseline ${FILE} --write-baseline --reason`,
    )
    expect(code).toBe(2)
  })

  it('has a JSON Schema for editors, which is as it should be', () => {
    const schema = path.join(root, 'schema/semel-baseline.schema.json')
    if (process.env['UPDATE'] === '1') writeFileSync(schema, baselineJsonSchema())
    expect(readFileSync(schema, 'utf8')).toBe(baselineJsonSchema())
  })
})
