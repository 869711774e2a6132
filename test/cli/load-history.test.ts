import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { loadHistory, loadRepository } from '../../src/cli/simulate/load-repository.ts'
import { targetWithDefaults } from '../../src/cli/target.ts'
import type { Io } from '../../src/cli/io.ts'
import { flux, job } from '../ownership/harness.ts'
import { gitEnv, Repo } from './git.ts'

/** A world that nothing is written to. */
function quiet(cwd: string): Io {
  const stream = { write: () => {}, isTerminal: false, columns: undefined }
  return {
    cwd,
    stdout: stream,
    stderr: stream,
    env: gitEnv(),
    today: '2026-01-05',
    now: () => 0,
    readStdin: () => new Uint8Array(),
    waiting: {
      watch: () => ({ close: () => {} }) as never,
      after: () => () => {},
      interrupted: () => () => {},
    },
  }
}

function commit(repo: Repo, hours: number, files: Readonly<Record<string, string>>): void {
  repo.put(files)
  const at = new Date(Date.UTC(2026, 0, 5) + hours * 3_600_000).toISOString()
  const env = { ...gitEnv(), GIT_COMMITTER_DATE: at }
  execFileSync('git', ['add', '--all'], { cwd: repo.cwd, env })
  execFileSync('git', ['commit', '-q', '--allow-empty', '-m', `at ${hours}`], {
    cwd: repo.cwd,
    env,
  })
}

/** Commits at 0, 1, 2, 5 and (by a wrong clock) 4 hours. */
function repository(): Repo {
  const repo = new Repo()
  repo.git('init', '--quiet', '--initial-branch=main')
  commit(repo, 0, { 'flux/ks.yaml': flux('x', './apps'), 'apps/a.yaml': job('a', 'shop') })
  commit(repo, 1, { 'README.md': 'text' })
  commit(repo, 2, { 'apps/b.yaml': job('b', 'shop') })
  repo.git('rm', '-q', 'apps/a.yaml')
  commit(repo, 5, { 'apps/b.yaml': `# a comment\n${job('b', 'shop')}` })
  commit(repo, 4, {})
  return repo
}

async function load(range: string, repo: Repo = repository(), paths: readonly string[] = ['.']) {
  const loaded = await loadHistory(range, targetWithDefaults(paths), quiet(repo.cwd))
  if (!('snapshot' in loaded)) throw new Error('semel.yaml is wrong')
  return loaded
}

describe('a range of commits', () => {
  test('begins with the files of its base, whatever stands in the working tree', async () => {
    const { snapshot } = await load('HEAD~4..HEAD')
    expect(snapshot.lanes.map(({ name }) => name)).toEqual(['shop/a'])
  })

  test('has each commit at its time after the base, and says which of them change something', async () => {
    const { commits } = await load('HEAD~4..HEAD')
    const told = commits.map(({ subject, afterMs, snapshot }) => [
      subject,
      afterMs / 3_600_000,
      snapshot?.lanes.map(({ name }) => name),
    ])
    expect(told).toEqual([
      ['at 1', 1, undefined],
      ['at 2', 2, ['shop/a', 'shop/b']],
      ['at 5', 5, ['shop/b']],
      ['at 4', 5, undefined],
    ])
  })

  test('ends with HEAD where nothing else is said, and may be empty', async () => {
    expect((await load('HEAD~1..')).commits).toHaveLength(1)
    expect((await load('HEAD..HEAD')).commits).toEqual([])
  })

  test('looks at the folders that are given', async () => {
    const { snapshot } = await load('HEAD~4..HEAD', repository(), ['apps'])
    expect(snapshot.lanes.map(({ appliedBy }) => appliedBy)).toEqual(['kubectl (assumed)'])
  })

  test.each([
    ['is none', 'HEAD', 'USAGE', '--git HEAD is no range of commits'],
    [
      'has a base that git does not know',
      'gone..HEAD',
      'GIT_UNUSABLE',
      'git knows no revision gone here',
    ],
    ['looks like an option', '--all..HEAD', 'GIT_UNUSABLE', 'git knows no revision --all here'],
  ])('is refused where it %s', async (_, range, code, message) => {
    await expect(load(range)).rejects.toMatchObject({ code, message })
  })

  test('is refused outside of a working tree', async () => {
    await expect(load('a..b', new Repo())).rejects.toMatchObject({ code: 'GIT_UNUSABLE' })
  })
})

test('clusters that a later commit tells apart have their names from the start', async () => {
  const repo = new Repo()
  repo.git('init', '--quiet', '--initial-branch=main')
  commit(repo, 0, { 'clusters/a/x.yaml': flux('x', './apps'), 'apps/a.yaml': job('a', 'shop') })
  commit(repo, 1, { 'clusters/b/x.yaml': flux('x', './apps') })
  const { snapshot, commits } = await load('HEAD~1..HEAD', repo)
  expect(snapshot.lanes.map(({ cluster }) => cluster)).toEqual(['clusters/a'])
  expect(commits[0]?.snapshot?.worlds.map(({ cluster }) => cluster)).toEqual([
    'clusters/a',
    'clusters/b',
  ])
})

test('files as they are have no commits', async () => {
  const loaded = await loadRepository(targetWithDefaults(['.']), quiet(repository().cwd))
  expect(loaded).toMatchObject({
    commits: [],
    problems: [],
    snapshot: { lanes: [{ name: 'shop/b' }] },
  })
})
