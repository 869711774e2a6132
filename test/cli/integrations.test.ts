import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { folder, job, root } from './cli.ts'
import { gitEnv, Repo } from './git.ts'
import { parseXml } from './xml.ts'
import { VERSION } from '../../src/cli/version.ts'

/**
 * What the integrations run, taken from their files and run: `npx` is a stand-in that checks the
 * version it is asked for and starts the built program.
 */
const main = path.join(root, 'dist/cli/main.js')
const isBuilt = existsSync(main)
const unless = isBuilt ? '' : ' (not run: dist/ is not built)'
const moving = (name: string): string => job(name).replace(/@sha256:5+/, ':latest')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  shell: string,
): Ran {
  const bin = folder()
  const npx = `#!/bin/sh
[ "$1" = --yes ] && [ "$2" = "semel@${VERSION}" ] || { echo "npx was called with $*" >&2; exit 99; }
shift 2
exec "${process.execPath}" "${main}" "$@"
`
  writeFileSync(path.join(bin, 'npx'), npx)
  chmodSync(path.join(bin, 'npx'), 0o755)
  const given = gitEnv()
  return spawnSync(shell, ['-e', '-c', script], {
    cwd,
    env: { ...given, ...env, PATH: `${bin}:${given['PATH']}` },
    encoding: 'utf8',
  })
}

/** A main branch with an old fault, and a branch with a new one that is checked out. */
function branch(): Repo {
  const repo = Repo.with({ 'apps/old.yaml': moving('old'), 'apps/new.yaml': job('new') })
  repo.put({ 'semel.yaml': 'version: 1\nscopes: [{path: apps, engine: kubectl}]\n' })
  repo.commit({})
  repo.git('switch', '--quiet', '--create', 'topic')
  repo.commit({ 'apps/new.yaml': moving('new') })
  return repo
}

describe('the pre-commit hooks', () => {
  interface Hook {
    readonly id: string
    readonly entry: string
    readonly files: string
    readonly pass_filenames: boolean
  }
  const hooks = parse(read('.pre-commit-hooks.yaml')) as readonly Hook[]
  const entryOf = (id: string): string => hooks.find((hook) => hook.id === id)?.entry ?? ''

  it('have what pre-commit asks for', () => {
    expect(hooks.map(({ id }) => id)).toEqual(['semel', 'semel-changed'])
    for (const hook of hooks) {
      expect(hook).toMatchObject({ name: expect.any(String), language: 'system' })
      expect(hook.pass_filenames).toBe(false)
      expect(
        ['a.yaml', 'b/c.yml', 'd.json'].every((name) => new RegExp(hook.files).test(name)),
      ).toBe(true)
      expect(new RegExp(hook.files).test('README.md')).toBe(false)
    }
  })

  it.skipIf(!isBuilt)(`judge the repository${unless}`, () => {
    const { status, stdout } = run(entryOf('semel'), branch().cwd, {}, 'sh')
    expect(stdout).toContain('2 warnings in 2 of 2 files')
    expect(status).toBe(1)
  })

  it.skipIf(!isBuilt)(`or show only what the commit changes${unless}`, () => {
    const repo = branch()
    expect(run(entryOf('semel-changed'), repo.cwd, {}, 'sh').status).toBe(0)
    repo.put({ 'apps/more.yaml': moving('more') })
    repo.git('add', '--all')
    const { status, stdout } = run(entryOf('semel-changed'), repo.cwd, {}, 'sh')
    expect(stdout).toContain('apps/more.yaml')
    expect(stdout).toContain('1 warning in 1 of 3 files')
    expect(status).toBe(1)
  })
})

describe('the GitHub Action', () => {
  interface Action {
    readonly inputs: Readonly<
      Record<string, { readonly description: string; readonly default: string }>
    >
    readonly outputs: Readonly<Record<string, { readonly value: string }>>
    readonly runs: {
      readonly using: string
      readonly steps: readonly {
        readonly id: string
        readonly shell: string
        readonly env: Readonly<Record<string, string>>
        readonly run: string
      }[]
    }
  }
  const action = parse(read('integrations/github/action.yml')) as Action
  const [step] = action.runs.steps

  function act(
    repo: Repo,
    given: Readonly<Record<string, string>>,
    base = '',
  ): Ran & { output: string; summary: string } {
    const inputs = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default]),
    )
    const env = Object.fromEntries(
      Object.entries(step?.env ?? {}).map(([name, value]) => [
        name,
        value
          .replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => inputs[input] ?? '?')
          .replace('${{ github.base_ref }}', base),
      ]),
    )
    const files = folder({ output: '', summary: '' })
    const runner = {
      GITHUB_OUTPUT: path.join(files, 'output'),
      GITHUB_STEP_SUMMARY: path.join(files, 'summary'),
    }
    const ran = run(step?.run ?? '', repo.cwd, { ...env, ...runner }, 'bash')
    const textOf = (name: string): string => readFileSync(path.join(files, name), 'utf8')
    return { ...ran, output: textOf('output'), summary: textOf('summary') }
  }

  it('is a composite one, and hands inputs over as variables only', () => {
    expect(action.runs.using).toBe('composite')
    expect(step?.shell).toBe('bash')
    expect(step?.run).not.toContain('${{')
    expect(action.inputs['version']?.default).toBe(VERSION)
    for (const [name, { value }] of Object.entries(action.outputs)) {
      expect(value).toBe(`\${{ steps.${step?.id}.outputs.${name} }}`)
    }
    const used = JSON.stringify(step?.env)
    for (const name of Object.keys(action.inputs)) expect(used).toContain(`inputs.${name} }}`)
  })

  it.skipIf(!isBuilt)(`annotates, and writes SARIF, a summary and its outputs${unless}`, () => {
    const repo = branch()
    const { status, stdout, output, summary } = act(repo, {})
    expect(stdout.match(/^::warning file=apps\/(?:new|old)\.yaml,/gm)).toHaveLength(2)
    expect(output).toBe('sarif=semel.sarif\nexit-code=1\n')
    expect(summary).toContain('### semel: 2 warnings')
    const sarif = JSON.parse(readFileSync(path.join(repo.cwd, 'semel.sarif'), 'utf8'))
    expect(sarif.runs[0].results).toHaveLength(2)
    expect(status).toBe(1)
  })

  it.skipIf(!isBuilt)(
    `fetches the base of a pull request where the clone lacks it${unless}`,
    () => {
      const clone = branch().clone('--depth=1', '--branch=topic')
      const { status, stdout, stderr } = act(clone, { changed: 'true' }, 'main')
      expect(stderr).toBe('')
      expect(stdout.match(/^::warning file=.*?,/gm)).toEqual(['::warning file=apps/new.yaml,'])
      expect(status).toBe(1)
    },
  )

  it.skipIf(!isBuilt)(`takes paths, options and a baseline${unless}`, () => {
    const repo = branch()
    const command = `npx --yes semel@${VERSION} lint --write-baseline --reason old`
    expect(run(command, repo.cwd, {}, 'sh').status).toBe(0)
    mkdirSync(path.join(repo.cwd, 'other'))
    const given = {
      paths: 'apps other',
      args: '--engine kubectl --color never',
      baseline: 'semel-baseline.json',
      'fail-on': 'error',
      sarif: 'out/report.sarif',
    }
    const { status, output } = act(repo, given)
    expect(output).toContain('sarif=out/report.sarif')
    expect(existsSync(path.join(repo.cwd, 'out/report.sarif'))).toBe(true)
    expect(status).toBe(0)
  })

  it.skipIf(!isBuilt)(`runs nothing that stands in an input${unless}`, () => {
    const repo = branch()
    act(repo, { paths: '$(touch sprung) `touch sprung`; touch sprung', sarif: '$(touch sprung)' })
    expect(existsSync(path.join(repo.cwd, 'sprung'))).toBe(false)
  })
})

describe('the GitLab template', () => {
  interface Template {
    readonly semel: {
      readonly variables: Readonly<Record<string, string>>
      readonly script: readonly string[]
      readonly artifacts: {
        readonly when: string
        readonly reports: Readonly<Record<string, string>>
      }
    }
  }
  const { semel: template } = parse(read('integrations/gitlab/semel.yml')) as Template
  const ci = (repo: Repo, env: Readonly<Record<string, string>> = {}): Ran =>
    run(template.script.join('\n'), repo.cwd, { ...template.variables, ...env }, 'sh')

  it('names this version', () => {
    expect(template.variables['SEMEL_VERSION']).toBe(VERSION)
  })

  it.skipIf(!isBuilt)(`writes the reports that it hands over${unless}`, () => {
    const repo = branch()
    const { status, stdout } = ci(repo)
    expect(stdout).toContain('2 warnings')
    const reports = template.artifacts.reports
    const textOf = (name: string): string =>
      readFileSync(path.join(repo.cwd, reports[name] ?? ''), 'utf8')
    expect(JSON.parse(textOf('codequality'))).toHaveLength(2)
    expect(parseXml(textOf('junit')).attributes['failures']).toBe('2')
    expect(template.artifacts.when).toBe('always')
    expect(status).toBe(1)
  })

  it.skipIf(!isBuilt)(`compares with where the merge request began${unless}`, () => {
    const repo = branch()
    const base = repo.git('merge-base', 'main', 'HEAD').trim()
    const env = {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      SEMEL_ARGS: '--changed',
      SEMEL_PATHS: 'apps',
    }
    const { status, stdout } = ci(repo, env)
    expect(stdout).toContain('1 warning in 1 of 2 files')
    expect(status).toBe(1)
  })
})
