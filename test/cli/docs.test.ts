import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandTree } from '../../src/cli/completion/tree.ts'
import { formats } from '../../src/cli/formats/index.ts'
import { allRules } from '../../src/cli/judge.ts'
import { root } from './cli.ts'

const read = (name: string): string => readFileSync(path.join(root, name), 'utf8')

describe('docs/reference/cli.md', () => {
  const page = read('docs/reference/cli.md')

  it('names every option of every command', async () => {
    const tree = await commandTree()
    const missing = tree.flatMap(({ name, options }) =>
      options
        .filter(({ long, short }) => !isNamed(long) && (short === undefined || !isNamed(short)))
        .map(({ long }) => `${name} ${long}`),
    )
    expect(missing).toEqual([])
  })

  it('names no option that there is not', async () => {
    const tree = await commandTree()
    const known = new Set(tree.flatMap(({ options }) => options.map(({ long }) => long)))
    const named = [...page.matchAll(/`(--[a-z][a-z-]*)/g)].map(([, option = '']) => option)
    expect(named.filter((option) => !known.has(option))).toEqual([])
  })

  it('names every format of lint', () => {
    const section = page.slice(page.indexOf('## `semel lint'))
    const sentence = section.slice(section.indexOf('Formats:'), section.indexOf('see output.md'))
    const named = [...sentence.matchAll(/`([a-z]+)`/g)].map(([, format]) => format)
    expect(named).toEqual(Object.keys(formats))
  })

  function isNamed(option: string): boolean {
    return new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(page)
  }
})

describe('docs/reference/output.md', () => {
  it('has a row for every format', () => {
    const page = read('docs/reference/output.md')
    const rows = [...page.matchAll(/^\| `([a-z]+)`(?: \(default\))? \| (?:check, )?lint \|/gm)]
    expect(new Set(rows.map(([, format]) => format))).toEqual(new Set(Object.keys(formats)))
  })
})

describe('docs/reference/fixes.md', () => {
  it('speaks of every rule that has fixes, and of their kinds', () => {
    const rows = read('docs/reference/fixes.md')
      .split('\n')
      .filter((line) => /^\|(?: `[a-z-]+`)? \| (?!rule|-)/.test(line))
    const said = new Map<string, Set<string>>()
    let rule = ''
    for (const row of rows) {
      const [, id = '', , kind = ''] = row.split('|').map((cell) => cell.trim())
      rule = id === '' ? rule : id.replaceAll('`', '')
      const kinds = said.get(rule) ?? new Set()
      kinds.add(kind.split(' ')[0] ?? '')
      said.set(rule, kinds)
    }
    const fixing = allRules.filter(({ fixes = [] }) => fixes.length > 0)
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries(fixing.map(({ id, fixes }) => [id, new Set(fixes)])),
    )
  })
})
