import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'
import { paintFor } from './paint.ts'
import { widthOf } from './words.ts'

const plain = { write: () => {}, isTerminal: false, columns: undefined }
const paint = paintFor(plain, 'never', {})
const render = (text: string, width = 40): string => renderMarkdown(text, { paint, width })

describe('Markdown for a terminal', () => {
  it.each([
    ['a heading', '## Why *so*', 'Why *so*\n'],
    ['a paragraph', 'one\ntwo\n\nthree', 'one two\n\nthree\n'],
    ['emphasis and links', '**a** [b](c.md) `**d**`', 'a b `**d**`\n'],
    ['a list', '- one\n  more\n- two\n\n1. three', '- one more\n- two\n\n1. three\n'],
    [
      'code',
      'x\n\n```yaml bad\na:  1\n  # no list\n```\ny',
      'x\n\n    a:  1\n      # no list\ny\n',
    ],
    ['code that never ends', '```\na', '    a\n'],
    ['a table', '| a | b |\n|---|---|\n| `long` | c |', 'a       b\n`long`  c\n'],
    ['nothing', '', '\n'],
  ])('shows %s', (_case, text, shown) => {
    expect(render(text)).toBe(shown)
  })

  it('wraps paragraphs, list items and the last column of tables', () => {
    const long = 'word '.repeat(20).trim()
    for (const text of [long, `- ${long}`, `| a | b |\n|---|---|\n| x | ${long} |`]) {
      const rows = render(text).trimEnd().split('\n')
      expect(rows.length).toBeGreaterThan(2)
      for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(40)
      expect(rows.join(' ').match(/word/g)).toHaveLength(20)
    }
  })

  it('loses no word of any of our own pages', () => {
    const docs = path.join(import.meta.dirname, '../../docs')
    for (const folder of ['rules', 'reference']) {
      for (const name of readdirSync(path.join(docs, folder))) {
        if (!name.endsWith('.md')) continue
        const page = readFileSync(path.join(docs, folder, name), 'utf8')
        const words = (text: string): number => text.match(/[A-Za-z]{3,}/g)?.length ?? 0
        const fences = page.match(/^```\w+.*$/gm)?.join(' ') ?? ''
        const links = page.match(/(?<=\])\([^)]*\)/g)?.join(' ') ?? ''
        const comments = page.match(/^<!--.*-->$/gm)?.join(' ') ?? ''
        const unseen = words(fences) + words(links) + words(comments)
        expect(words(render(page, 80)) + unseen, name).toBe(words(page))
      }
    }
  })
})
