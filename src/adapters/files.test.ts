import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Fault } from '../core/faults.ts'
import { listFiles, shownName, type ListOptions } from './files.ts'
import { FileMemory, pathFault, readSource } from './read-source.ts'
import { sourceIgnore } from './gitignore.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function tree(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-files-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

function listed(cwd: string, options: Partial<ListOptions> = {}): readonly string[] {
  const { entries } = listFiles({ cwd, paths: ['.'], gitignore: true, ...options })
  return entries.map((entry) => entry.path)
}

describe('listing', () => {
  it('walks folders in the order of their names and names files as the user would', () => {
    const cwd = tree({ 'b.yaml': '', 'a/z.yaml': '', 'a/b/c.json': '', '.hidden/x.yaml': '' })
    expect(listed(cwd)).toEqual(['.hidden/x.yaml', 'a/b/c.json', 'a/z.yaml', 'b.yaml'])
    expect(listed(cwd, { paths: ['./a/'] })).toEqual(['a/b/c.json', 'a/z.yaml'])
    expect(listed(path.join(cwd, 'a'), { paths: ['..', 'b'] })).toEqual([
      '../.hidden/x.yaml',
      '../a/b/c.json',
      '../a/z.yaml',
      '../b.yaml',
    ])
    expect(listed('/', { paths: [path.join(cwd, 'a/b')] })).toEqual([`${cwd}/a/b/c.json`])
  })

  it('leaves out .git and node_modules, also without any list', () => {
    const cwd = tree({ '.git/config.yaml': '', 'node_modules/a/a.yaml': '', 'a.yaml': '' })
    expect(listed(cwd, { gitignore: false })).toEqual(['a.yaml'])
  })

  it('heeds lists above the named folder, but not for a folder that is ignored itself', () => {
    const cwd = tree({
      '.git/HEAD': '',
      '.gitignore': '*.tmp.yaml\nout/\n',
      'apps/a.yaml': '',
      'apps/b.tmp.yaml': '',
      'out/c.yaml': '',
    })
    expect(listed(cwd, { paths: ['apps'] })).toEqual(['apps/a.yaml'])
    expect(listed(cwd, { paths: ['apps/b.tmp.yaml'] })).toEqual(['apps/b.tmp.yaml'])
    expect(listed(cwd, { paths: ['out'] })).toEqual(['out/c.yaml'])
    expect(listed(cwd, { gitignore: false })).toHaveLength(4)
  })

  it('heeds lists outside of a working tree as well', () => {
    const cwd = tree({ '.gitignore': 'a.yaml', 'a.yaml': '', 'b.yaml': '' })
    expect(listed(cwd)).toEqual(['.gitignore', 'b.yaml'])
  })

  it('lists a file once, however often it is named', () => {
    const cwd = tree({ 'a/b.yaml': '' })
    expect(listed(cwd, { paths: ['a', '.', 'a/b.yaml'] })).toEqual(['a/b.yaml'])
  })

  it('leaves out what it is told to, with everything below', () => {
    const cwd = tree({ 'a/b/c.yaml': '', 'd.yaml': '' })
    const skip = (absolute: string): boolean => absolute.endsWith(`${path.sep}a`)
    expect(listed(cwd, { skip })).toEqual(['d.yaml'])
  })

  it('follows links inside the working tree, under both names', () => {
    const cwd = tree({ '.git/HEAD': '', 'base/job.yaml': '', 'prod/x.yaml': '' })
    symlinkSync('../base', path.join(cwd, 'prod/base'))
    symlinkSync('../base/job.yaml', path.join(cwd, 'prod/job.yaml'))
    expect(listed(cwd)).toEqual([
      'base/job.yaml',
      'prod/base/job.yaml',
      'prod/job.yaml',
      'prod/x.yaml',
    ])
    expect(listed(cwd, { paths: ['prod'] })).toHaveLength(3)
  })

  it('notes links that it does not follow', () => {
    const outside = tree({ 'secret.yaml': '' })
    const cwd = tree({ 'a/b.yaml': '' })
    symlinkSync(outside, path.join(cwd, 'a/out'))
    symlinkSync('..', path.join(cwd, 'a/up'))
    symlinkSync('.', path.join(cwd, 'a/self'))
    symlinkSync('nowhere', path.join(cwd, 'a/dead'))
    symlinkSync('me', path.join(cwd, 'a/me'))
    const { entries, notes, faults } = listFiles({ cwd, paths: ['.'], gitignore: true })
    expect(entries.map((entry) => entry.path)).toEqual(['a/b.yaml'])
    expect(notes).toEqual([
      { path: 'a/dead', what: 'the link leads to nothing and is left out' },
      { path: 'a/me', what: 'the link leads to nothing and is left out' },
      { path: 'a/out', what: 'the link leads out of the repository and is not followed' },
      { path: 'a/self', what: 'the link leads back to a folder above it' },
      { path: 'a/up', what: 'the link leads back to a folder above it' },
    ])
    expect(faults).toEqual([])
  })

  it('reports every path that does not exist', () => {
    const { faults } = listFiles({ cwd: tree({}), paths: ['x', 'y'], gitignore: true })
    expect(faults.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'PATH_NOT_FOUND x does not exist',
      'PATH_NOT_FOUND y does not exist',
    ])
  })

  it('ignores what git ignores, for lists at any depth', () => {
    const name = fc.constantFrom('a', 'b', 'c.yaml', 'd.yaml', 'e')
    const file = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
    const pattern = fc.constantFrom(
      'a',
      'a/',
      '/a',
      '*.yaml',
      '!c.yaml',
      'b/*',
      '!b/c.yaml',
      '**/e',
      'a/**',
      '/a/b',
      '# x',
    )
    const lists = fc.dictionary(
      fc.constantFrom('.gitignore', 'a/.gitignore', 'b/.gitignore', 'a/b/.gitignore'),
      fc.array(pattern, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`),
    )
    fc.assert(
      fc.property(fc.uniqueArray(file, { maxLength: 12 }), lists, (files, ignored) => {
        // A name cannot be a file and a folder at once.
        const plain = files.filter((one) => !files.some((other) => other.startsWith(`${one}/`)))
        const usable = Object.entries(ignored).filter(([list]) =>
          plain.every((one) => !list.startsWith(`${one}/`)),
        )
        const cwd = tree({
          ...Object.fromEntries(plain.map((one) => [one, ''])),
          ...Object.fromEntries(usable),
        })
        const git = (...args: string[]): string =>
          execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], { cwd }).toString()
        git('init', '--quiet')
        const known = git('ls-files', '--others', '--exclude-standard', '-z').split('\0')
        expect([...listed(cwd)].sort()).toEqual(known.filter((one) => one !== '').sort())
      }),
      { numRuns: 25 },
    )
  })
})

describe('names', () => {
  it.each([
    ['.', '.'],
    ['./', '.'],
    ['', '.'],
    ['./a', 'a'],
    ['a/', 'a'],
    ['a//b/./c', 'a/b/c'],
    ['../a', '../a'],
    ['/', '/'],
    ['/a/', '/a'],
    ['.a', '.a'],
  ])('"%s" is shown as %s', (named, shown) => {
    expect(shownName(named)).toBe(shown)
  })
})

describe('reading', () => {
  const at = (absolute: string) => ({ path: 'x', absolute, isNamed: false })

  it('reads the bytes as they are, up to the limit', () => {
    const cwd = tree({ a: '12345', empty: '' })
    expect(readSource(at(path.join(cwd, 'a')), 5).bytes.length).toBe(5)
    expect(readSource(at(path.join(cwd, 'empty')), 5).bytes.length).toBe(0)
    expect(() => readSource(at(path.join(cwd, 'a')), 4)).toThrow('more than the limit of 4 bytes')
  })

  it('gives the room of a file that is not kept to the next one', () => {
    const cwd = tree({ a: 'aaaa', b: 'bbbb', c: 'cccc', large: 'l'.repeat(1 << 20) })
    const memory = new FileMemory()
    const read = (name: string) => readSource(at(path.join(cwd, name)), 1 << 24, memory)
    const text = ({ bytes }: { bytes: Uint8Array }): string => new TextDecoder().decode(bytes)
    const kept = read('a')
    memory.keep(kept)
    const dropped = read('b')
    const next = read('c')
    expect(text(kept)).toBe('aaaa')
    expect(text(next)).toBe('cccc')
    expect(next.bytes.byteOffset).toBe(dropped.bytes.byteOffset)
    const large = read('large')
    memory.keep(large)
    expect(large.bytes.length).toBe(1 << 20)
    expect(read('b').bytes.byteOffset).toBe(dropped.bytes.byteOffset)
  })

  it.runIf(process.platform === 'linux')('reads files that tell no size', () => {
    expect(readSource(at('/proc/self/status'), 100_000).bytes.length).toBeGreaterThan(100)
    expect(() => readSource(at('/proc/self/status'), 100)).toThrow('more than the limit')
  })

  it.each([
    ['ENOENT', 'PATH_NOT_FOUND', 'nothing below it'],
    ['EACCES', 'PATH_UNREADABLE', 'no permission'],
    ['ELOOP', 'PATH_UNREADABLE', 'lead in a circle'],
    ['EISDIR', 'PATH_UNREADABLE', 'it is a folder'],
    ['EWHATEVER', 'PATH_UNREADABLE', 'the system answered EWHATEVER'],
  ])('translates %s', (code, expected, why) => {
    const fault = pathFault(Object.assign(new Error('x'), { code }), 'x')
    expect(fault).toBeInstanceOf(Fault)
    expect(fault.code).toBe(expected)
    expect(fault.why).toContain(why)
  })
})

describe('what Flux sources leave out', () => {
  it('are the files of .sourceignore, and those of CI systems', () => {
    const files = {
      '.sourceignore': '/docs\n!.gitlab-ci.yml\n',
      'apps/.sourceignore': 'drafts/\n',
      'docs/a.yaml': '',
      'apps/docs/a.yaml': '',
      'apps/drafts/a.yaml': '',
      'drafts/a.yaml': '',
      '.github/workflows/a.yaml': '',
      '.gitlab-ci.yml': '',
    }
    const ignores = sourceIgnore(tree(files), Object.keys(files))
    expect(Object.keys(files).filter((name) => ignores(name))).toEqual([
      'docs/a.yaml',
      'apps/drafts/a.yaml',
      '.github/workflows/a.yaml',
    ])
  })
})
