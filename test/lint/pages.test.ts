import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { rules } from '../../src/lint/rules/index.ts'
import { lintTree } from './rules-harness.ts'

/**
 * Every rule has a page. Its blocks marked `yaml bad` yield the rule and no other one, those
 * marked `yaml good` yield nothing of it. `# file: PATH` starts the next file of a block.
 */
const FOLDER = path.join(import.meta.dirname, '../../docs/rules')

interface Block {
  readonly mark: 'bad' | 'good'
  readonly files: Readonly<Record<string, string>>
}

function pageOf(id: string): string {
  const file = path.join(FOLDER, `${id}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function blocksOf(id: string): readonly Block[] {
  const page = pageOf(id)
  const fences = page.matchAll(/^```yaml (bad|good)\n([\s\S]*?)^```$/gm)
  return [...fences].map(([, mark, text]) => ({
    mark: mark === 'bad' ? 'bad' : 'good',
    files: filesOf(text ?? ''),
  }))
}

function filesOf(block: string): Readonly<Record<string, string>> {
  const [before = '', ...parts] = block.split(/^# file: *(\S+) *\n/m)
  if (parts.length === 0) return { 'job.yaml': before }
  const files: Record<string, string> = {}
  for (let at = 0; at < parts.length; at += 2) files[parts[at] ?? ''] = parts[at + 1] ?? ''
  return files
}

describe('the pages of the rules', () => {
  it('are there for every rule', () => {
    const pages = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''))
    expect(pages).toEqual(expect.arrayContaining(rules.map(({ id }) => id)))
  })

  describe.each(rules.map(({ id }) => id))('%s', (id) => {
    const blocks = blocksOf(id)

    it('has a bad and a good example', () => {
      expect(new Set(blocks.map(({ mark }) => mark))).toEqual(new Set(['bad', 'good']))
    })

    it.each(blocks.map(({ mark, files }, at) => ({ mark, files, at })))(
      'holds its word in example $at, which is $mark',
      ({ mark, files }) => {
        const found = lintTree(files)
        const ids = new Set(found.map(({ rule }) => rule))
        if (mark === 'bad') expect(ids, JSON.stringify(found, null, 2)).toEqual(new Set([id]))
        else expect(ids).not.toContain(id)
      },
    )

    it('says how to suppress it and where it comes from', () => {
      const page = pageOf(id)
      expect(page).toContain(`# semel-ignore ${id}: `)
      expect(page).toContain(`semel.dev/ignore.${id}: `)
      expect(page).toMatch(/^## Where it comes from$/m)
    })
  })
})
