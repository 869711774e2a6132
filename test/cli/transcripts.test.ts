import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, root, semel } from './cli.ts'
import { gitEnv, Repo } from './git.ts'

/**
 * Transcripts in the documents are what the commands say. A page with the comment
 * `transcripts: FOLDER` has a copy of that folder, committed to git, for its `console` blocks: their
 * lines with `$ ` are run in order, and what follows each is what it prints. `UPDATE=1` writes what
 * they print instead.
 */
const PAGES = ['docs', 'docs/reference']
  .flatMap((at) => readdirSync(path.join(root, at)).map((name) => `${at}/${name}`))
  .filter((name) => name.endsWith('.md') && sourceOf(name) !== undefined)

function read(name: string): string {
  return readFileSync(path.join(root, name), 'utf8')
}

function sourceOf(name: string): string | undefined {
  return /^<!-- transcripts: (\S+) -->$/m.exec(read(name))?.[1]
}

class Session {
  private readonly cwd: string
  private code = 0

  constructor(source: string) {
    this.cwd = folder()
    cpSync(path.join(root, source), this.cwd, { recursive: true })
    const repo = new Repo(this.cwd)
    repo.git('init', '--quiet', '--initial-branch=main')
    repo.commit({})
  }

  async say(command: string): Promise<string> {
    if (command === 'echo $?') return `${this.code}\n`
    if (command.startsWith('semel ')) return this.semel(command)
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
      cwd: this.cwd,
      env: gitEnv(),
      encoding: 'utf8',
    })
    this.code = status ?? 1
    return stdout + stderr
  }

  /** Both streams, as a terminal would show them. */
  private async semel(command: string): Promise<string> {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, one, other]) => one ?? other ?? '',
    )
    const said: string[] = []
    const say = (text: string): void => {
      said.push(text)
    }
    const world = { cwd: this.cwd, columns: 100, env: gitEnv(), write: { out: say, err: say } }
    this.code = (await semel(words.slice(1), world)).code
    return said.join('')
  }
}

async function played(page: string, source: string): Promise<string> {
  const session = new Session(source)
  const parts = page.split(/(^```console\n[\s\S]*?^```$)/m)
  const out: string[] = []
  for (const part of parts) {
    if (!part.startsWith('```console\n')) {
      out.push(part)
      continue
    }
    const commands = part.split('\n').filter((line) => line.startsWith('$ '))
    const rows: string[] = []
    for (const line of commands) rows.push(`${line}\n${await session.say(line.slice('$ '.length))}`)
    out.push(`\`\`\`console\n${rows.join('')}\`\`\``)
  }
  return out.join('')
}

describe('the transcripts of', () => {
  it.each(PAGES)('%s', async (name) => {
    const now = await played(read(name), sourceOf(name) ?? '')
    if (process.env['UPDATE'] === '1') writeFileSync(path.join(root, name), now)
    expect(read(name)).toBe(now)
  })
})
