import { beforeAll, describe, expect, it } from 'vitest'
import { textOf, type Source } from '../core/source.ts'
import type { FullParser, ReadError, TreeNode } from '../core/yaml/document.ts'
import { loadFullParser } from './full-parser.ts'

let parser: FullParser
beforeAll(async () => {
  parser = await loadFullParser()
})

function sourceOf(text: string): Source {
  return { path: 'a.yaml', bytes: new TextEncoder().encode(text) }
}

function parse(text: string, from = parser): TreeNode | ReadError {
  const source = sourceOf(text)
  return from.parse(source, { start: 0, end: source.bytes.length })
}

/** Each scalar as `text`, with `!tag` behind it, in a nest of arrays and entries. */
function outline(node: TreeNode | ReadError): unknown {
  if ('code' in node) return node.code
  if (node.kind === 'scalar')
    return node.tag === undefined ? node.text : `${node.text} !${node.tag}`
  if (node.kind === 'list') return node.items.map(outline)
  return node.entries.map(({ key, value, merged }) => [
    outline(key),
    outline(value),
    ...(merged ? ['merged'] : []),
  ])
}

describe('trees', () => {
  it.each<[string, string, unknown]>([
    [
      'known tags are kept',
      'a: !!str 1\nb: !!binary QQ==\n',
      [
        ['a', '1 !str'],
        ['b', 'QQ== !binary'],
      ],
    ],
    [
      'unknown tags make text',
      'a: !Ref 5\nb: ! 6\n',
      [
        ['a', '5 !str'],
        ['b', '6 !str'],
      ],
    ],
    ['tags of collections are dropped', 'a: !!map {b: !x [1]}\n', [['a', [['b', ['1']]]]]],
    [
      'aliases become what they stand for',
      'a: &x [1]\nb: *x\n',
      [
        ['a', ['1']],
        ['b', ['1']],
      ],
    ],
    [
      'an alias means the last anchor',
      'a: &x 1\nb: &x 2\nc: *x\n',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '2'],
      ],
    ],
    [
      'merged entries stay in place',
      'a: {<<: {b: 1}, c: 2}\n',
      [
        [
          'a',
          [
            ['b', '1', 'merged'],
            ['c', '2'],
          ],
        ],
      ],
    ],
    [
      'keys that stand twice are kept',
      'a: 1\na: 2\n',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['quoted << is a key', 'a: {"<<": 1}\n', [['a', [['<<', '1']]]]],
    ['nothing', '# x\n', ''],
  ])('%s', (_name, text, expected) => {
    expect(outline(parse(text))).toEqual(expected)
  })

  it('have spans in bytes', () => {
    const text = 'ü: &x !!str "日本"\nlist:\n  - |+\n    x\n\n'
    const source = sourceOf(text)
    const spans: string[] = []
    const visit = (node: TreeNode): void => {
      spans.push(textOf(source, node.span))
      if (node.kind === 'list') node.items.forEach(visit)
      if (node.kind !== 'map') return
      for (const { key, value } of node.entries) {
        visit(key)
        visit(value)
      }
    }
    const tree = parse(text)
    if ('code' in tree) throw new Error(tree.what)
    visit(tree)
    expect(spans.slice(1)).toEqual(['ü', '"日本"', 'list', '- |+\n    x', '|+\n    x'])
  })

  it('are of the given part of the source alone', () => {
    const source = sourceOf('a: [\n---\nb: !!str 1\n')
    const tree = parser.parse(source, { start: 9, end: source.bytes.length })
    expect(outline(tree)).toEqual([['b', '1 !str']])
    expect('span' in tree && tree.span.start).toBe(9)
  })
})

describe('refusals', () => {
  it.each([
    ['no YAML', 'a: [1\n', 'YAML_INVALID'],
    ['an alias without an anchor', 'a: *x\n', 'YAML_INVALID'],
    ['an anchor that holds itself', 'a: &x {b: *x}\n', 'YAML_INVALID'],
    ['a merge of text', 'a: {<<: b}\n', 'YAML_INVALID'],
    ['a list as a key', '? [a]\n: b\n', 'YAML_NO_JSON_FORM'],
    ['too many levels', `a: ${'['.repeat(1_500)}${']'.repeat(1_500)}\n`, 'YAML_TOO_DEEP'],
    ['far too many levels', '['.repeat(100_000), 'YAML_TOO_DEEP'],
  ])('%s', (_name, text, code) => {
    const refused = parse(text)
    expect('code' in refused && refused.code).toBe(code)
  })

  it('limits are settings', async () => {
    const strict = await loadFullParser({ depth: 2, aliasNodes: 3 })
    expect(outline(parse('a: {b: {c: 1}}\n', strict))).toBe('YAML_TOO_DEEP')
    expect(outline(parse('a: &x [1, 2]\nb: *x\n', strict))).toEqual([
      ['a', ['1', '2']],
      ['b', ['1', '2']],
    ])
    expect(outline(parse('a: &x [1, 2]\nb: *x\nc: *x\n', strict))).toBe('YAML_ALIAS_BOMB')
  })
})

describe('a quote that is never closed', () => {
  it.each([
    ['an escaped quote before a line too far left', `k:\n- 'single ''quoted''\n- sh -c 'y'\n`],
    ['the same with double quotes', `k:\n- "a \\"\n- sh -c "y"\n`],
    ['a quote alone', `k:\n- 'a\n- b\n`],
  ])('%s: is no YAML', (_, text) => {
    expect(outline(parse(text))).toBe('YAML_INVALID')
  })

  it.each([
    ['single', `- 'it''s'\n- ''''\n- ''\n`, ["it's", "'", '']],
    ['double', `- "a\\\\"\n- "\\""\n- ""\n`, ['a\\', '"', '']],
  ])('%s quotes that are closed are read', (_, text, expected) => {
    expect(outline(parse(text))).toEqual(expected)
  })
})
