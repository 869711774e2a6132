import { describe, expect, it } from 'vitest'
import { bytesOf } from './bytes.ts'
import { scanTopLevel } from './top-level.ts'

function scan(text: string): readonly (string | undefined)[] | 'odd' {
  const top = scanTopLevel(bytesOf(text), 0, text.length)
  if (top.isOdd) return 'odd'
  return [top.kind, top.apiVersion].map((span) => span && text.slice(span.start, span.end))
}

describe('kind and apiVersion by the lines at column 0', () => {
  it.each<[string, string, (string | undefined)[]]>([
    ['plain', 'apiVersion: batch/v1\nkind: Job\n', ['Job', 'batch/v1']],
    ['with a comment', 'kind: Job # x\n', ['Job', undefined]],
    ['CRLF', '# x\r\nkind: Job\r\nspec:\r\n  kind: Pod\r\n', ['Job', undefined]],
    ['at the end', 'a: 1\nkind:  Job', ['Job', undefined]],
    ['inside other values', 'data:\n  x: |\n    kind: Job\nkinds: [a]\n', [undefined, undefined]],
    ['below a list', 'a:\n- kind: Job\nkind: List\n', ['List', undefined]],
  ])('%s', (_name, text, found) => {
    expect(scan(text)).toEqual(found)
  })

  it.each([
    ['kind: "Job"\n'],
    ['"kind": Job\n'],
    ["'kind': Job\n"],
    ['kind : Job\n'],
    ['kind: !!str Job\n'],
    ['kind: &k Job\n'],
    ['kind: *k\n'],
    ['kind: >-\n  Job\n'],
    ['kind:\n  Job\n'],
    ['kind:\tJob\n'],
    ['? kind\n: Job\n'],
    ['<<: *base\n'],
    ['{kind: Job}\n'],
    ['  kind: Job\n'],
    ['kind: Job\nkind: Job\n'],
    ['kind: {{ .x }}\n'],
    ['a: 1\n...\nkind: Job\n'],
    ['- kind: Job\n'],
    ['apiVersion: "v1"\nkind: Job\n'],
  ])('%j is odd, so only a parser can tell', (text) => {
    expect(scan(text)).toBe('odd')
  })
})
