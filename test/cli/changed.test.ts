import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { changedSince } from '../../src/adapters/git.ts'
import { folder, job, semel } from './cli.ts'
import { gitEnv, Repo } from './git.ts'

const moving = (name: string): string => job(name).replace(/@sha256:5+/, ':latest')
const env = gitEnv()

async function found(repo: Repo, args: string): Promise<readonly string[]> {
  const { out, err } = await semel(`lint -o compact ${args}`, { cwd: repo.cwd, env })
  expect(err).toBe('')
  return out
    .split('\n')
    .filter((line) => /^\S+:\d+:\d+: /.test(line))
    .map((line) => line.replace(/:\d+:\d+: \w+ ([\w-]+):.*/, ' $1'))
}

const kubectl = '--engine kubectl'

describe('semel lint --changed', () => {
  it('leaves out what stands where nothing has changed, and says how much', async () => {
    const repo = Repo.with({ 'a.yaml': moving('a'), 'b.yaml': moving('b') })
    repo.put({ 'b.yaml': moving('b').replace('Seconds: 600', 'Seconds: 60') })
    expect(await found(repo, `${kubectl} --changed`)).toEqual(['b.yaml mutable-tag'])
    const { out, code } = await semel(`lint ${kubectl} --changed`, { cwd: repo.cwd, env })
    expect(out).toContain('1 where nothing has changed')
    expect(code).toBe(1)
    repo.commit({})
    const clean = await semel(`lint ${kubectl} --changed`, { cwd: repo.cwd, env })
    expect(clean.out).toContain('No findings')
    expect(clean.code).toBe(0)
  })

  it('counts the object, not the file', async () => {
    const repo = Repo.with({ 'a.yaml': `${moving('a')}---\n${moving('b')}---\n${moving('c')}` })
    const before = moving('b').replace('backoffLimit: 0', 'backoffLimit: 1')
    repo.put({ 'a.yaml': `${moving('a')}---\n${before}---\n${moving('c')}` })
    const { out } = await semel(`lint ${kubectl} --changed -o json`, { cwd: repo.cwd, env })
    const objects = JSON.parse(out).findings.map(({ object }: { object: string }) => object)
    expect(objects).toEqual(['Job shop/b'])
  })

  it('counts a line that was taken away', async () => {
    const repo = Repo.with({ 'a.yaml': `${job('a')}---\n${job('b')}` })
    const without = job('b').replace('  activeDeadlineSeconds: 600\n', '')
    repo.put({ 'a.yaml': `${job('a')}---\n${without.replace(/@sha256:5+/, ':dev')}` })
    expect(await found(repo, `${kubectl} --changed`)).toContain('a.yaml mutable-tag')
    repo.put({ 'a.yaml': `${moving('a')}---\n${moving('b')}` })
    repo.commit({})
    repo.put({ 'a.yaml': `${moving('a')}---\n${moving('b').replace('  backoffLimit: 0\n', '')}` })
    expect(await found(repo, `${kubectl} --changed`)).toHaveLength(1)
  })

  it('counts a Job whose carrier has changed', async () => {
    const carrier = (interval: string): string => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {interval: ${interval}, path: ./shop, prune: true, sourceRef: {kind: GitRepository, name: x}}
`
    const files = { 'shop/a.yaml': moving('a'), 'other/b.yaml': moving('b') }
    const repo = Repo.with({ ...files, 'flux.yaml': carrier('1h') })
    expect(await found(repo, '--changed')).toEqual([])
    repo.put({ 'flux.yaml': carrier('10m') })
    expect(await found(repo, '--changed')).toEqual(['shop/a.yaml mutable-tag'])
    repo.commit({})
    repo.put({ 'shop/kustomization.yaml': 'resources: [a.yaml]\n' })
    expect(await found(repo, '--changed')).toContain('shop/a.yaml mutable-tag')
  })

  it('counts new files, staged and unstaged changes, and files that were moved', async () => {
    const repo = Repo.with({ 'a.yaml': moving('a'), 'b.yaml': job('b'), 'c.yaml': job('c') })
    repo.put({ 'new.yaml': moving('new'), 'b.yaml': moving('b'), 'c.yaml': moving('c') })
    repo.git('add', 'b.yaml')
    renameSync(path.join(repo.cwd, 'a.yaml'), path.join(repo.cwd, 'moved.yaml'))
    repo.git('add', '--all', 'a.yaml', 'moved.yaml')
    expect(await found(repo, `${kubectl} --changed`)).toEqual(
      ['b', 'c', 'moved', 'new'].map((name) => `${name}.yaml mutable-tag`),
    )
    repo.put({ '.gitignore': 'new.yaml\n' })
    expect(await found(repo, `${kubectl} --changed`)).not.toContain('new.yaml mutable-tag')
  })

  it('lets --fix change only what has changed, also when lines move by it', async () => {
    const twice = (name: string): string =>
      job(name).replace('  backoffLimit: 0\n', '  backoffLimit: 3\n  backoffLimit: 0\n')
    const repo = Repo.with({ 'a.yaml': `${job('a')}---\n${twice('b')}` })
    const changed = twice('a').replace('  backoffLimit: 3\n', '  backoffLimit: 3\n'.repeat(4))
    repo.put({ 'a.yaml': `${changed}---\n${twice('b')}` })
    const { code } = await semel(`lint ${kubectl} --changed --fix`, { cwd: repo.cwd, env })
    expect(readFileSync(path.join(repo.cwd, 'a.yaml'), 'utf8')).toBe(
      `${job('a')}---\n${twice('b')}`,
    )
    expect(code).toBe(0)
  })

  it('counts everything before the first commit', async () => {
    const repo = new Repo()
    repo.git('init', '--quiet')
    repo.put({ 'a.yaml': moving('a') })
    repo.git('add', '--all')
    expect(await found(repo, `${kubectl} --changed`)).toEqual(['a.yaml mutable-tag'])
  })

  it('counts a suppression that went, wherever it stood in the document', async () => {
    const repo = Repo.with({ 'a.yaml': `# semel-ignore-file mutable-tag: nightly\n${moving('a')}` })
    repo.put({ 'a.yaml': moving('a') })
    expect(await found(repo, `${kubectl} --changed`)).toEqual(['a.yaml mutable-tag'])
  })

  it('works from a folder inside, on a part, and for any name', async () => {
    const names = ['ä b.yaml', 'quo"te.yaml', 'tab\there.yaml', '-dash.yaml']
    const files = Object.fromEntries(names.map((name) => [`deep/${name}`, job('x')]))
    const repo = Repo.with({ ...files, 'other/a.yaml': job('a') })
    repo.put(Object.fromEntries(names.map((name) => [`deep/${name}`, moving('x')])))
    repo.put({ 'other/a.yaml': moving('a') })
    const inside = new Repo(path.join(repo.cwd, 'deep'))
    const { out } = await semel(`lint ${kubectl} --changed -o json`, { cwd: inside.cwd, env })
    const paths = JSON.parse(out).findings.map((finding: { path: string }) => finding.path)
    expect(paths.toSorted()).toEqual(names.toSorted())
    expect(await found(repo, `${kubectl} --changed other`)).toEqual(['other/a.yaml mutable-tag'])
  })

  it('is not led astray by text that looks like a diff', async () => {
    const notes = ['++ b/a.yaml', '@@ -1,1 +1,1 @@', '+++ b/a.yaml'].join('\n')
    const repo = Repo.with({ 'a.yaml': moving('a'), 'notes.txt': 'one\n' })
    repo.put({ 'notes.txt': notes })
    expect(await found(repo, `${kubectl} --changed`)).toEqual([])
  })
})

describe('--since', () => {
  const branch = (): Repo => {
    const repo = Repo.with({ 'old.yaml': moving('old'), 'mine.yaml': job('mine') })
    repo.git('switch', '--quiet', '--create', 'topic')
    repo.commit({ 'mine.yaml': moving('mine') })
    repo.git('switch', '--quiet', 'main')
    repo.commit({ 'old.yaml': `# theirs\n${moving('old')}` })
    repo.git('switch', '--quiet', 'topic')
    return repo
  }

  it('compares with where the branch has left the revision', async () => {
    const repo = branch()
    for (const since of ['main', 'HEAD~1', repo.git('rev-parse', 'main').trim()]) {
      expect(await found(repo, `${kubectl} --changed --since ${since}`)).toEqual([
        'mine.yaml mutable-tag',
      ])
    }
  })

  it('alone leaves nothing out, and puts changed lines first', async () => {
    const files = Array.from({ length: 12 }, (_, at) => [`f${at + 10}.yaml`, moving('x')] as const)
    const repo = Repo.with({ ...Object.fromEntries(files), 'z.yaml': job('z') })
    repo.put({ 'z.yaml': moving('z') })
    const world = { cwd: repo.cwd, env }
    const { out } = await semel(`lint ${kubectl} -o github --since HEAD`, world)
    const shown = out.split('\n').filter((line) => line.startsWith('::warning'))
    expect(shown).toHaveLength(10)
    expect(shown[0]).toContain('file=z.yaml')
    const markdown = await semel(`lint ${kubectl} -o markdown --since HEAD`, world)
    expect(markdown.out).toContain('| `z.yaml:14` (changed) | warning |')
    expect(markdown.out.indexOf('z.yaml')).toBeLessThan(markdown.out.indexOf('f10.yaml'))
  })

  it('works in a shallow clone that has the revision, and says what it compared with', async () => {
    const clone = branch().clone('--depth=1', '--branch=topic', '--no-single-branch')
    const args = `lint ${kubectl} --changed --since origin/main -o json`
    const { out, code } = await semel(args, { cwd: clone.cwd, env })
    const report = JSON.parse(out)
    expect(report.findings.map(({ path: file }: { path: string }) => file)).toContain('mine.yaml')
    expect(report.notes[0].what).toContain('compared with origin/main itself')
    expect(code).toBe(1)
  })

  it.each<[string, (repo: Repo) => Repo, string, readonly string[]]>([
    [
      'a shallow clone without the revision',
      (repo) => repo.clone('--depth=1', '--branch=topic'),
      'origin/main',
      [
        'git knows no revision origin/main here',
        'this clone is shallow',
        'git fetch --depth=1 origin main:refs/remotes/origin/main',
      ],
    ],
    ['a revision that does not exist', (repo) => repo, 'mian', ['git knows no revision mian here']],
    [
      'a revision like an option',
      (repo) => repo,
      '--output=x',
      ['git knows no revision --output=x'],
    ],
    [
      'a folder without git',
      () => new Repo(folder({ 'a.yaml': job('a') })),
      'main',
      ['is no working tree of git'],
    ],
  ])('is a clear error in %s', async (_case, make, since, words) => {
    const { cwd } = make(branch())
    const args = ['lint', '--engine', 'kubectl', '--changed', `--since=${since}`]
    const { code, out, err } = await semel(args, { cwd, env })
    for (const word of words) expect(err.replaceAll(/\s+/g, ' ')).toContain(word)
    expect(err).toContain('GIT_UNUSABLE')
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('is a clear error without git, and when git itself fails', async () => {
    const repo = branch()
    const none = await semel('lint --since main', { cwd: repo.cwd, env: { PATH: folder() } })
    expect(none.err).toContain('there is no git on the PATH')
    const broken = folder({ git: '#!/bin/sh\necho "fatal: disk on fire" >&2\nexit 128\n' })
    chmodSync(path.join(broken, 'git'), 0o755)
    const failing = await semel('lint --since main', {
      cwd: repo.cwd,
      env: { PATH: `${broken}:/bin` },
    })
    expect(failing.err).toContain('it says: fatal: disk on fire')
    expect(failing.code).toBe(2)
  })

  it('starts no program that the settings of the repository name', async () => {
    const repo = branch()
    const trap = path.join(repo.cwd, 'trap.sh')
    writeFileSync(trap, `#!/bin/sh\ntouch ${repo.cwd}/sprung\n`)
    chmodSync(trap, 0o755)
    for (const key of ['diff.external', 'core.fsmonitor', 'diff.evil.textconv', 'core.pager']) {
      repo.git('config', key, trap)
    }
    repo.put({ '.gitattributes': '*.yaml diff=evil\n', 'mine.yaml': moving('again') })
    rmSync(path.join(repo.cwd, 'sprung'), { force: true })
    changedSince({ folder: repo.cwd, since: 'main', env })
    expect(existsSync(path.join(repo.cwd, 'sprung'))).toBe(false)
  })

  it('follows the working tree through a link', async () => {
    const repo = branch()
    const link = path.join(folder(), 'link')
    symlinkSync(repo.cwd, link)
    expect(await found(new Repo(link), `${kubectl} --changed --since main`)).toEqual([
      'mine.yaml mutable-tag',
    ])
  })
})
