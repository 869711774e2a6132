import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'semel-diff-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function applied(before: string, diff: string): string {
  writeFileSync(path.join(folder, 'a.yaml'), before)
  if (diff !== '') {
    const args = ['apply', '--unidiff-zero', '--whitespace=nowarn', '-']
    execFileSync('git', args, { cwd: folder, input: diff, stdio: ['pipe', 'ignore', 'pipe'] })
  }
  return readFileSync(path.join(folder, 'a.yaml'), 'utf8')
}

/** Applies a diff as any reader of the format would, line by line. */
function patched(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const out: string[] = []
  let at = 0
  let last = ' '
  for (const line of diff.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line)
    if (line.startsWith('--- ') || line.startsWith('+++ ')) continue
    if (hunk !== null) {
      const start = hunk[2] === '0' ? Number(hunk[1]) : Number(hunk[1]) - 1
      out.push(...old.slice(at, start))
      at = start
      continue
    }
    if (line.startsWith('\\')) {
      if (last !== '-') out.push((out.pop() ?? '').slice(0, -1))
      continue
    }
    last = line[0] ?? ''
    if (last !== '+') at += 1
    if (last !== '-') out.push(line.slice(1))
  }
  return [...out, ...old.slice(at)].join('')
}

describe('unifiedDiff', () => {
  it('is empty for equal texts', () => {
    expect(unifiedDiff('a.yaml', 'x\n', 'x\n')).toBe('')
  })

  it('shows three lines around each change, and hunks of their own for distant ones', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `l${at + 1}`)
    const before = `${lines.join('\n')}\n`
    const after = before.replace('l5\n', '').replace('l25\n', 'new\n')
    expect(unifiedDiff('a.yaml', before, after)).toBe(
      [
        '--- a/a.yaml',
        '+++ b/a.yaml',
        '@@ -2,7 +2,6 @@',
        ' l2\n l3\n l4\n-l5\n l6\n l7\n l8',
        '@@ -22,7 +21,7 @@',
        ' l22\n l23\n l24\n-l25\n+new\n l26\n l27\n l28',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['a line that is new at the start', 'b\n', 'a\nb\n'],
    ['a line that goes at the end', 'a\nb\n', 'a\n'],
    ['an end that is missing before', 'a\nb', 'a\nb\n'],
    ['an end that is missing after', 'a\nb\n', 'a\nb'],
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nc\r\n'],
    ['everything', 'a\nb\n', 'c\nd\ne\n'],
  ])('is taken by git apply: %s', (_case, before, after) => {
    expect(applied(before, unifiedDiff('a.yaml', before, after))).toBe(after)
  })

  it('leads from any text to any other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 })
      .chain((lines) => fc.constantFrom('\n', '').map((end) => lines.join('\n') + end))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff('a.yaml', before, after)
        expect(patched(before, diff)).toBe(after)
      }),
      { numRuns: 500 },
    )
  })
})
