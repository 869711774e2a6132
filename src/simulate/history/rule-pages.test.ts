import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorOf, rulePage } from './rule-pages.ts'

const root = path.join(import.meta.dirname, '../../..')
const folder = path.join(root, 'docs/engines')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -3))

interface Row {
  readonly page: string
  readonly line: number
  readonly cell: string
  readonly rules: readonly string[]
  readonly isUnconfirmed: boolean
}

function read(page: string): string {
  return readFileSync(path.join(folder, `${page}.md`), 'utf8')
}

/** Rows of tables with a column `Rule`. */
function rowsOf(page: string): readonly Row[] {
  const rows: Row[] = []
  let titles: readonly string[] | undefined
  for (const [line, text] of read(page).split('\n').entries()) {
    const cells = cellsOf(text)
    if (cells === undefined) titles = undefined
    else if (titles === undefined) titles = cells.map((cell) => cell.toLowerCase())
    else {
      const at = titles.indexOf('rule')
      const cell = cells[at] ?? ''
      if (at < 0 || /^[-:]+$/.test(cell)) continue
      const said = cells[titles.indexOf('confirmed')] === 'no' || NOT_SHOWN.test(cells.at(-1) ?? '')
      rows.push({ page, line, cell, rules: rulesIn(cell), isUnconfirmed: said })
    }
  }
  return rows
}

const NOT_SHOWN = /^unit tests? only$|\bnot recorded\b/

function cellsOf(text: string): readonly string[] | undefined {
  if (!text.startsWith('|')) return undefined
  return text
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** `A-26 to A-28` are three rules. */
function rulesIn(cell: string): readonly string[] {
  const rules: string[] = []
  for (const [, first = '', last] of cell.matchAll(
    /\b([A-Z]{1,2}-\d+[a-z]?)(?: to [A-Z]{1,2}-(\d+))?/g,
  )) {
    rules.push(first)
    const [, prefix = '', number = ''] = /^([A-Z]+-)(\d+)$/.exec(first) ?? []
    for (let next = Number(number) + 1; next <= Number(last ?? 0); next += 1) {
      rules.push(`${prefix}${next}`)
    }
  }
  return rules
}

/** The page that the table in the code gives a rule, without the folder and the anchor. */
function ownPage(rule: string): string | undefined {
  return /^docs\/engines\/(.*)\.md#/.exec(rulePage(rule).page ?? '')?.[1]
}

/** Writes the anchors that are missing. Of several rows of one rule the first has it. */
function anchored(page: string): string {
  const lines = read(page).split('\n')
  const there = new Set([...read(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id))
  for (const { line, cell, rules } of rowsOf(page)) {
    const missing = rules.filter((rule) => ownPage(rule) === page && !there.has(anchorOf(rule)))
    if (missing.length === 0) continue
    const anchors = missing.map((rule) => `<a id="${anchorOf(rule)}"></a>`).join('')
    const text = lines[line] ?? ''
    const at = text.indexOf(cell)
    lines[line] = `${text.slice(0, at)}${anchors}${text.slice(at)}`
    for (const rule of missing) there.add(anchorOf(rule))
  }
  return lines.join('\n')
}

/** Ids that the models put into causes, as their source spells them. */
function emitted(): ReadonlySet<string> {
  const found = new Set<string>()
  const folders = ['src/cluster', 'src/simulate']
  for (const at of folders) {
    for (const name of readdirSync(path.join(root, at), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.includes('rule-pages'))
        continue
      const text = readFileSync(path.join(root, at, name), 'utf8')
      for (const [, id = ''] of text.matchAll(/'([A-Z]{1,2}-\d+[a-z]?)'/g)) found.add(id)
    }
  }
  return found
}

const NOTHING_RECORDED = /\*\*nothing\s+(?:of\s+it|on\s+this\s+page)\s+was\s+(?:ever\s+)?recorded/i

describe('the pages of rules', () => {
  it('have an anchor for every rule of their tables', () => {
    for (const page of names) {
      const wanted = anchored(page)
      if (process.env['UPDATE'] === '1') writeFileSync(path.join(folder, `${page}.md`), wanted)
      expect(read(page), `${page}.md: UPDATE=1 writes the anchors`).toBe(wanted)
    }
  })

  it('have every rule that a model names as a cause', () => {
    const anchors = new Map(names.map((page) => [page, read(page)]))
    const missing = [...emitted()].filter((rule) => {
      const page = ownPage(rule)
      return (
        page === undefined || anchors.get(page)?.includes(`<a id="${anchorOf(rule)}">`) !== true
      )
    })
    expect(missing).toEqual([])
  })

  it('agree with the code on what no recording has shown', () => {
    const all = names.flatMap(rowsOf)
    const rules = new Set(all.flatMap(({ rules }) => rules).filter((rule) => ownPage(rule)))
    const told = [...rules].filter((rule) => {
      const page = ownPage(rule) ?? ''
      const nothing = NOTHING_RECORDED.test(read(page))
      const own = all.filter((row) => row.page === page && row.rules.includes(rule))
      return nothing || own.every(({ isUnconfirmed }) => isUnconfirmed)
    })
    const coded = [...rules].filter((rule) => rulePage(rule).unconfirmed === true)
    expect(coded.sort()).toEqual(told.sort())
  })

  it('are none for what is no rule', () => {
    expect(rulePage('person')).toEqual({})
    expect(rulePage('Q-1')).toEqual({})
  })
})
