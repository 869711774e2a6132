import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintTree, readTree } from './rules-harness.ts'

/**
 * fixtures/lint/RULE/CASE is a small repository. A case whose name starts with `silent` yields
 * none of its rule; every other one yields what its expected.txt says. `UPDATE=1` rewrites those.
 */
const FOLDER = path.join(import.meta.dirname, '../../fixtures/lint')
const EXPECTED = 'expected.txt'
const isUpdate = process.env['UPDATE'] === '1'

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

function judge(rule: string, folder: string): string {
  const files = readTree(folder, (file) => file !== EXPECTED)
  const found = lintTree(files).filter((finding) => finding.rule === rule)
  return found
    .map(({ severity, path: file, line, column, what, why, remedy, related }) =>
      [
        `${severity} ${file}:${line}:${column}`,
        `  ${what}`,
        `  why: ${why}`,
        `  do: ${remedy}`,
        ...related.map((other) => `  see ${other.path}:${other.line} ${other.note}`),
      ].join('\n'),
    )
    .map((text) => `${text}\n`)
    .join('')
}

describe.each(foldersIn(FOLDER))('%s', (rule) => {
  it.each(foldersIn(path.join(FOLDER, rule)))('%s', (name) => {
    const folder = path.join(FOLDER, rule, name)
    const expected = path.join(folder, EXPECTED)
    const found = judge(rule, folder)
    const isSilent = name.startsWith('silent')
    expect(found === '', found).toBe(isSilent)
    if (isUpdate && !isSilent) writeFileSync(expected, found)
    expect(found).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : '')
  })
})
