import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/cli/commands/index.ts'
import { FAULTS } from '../src/core/faults.ts'
import { engines } from '../src/engines/index.ts'
import { scenarioEngines } from '../src/simulate/scenario/stages/index.ts'
import { tracePlayers } from '../src/simulate/trace/players/index.ts'
import { builtinRules } from '../src/lint/builtin.ts'
import { rules } from '../src/lint/rules/index.ts'

/**
 * Whoever adds a rule, an engine, a command or an error code adds its file, its test, its page, its
 * fixtures and its line in the list. Whatever is missing, or is left over, is named here.
 */
const root = fileURLToPath(new URL('../', import.meta.url))

describe('rules', () => {
  const listed = new Set(rules.map((rule) => rule.id))
  const all = new Set([...listed, ...builtinRules.map((rule) => rule.id)])

  it('stand in the list once, in alphabetical order', () => {
    const ids = rules.map((rule) => rule.id)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('have a file each, and every file is in the list', () => {
    expectSame(listed, 'src/lint/rules/index.ts', modulesIn('src/lint/rules'), 'src/lint/rules')
  })

  it('have a test each', () => {
    expectSame(listed, 'src/lint/rules/index.ts', testsIn('src/lint/rules'), 'its *.test.ts files')
  })

  it('have a page each, also those that the runner brings', () => {
    expectSame(all, 'the rules', pagesIn('docs/rules'), 'docs/rules/*.md')
  })

  it('have a folder of fixtures each', () => {
    expectSame(listed, 'src/lint/rules/index.ts', foldersIn('fixtures/lint'), 'fixtures/lint')
  })
})

describe('engines', () => {
  const listed = new Set<string>(engines.map((engine) => engine.id))

  it('stand in the list once, in alphabetical order', () => {
    const ids = engines.map((engine) => engine.id)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('have a file each, and every file that makes an engine is in the list', () => {
    const files = modulesIn('src/engines').filter((name) =>
      /^export const \w+: Engine\b/m.test(read(`src/engines/${name}.ts`)),
    )
    expectSame(listed, 'src/engines/index.ts', files, 'src/engines')
  })

  it('have a test each', () => {
    const tests = testsIn('src/engines')
    expect([...listed].filter((id) => !tests.includes(id))).toEqual([])
  })

  it('have a page each; a page of no engine belongs to a model that is played', () => {
    const models = [
      ...tracePlayers.map(({ engine }) => engine),
      ...scenarioEngines.flatMap(({ kinds }) => kinds),
      // One page for all who act beside the engines.
      'second-actors',
    ]
    const pages = pagesIn('docs/engines').filter(
      (name) => listed.has(name) || !models.includes(name),
    )
    expectSame(listed, 'src/engines/index.ts', pages, 'docs/engines/*.md')
  })
})

describe('commands', () => {
  const listed = new Set(commands.map((command) => command.name))

  it('have a file each, and every file is in the list', () => {
    const files = modulesIn('src/cli/commands').filter((name) => name !== 'command')
    expectSame(listed, 'commands/index.ts', files, 'src/cli/commands')
  })

  it('load under their own name', async () => {
    for (const command of commands) {
      const loaded = await command.load()
      expect([command.name, typeof loaded.run]).toEqual([command.name, 'function'])
    }
  })

  it('have a test each', () => {
    const tests = testsIn('test/cli')
    expect([...listed].filter((name) => !tests.includes(name))).toEqual([])
  })

  it('have a heading each in docs/reference/cli.md', () => {
    const headings = [...read('docs/reference/cli.md').matchAll(/^#{2,3} `?semel ([a-z-]+)/gm)]
    const named = headings.map((match) => match[1] ?? '')
    expectSame(listed, 'commands/index.ts', named, 'docs/reference/cli.md')
  })
})

describe('error codes', () => {
  it('stand in docs/reference/errors.md, each as a heading or at the start of a table row', () => {
    const page = read('docs/reference/errors.md')
    const named = [...page.matchAll(/^(?:#{2,4} |\| *)`?([A-Z][A-Z_]+)`?(?=\s|$)/gm)]
    expectSame(
      new Set(Object.keys(FAULTS)),
      'src/core/faults.ts',
      named.map((match) => match[1] ?? ''),
      'docs/reference/errors.md',
    )
  })
})

/** Fails with the names that only one side has. */
function expectSame(
  listed: ReadonlySet<string>,
  listName: string,
  found: readonly string[],
  foundName: string,
): void {
  const missing = [...listed].filter((name) => !found.includes(name))
  const extra = [...new Set(found)].filter((name) => !listed.has(name))
  expect({
    [`in ${listName}, not in ${foundName}`]: missing,
    [`in ${foundName}, not in ${listName}`]: extra,
  }).toEqual({
    [`in ${listName}, not in ${foundName}`]: [],
    [`in ${foundName}, not in ${listName}`]: [],
  })
}

function read(file: string): string {
  return existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : ''
}

function namesIn(folder: string): readonly string[] {
  return existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)) : []
}

function modulesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'index.ts')
    .map((name) => name.slice(0, -'.ts'.length))
}

function testsIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'index.test.ts')
    .map((name) => name.slice(0, -'.test.ts'.length))
}

function pagesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md' && name !== 'index.md')
    .map((name) => name.slice(0, -'.md'.length))
}

function foldersIn(folder: string): readonly string[] {
  return namesIn(folder).filter((name) => !name.includes('.'))
}
