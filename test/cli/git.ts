import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { folder } from './cli.ts'

/** A repository of its own, in which no setting of whoever runs the tests counts. */
export class Repo {
  readonly cwd: string

  constructor(cwd: string = folder()) {
    this.cwd = cwd
  }

  static with(files: Readonly<Record<string, string>>): Repo {
    const repo = new Repo()
    repo.git('init', '--quiet', '--initial-branch=main')
    repo.commit(files)
    return repo
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...args], { cwd: this.cwd, env: gitEnv(), encoding: 'utf8' })
  }

  put(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.cwd, name)), { recursive: true })
      writeFileSync(path.join(this.cwd, name), text)
    }
  }

  commit(files: Readonly<Record<string, string>>): void {
    this.put(files)
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', 'change', '--allow-empty')
  }

  clone(...args: readonly string[]): Repo {
    const target = path.join(folder(), 'clone')
    const url = `file://${this.cwd}`
    execFileSync('git', ['clone', '--quiet', ...args, url, target], {
      env: gitEnv(),
      stdio: 'pipe',
    })
    return new Repo(target)
  }
}

export function gitEnv(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'test',
    GIT_AUTHOR_EMAIL: 'test@example.test',
    GIT_COMMITTER_NAME: 'test',
    GIT_COMMITTER_EMAIL: 'test@example.test',
    GIT_AUTHOR_DATE: '2026-11-29T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-11-29T00:00:00Z',
  }
}
