import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { bytesOf } from './bytes.ts'
import { StructuralParser } from './structural.ts'
import { TapeDocument } from './tape-document.ts'

function read(text: string): TapeDocument | undefined {
  const bytes = bytesOf(text)
  const result = new StructuralParser().parse(bytes, 0, bytes.length, 50)
  if (result.outcome !== 'read') return undefined
  const span = { start: 0, end: result.end }
  return new TapeDocument({
    source: { path: 'a.yaml', bytes },
    span,
    index: 0,
    parser: 'structural',
    tape: { cells: result.cells, texts: [] },
    ...(result.ascii && { ascii: span }),
  })
}

describe('what the structural parser reads', () => {
  it.each<[string, string, Json]>([
    ['a mapping', 'a: 1\nb: x\n', { a: 1, b: 'x' }],
    ['an indented root', '  a: 1\n  b: 2\n', { a: 1, b: 2 }],
    ['a list at the column of its key', 'a:\n- 1\n- 2\nb: 3\n', { a: [1, 2], b: 3 }],
    ['a list below its key', 'a:\n  - b: 1\n    c: 2\n  - d\n', { a: [{ b: 1, c: 2 }, 'd'] }],
    ['lists in lists', '- - a\n  - b\n-\n  - c\n- \n', [['a', 'b'], ['c'], null]],
    ['missing values', 'a:\nb: # none\nc: ~\n', { a: null, b: null, c: null }],
    ['a scalar below its key', 'a:\n  b\nc: "d"\n', { a: 'b', c: 'd' }],
    ['comments', '# x\na: 1 # y\n  # z\nb: x#y\n', { a: 1, b: 'x#y' }],
    [
      'colons and dashes in text',
      'a: b:c -d\np: :80 :x\nu: http://x:80/\n',
      { a: 'b:c -d', p: ':80 :x', u: 'http://x:80/' },
    ],
    ['single quotes', "'a b': 'it''s'\n", { 'a b': "it's" }],
    ['double quotes', '"a": "\\"\\u00e9\\x41\\n\\\\ "\n', { a: '"éA\n\\ ' }],
    ['flow collections', 'a: {b: [1, x y], "c":2}\nd: []\n', { a: { b: [1, 'x y'], c: 2 }, d: [] }],
    ['flow over lines', 'a: [\n  1, # one\n  2,\n]\nb: 1\n', { a: [1, 2], b: 1 }],
    ['flow less indented than its key, as Go does', 'a:\n  b: [1,\n2]\n', { a: { b: [1, 2] } }],
    ['CRLF', 'a: |\r\n  x\r\n  y\r\nb: "c"\r\n', { a: 'x\ny\n', b: 'c' }],
    ['no last line end', 'a: b', { a: 'b' }],
    ['string tags', 'a: !!str 1\nb: !!str  yes # no\n', { a: '1', b: 'yes' }],
    ['question marks', '? a\n: b\nc: d\n? "e" \n:  {f: 1}\n', { a: 'b', c: 'd', e: { f: 1 } }],
    ['question marks in lists', '- ? a\n  : b\n  c: d\n', [{ a: 'b', c: 'd' }]],
    ['text in other scripts', 'ü: “x” 日本\n', { ü: '“x” 日本' }],
    ['__proto__ as an ordinary key', '{"__proto__": 1}', JSON.parse('{"__proto__": 1}') as Json],
  ])('%s', (_name, text, value) => {
    expect(read(text)?.value()).toEqual(value)
  })

  it.each<[string, string, Json]>([
    ['plain', 'a: b\n  c  \n\n  - d\ne: 1\n', { a: 'b c\n- d', e: 1 }],
    ['plain in lists', '- a\n  b\n- c: d\n   e\n', ['a b', { c: 'd e' }]],
    ['plain, CRLF', 'a: b\r\n  c\r\n', { a: 'b c' }],
    ['single quotes', "a: 'b  \n\n  it''s'\n", { a: "b\nit's" }],
    ['double quotes', 'a: "b\\n \n  c\\\n  d \\\n  e\\\\\n\n  f"\n', { a: 'b\n cd e\\\nf' }],
    ['quotes in braces', 'a: ["b\n  c"]\n', { a: ['b c'] }],
    ['quotes less indented than their key, as Go does', 'a: "b\nc"\n', { a: 'b c' }],
  ])('text over several lines: %s', (_name, text, value) => {
    expect(read(text)?.value()).toEqual(value)
  })

  it.each<[string, string, string]>([
    ['with an indentation digit', 'a: |1-\n  x\n y\n', ' x\ny'],
    ['with the digit last', 'a: >-2\n   x\n  y\n', ' x\ny'],
    ['literal', 'a: |\n  x\n   y\n\n  z\n\nb: 1\n', 'x\n y\n\nz\n'],
    ['literal, stripped', 'a: |-\n  x\n\n', 'x'],
    ['literal, kept', 'a: |+\n  x\n\n\nb: 1\n', 'x\n\n\n'],
    ['literal with blank lines first', 'a: |\n\n  x\n', '\nx\n'],
    ['literal with a tab in a line', 'a: |\n  x\ty\n', 'x\ty\n'],
    ['folded', 'a: >\n  x\n  y\n\n  z\n', 'x y\nz\n'],
    ['folded around indented lines', 'a: >-\n  x\n    y\n  z\n', 'x\n  y\nz'],
    ['empty', 'a: |\nb: 1\n', ''],
    ['a comment behind the header', 'a: | # c\n  x\n', 'x\n'],
    ['no last line end', 'a: |\n  x', 'x\n'],
  ])('block scalar: %s', (_name, text, value) => {
    expect(read(text)?.value()).toMatchObject({ a: value })
  })

  it('leaves out the last line end for kustomize when the file has none', () => {
    expect(read('a: |\n  x')?.value('kustomize')).toEqual({ a: 'x' })
    expect(read('a: |\n  x\n')?.value('kustomize')).toEqual({ a: 'x\n' })
  })

  it.each<[string, string, Json]>([
    ['a scalar', 'a: &x 1\nb: *x\n', { a: 1, b: 1 }],
    ['a mapping', 'a: &x\n  k: v\nb: *x\n', { a: { k: 'v' }, b: { k: 'v' } }],
    ['a list item', '- &x {k: v}\n- *x\n', [{ k: 'v' }, { k: 'v' }]],
    ['a key', 'a: &x k\n*x : 1\nb:\n- *x : 2\n', { a: 'k', k: 1, b: [{ k: 2 }] }],
    ['the last anchor of a name', 'a: &x 1\nb: &x 2\nc: *x\n', { a: 1, b: 2, c: 2 }],
  ])('anchors: %s', (_name, text, value) => {
    expect(read(text)?.value()).toEqual(value)
  })
})

describe('what the structural parser hands back', () => {
  it.each([
    ['tabs as indentation', 'a:\n\tb: 1\n'],
    ['a tab behind a key', 'a:\tb\n'],
    ['a tab in place of indentation', 'a: |\n  x\n\ty\n'],
    ['a lone carriage return', 'a: b\rc: d\n'],
    ['control characters', 'a: b\u0007\n'],
    ['tags', 'a: !!int 1\n'],
    ['a string tag without text', 'a: !!str\nb: 1\n'],
    ['a string tag before quotes', 'a: !!str "b"\n'],
    ['text over lines behind a string tag', 'a: !!str b\n  c\n'],
    ['a tag in a list', '- !!str b\n'],
    ['merge keys', 'a: {<<: x}\n'],
    ['merge keys of block mappings', '<<: x\n'],
    ['a question mark without a value', '? a\nb: c\n'],
    ['a question mark before a key over lines', '? a\n  b\n: c\n'],
    ['a question mark before a quoted key over lines', '? "a\n  b"\n: c\n'],
    ['a question mark before a mapping', '? a: b\n: c\n'],
    ['a mapping in the line of the value', '? a\n: b: c\n'],
    ['a list in the line of the value', '? a\n: - b\n'],
    ['a value below its colon', '? a\n:\n- b\n'],
    ['a comment between key and value', '? a\n# x\n: b\n'],
    ['a merge key behind a question mark', '? <<\n: b\n'],
    ['a quoted key over lines', '"a\n  b": c\n'],
    ['plain text over lines in braces', 'a: [b\n  c]\n'],
    ['plain text that goes on behind a comment', 'a: b # x\n  c\n'],
    ['a key inside plain text', 'a: b\n  c: d\n'],
    ['directives', '%YAML 1.2\n'],
    ['mappings in one line', 'a: b: c\n'],
    ['a list behind a key', 'a: - b\n'],
    ['a list item among keys', 'a: b\n- c\n'],
    ['keys in different columns', 'a: 1\n  b: 2\n'],
    ['a single pair in a list', '[a: b]\n'],
    ['text behind quotes', 'a: "b" c\n'],
    ['an open bracket', 'a: [b\n'],
    ['an alias without an anchor', 'a: *x\n'],
    ['an alias inside its own anchor', 'a: &x [*x]\n'],
    ['an anchor of an alias', 'a: &x 1\nb: &y *x\n'],
    ['a collection as a key', 'a: &x [1]\n*x : 2\n'],
    ['an anchor of a key', '- &x a: 1\n'],
    ['a half surrogate', 'a: "\\ud83d"\n'],
    ['line breaks of YAML 1.1', 'a: b\u2028c\n'],
    ['a byte order mark inside', 'a: b\ufeffc\n'],
    ['a blank line longer than the text below it', 'a: |\n     \n  x\n'],
    ['a root that is text', 'abc\n'],
  ])('%s', (_name, text) => {
    expect(read(text)).toBeUndefined()
  })

  it('bytes that are no UTF-8', () => {
    const bytes = Uint8Array.of(0x61, 0x3a, 0x20, 0xff, 0x0a)
    expect(new StructuralParser().parse(bytes, 0, bytes.length, 50).outcome).toBe('handed-back')
  })

  it('says when it met a template action outside quotes', () => {
    for (const text of ['a: {{ .x }}\n', '{{ if }}\na: 1\n', 'a:\n  - {{ .x }}\n']) {
      const bytes = bytesOf(text)
      const result = new StructuralParser().parse(bytes, 0, bytes.length, 50)
      expect(result).toEqual({ outcome: 'handed-back', isTemplate: true })
    }
  })

  it('refuses what is nested too deep, in blocks and in braces', () => {
    const inBraces = bytesOf('['.repeat(60))
    const inLists = bytesOf('- '.repeat(60))
    for (const bytes of [inBraces, inLists]) {
      expect(new StructuralParser().parse(bytes, 0, bytes.length, 50).outcome).toBe('too-deep')
    }
  })
})

describe('where a document ends', () => {
  it.each([
    ['at three dots', 'a: 1\n...\nb: 2\n', 5],
    ['below a root in braces', '{a: 1}\nb: 2\n', 7],
    ['left of an indented root', '  a: 1\nb: 2\n', 7],
    ['not at dots inside a value', 'a: ...\nb: 2\n', 12],
  ])('%s', (_name, text, end) => {
    expect(read(text)?.span.end).toBe(end)
  })
})

describe('positions', () => {
  const text = 'a: &x "v" # c\nlist:\n  - k: |\n      t\n    ü: {q: [1]}\nnone:\nagain: *x\n'
  const bytes = bytesOf(text)
  const slice = (start: number, end: number): string =>
    new TextDecoder().decode(bytes.subarray(start, end))

  it.each<[string, (string | number)[], string | undefined, string]>([
    ['a quoted value with its quotes', ['a'], 'a', '"v"'],
    ['a list from its first dash', ['list'], 'list', '- k: |\n      t\n    ü: {q: [1]}'],
    ['an item from its first key', ['list', 0], undefined, 'k: |\n      t\n    ü: {q: [1]}'],
    ['a block scalar from its header', ['list', 0, 'k'], 'k', '|\n      t'],
    ['braces', ['list', 0, 'ü'], 'ü', '{q: [1]}'],
    ['an item in braces', ['list', 0, 'ü', 'q', 0], undefined, '1'],
    ['a missing value behind its colon', ['none'], 'none', ''],
    ['an alias at its anchor', ['again'], 'again', '"v"'],
  ])('%s', (_name, path, key, value) => {
    const found = read(text)?.locate(path)
    expect(found && slice(found.value.start, found.value.end)).toBe(value)
    expect(found?.key && slice(found.key.start, found.key.end)).toBe(key)
  })

  it('has none for what is not there', () => {
    expect(read(text)?.locate(['list', 1])).toBeUndefined()
    expect(read(text)?.locate(['a', 'b'])).toBeUndefined()
    expect(read(text)?.locate([0])).toBeUndefined()
  })
})
