import { chmodSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, job, semel, type Answer } from './cli.ts'

/** `good.yaml` has one finding that must be there whatever the other file holds. */
const good = job('good').replace(/@sha256:5+/, ':latest')

async function beside(
  files: Readonly<Record<string, string | Uint8Array>>,
  args = 'lint -o compact --engine kubectl',
): Promise<Answer> {
  return semel(args, { cwd: folder({ 'good.yaml': good, ...files }) })
}

const isJudged = expect.stringContaining('good.yaml:14:18: warning mutable-tag')

describe('bad input', () => {
  const deep = `kind: Job\napiVersion: batch/v1\na: ${'['.repeat(3000)}${']'.repeat(3000)}\n`
  const bomb = `kind: Job
apiVersion: batch/v1
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: [*f, *f, *f, *f, *f, *f, *f, *f, *f]
`
  it.each<[string, string | Uint8Array, string, RegExp]>([
    [
      'YAML that is none',
      'kind: Job\napiVersion: batch/v1\na: [1\n',
      'YAML_INVALID',
      /bad\.yaml:\d+:\d+/,
    ],
    ['a tab as indentation', 'kind: Job\nspec:\n\ta: 1\n', 'YAML_INVALID', /bad\.yaml:3:1/],
    [
      'text behind the separator',
      '--- x\nkind: Job\napiVersion: batch/v1\n',
      'YAML_SEPARATOR',
      /bad\.yaml:1:5/,
    ],
    ['nesting without end', deep, 'YAML_TOO_DEEP', /bad\.yaml:\d+:\d+/],
    ['an alias bomb', bomb, 'YAML_ALIAS_BOMB', /bad\.yaml:\d+:\d+/],
    [
      'a number without JSON form',
      'kind: Job\napiVersion: batch/v1\na: .inf\n',
      'YAML_NO_JSON_FORM',
      /bad\.yaml:3:4/,
    ],
    ['a zero byte', 'kind: Job\n\u0000', 'FILE_NOT_TEXT', /bad\.yaml:2:1/],
  ])('tells the position of %s and judges the rest', async (_case, text, code, at) => {
    const { code: exit, out, err } = await beside({ 'bad.yaml': text })
    expect(err).toContain(code)
    expect(err).toMatch(at)
    expect(out).toEqual(isJudged)
    expect(exit).toBe(2)
  })

  it('tells the position in JSON that is none', async () => {
    const { code, out, err } = await beside({
      'bad.json': '{"kind": "Job", "apiVersion": "batch/v1",\n "a": ]}',
    })
    expect(err).toMatch(/(?:JSON|YAML)_INVALID {2}bad\.json:2:7/)
    expect(out).toEqual(isJudged)
    expect(code).toBe(2)
  })

  it('refuses a file beyond the limit and judges the rest', async () => {
    const { code, out, err } = await beside(
      { 'bad.yaml': `${job('large')}# ${'x'.repeat(5000)}\n` },
      'lint -o compact --engine kubectl --max-file-size 4Ki',
    )
    expect(err).toContain('FILE_TOO_LARGE')
    expect(err.replaceAll(/\s+/g, ' ')).toContain('more than the limit of 4096 bytes')
    expect(out).toEqual(isJudged)
    expect(code).toBe(2)
  })

  it('says what a path that does not exist is, and judges the other', async () => {
    const { code, out, err } = await beside(
      {},
      'lint nowhere good.yaml -o compact --engine kubectl',
    )
    expect(err).toContain('nowhere does not exist')
    expect(out).toEqual(isJudged)
    expect(code).toBe(2)
  })

  const isRoot = process.getuid?.() === 0
  const unreadable = `names a file that cannot be read${isRoot ? ' (not run: root may read everything)' : ''}`
  it.skipIf(isRoot)(unreadable, async () => {
    const cwd = folder({ 'good.yaml': good, 'bad.yaml': job('bad') })
    chmodSync(path.join(cwd, 'bad.yaml'), 0)
    const { code, out, err } = await semel('lint -o compact --engine kubectl', { cwd })
    expect(err).toContain('PATH_UNREADABLE')
    expect(out).toEqual(isJudged)
    expect(code).toBe(2)
  })

  it('says that a link in a circle cannot be read', async () => {
    const cwd = folder({ 'good.yaml': good })
    symlinkSync('circle.yaml', path.join(cwd, 'circle.yaml'))
    const { code, err } = await semel('lint circle.yaml --engine kubectl', { cwd })
    expect(err).toContain('PATH_UNREADABLE')
    expect(err.replaceAll(/\s+/g, ' ')).toContain('its links lead in a circle')
    expect(code).toBe(2)
  })

  it('does not walk in circles', async () => {
    const cwd = folder({ 'apps/good.yaml': good })
    symlinkSync('..', path.join(cwd, 'apps/up'))
    symlinkSync('nowhere', path.join(cwd, 'apps/dead'))
    const { code, out } = await semel('lint -o json --engine kubectl', { cwd })
    const { findings, notes } = JSON.parse(out) as { findings: object[]; notes: { what: string }[] }
    expect(findings).toHaveLength(1)
    expect(notes.map(({ what }) => what)).toEqual([
      'the link leads to nothing and is left out',
      'the link leads back to a folder above it',
    ])
    expect(code).toBe(1)
  })

  it('reads streams of 10,000 documents', async () => {
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n---\n'
    const { code, out } = await beside({ 'many.yaml': config.repeat(9_999) + good })
    expect(out).toContain('2 Jobs in 10001 documents')
    expect(out).toContain('many.yaml:50009:18: warning mutable-tag')
    expect(code).toBe(1)
  })

  const utf16 = (text: string): Uint8Array =>
    new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))
  it.each<[string, string | Uint8Array]>([
    ['CRLF line ends', good.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${good}`],
    ['both', `\uFEFF${good.replaceAll('\n', '\r\n')}`],
    ['UTF-16', utf16(good)],
  ])('finds the same place in a file with %s', async (_case, content) => {
    const { code, out } = await beside({ 'other.yaml': content })
    expect(out).toContain('other.yaml:14:18: warning mutable-tag')
    expect(code).toBe(1)
  })

  it('is no success when there is nothing to judge', async () => {
    const { code, err } = await semel('lint', { cwd: folder({ 'readme.md': '# nothing' }) })
    expect(err).toContain('NO_INPUT')
    expect(code).toBe(2)
  })

  it('says in a plain sentence that no Job was found', async () => {
    const cwd = folder({ 'a.yaml': 'kind: ConfigMap\n---\nkind: Service\n' })
    const { code, out, err } = await semel('lint', { cwd })
    expect(err).toBe('No Job or CronJob was found in 2 documents.\n')
    expect(out).toContain('No findings: 0 Jobs')
    expect(code).toBe(0)
  })

  it('expects a Job where there is a semel.yaml', async () => {
    const cwd = folder({ 'a.yaml': 'kind: ConfigMap\n', 'semel.yaml': 'version: 1\n' })
    const { code, err } = await semel('lint', { cwd })
    expect(err).toContain('NO_JOBS')
    expect(code).toBe(2)
    expect((await semel('lint --allow-empty', { cwd })).code).toBe(0)
  })

  it('reads the standard input', async () => {
    const { code, out } = await semel('lint - -o compact --engine kubectl', {
      cwd: folder(),
      stdin: good,
    })
    expect(out).toContain('<stdin>:14:18: warning mutable-tag')
    expect(code).toBe(1)
  })

  it.each(['', '# nothing\n', '---\n'])(
    'takes the empty stream "%s" for a failure',
    async (stdin) => {
      const { code, err } = await semel('lint -', { cwd: folder(), stdin })
      expect(err).toContain('the standard input is empty')
      expect(code).toBe(2)
      expect((await semel('lint - --allow-empty', { cwd: folder(), stdin })).code).toBe(0)
    },
  )

  it('reads a named file whatever it is called, and one that git ignores', async () => {
    const cwd = folder({ '.git/HEAD': '', '.gitignore': '*.txt\n', 'job.txt': good })
    const { out } = await semel('lint job.txt -o compact --engine kubectl', { cwd })
    expect(out).toContain('job.txt:14:18: warning')
  })

  it('keeps control characters of file names and values away from the terminal', async () => {
    const cwd = folder({ 'a\u001b[31m.yaml': good })
    const { out } = await semel('lint -o compact --engine kubectl', { cwd })
    expect(out).toContain('a\\u001b[31m.yaml:14:18')
    expect(out).not.toContain('\u001b')
  })
})
