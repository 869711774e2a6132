import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import type { Path } from '../../src/core/json.ts'
import type { FileReading } from '../../src/core/yaml/document.ts'
import { readFile } from '../../src/core/yaml/read-file.ts'
import {
  isAsMeant,
  isSameFix,
  readyFix,
  standApart,
  type ReadyFix,
  type RuleFix,
} from '../../src/lint/fix.ts'
import type { Edit } from '../../src/core/edits.ts'
import type { FieldEdit } from '../../src/lint/fix-edits.ts'

const fullParser = await loadFullParser()

function reading(text: string, template?: 'helm'): FileReading {
  const source = { path: 'job.yaml', bytes: new TextEncoder().encode(text) }
  const wanted = { all: true, needles: [] } as const
  return readFile(source, {
    wanted,
    fullParser,
    ...(template === undefined ? {} : { template }),
  })
}

function spliced(text: string, splices: readonly Edit[]): string {
  const bytes = Buffer.from(text)
  let out = ''
  let at = 0
  for (const { start, end, text: added } of splices) {
    out += bytes.subarray(at, start).toString() + added
    at = end
  }
  return out + bytes.subarray(at).toString()
}

/** The text after the edits, `refused` when there is no way, `unlike` when other things changed. */
function fixed(text: string, edits: readonly FieldEdit[], template?: 'helm'): string {
  const before = reading(text, template)
  const fix = ready(before, edits)
  if (fix === undefined) return 'refused'
  const after = spliced(text, fix.splices)
  return isAsMeant(before, reading(after, template), [fix]) ? after : 'unlike'
}

function ready(before: FileReading, edits: readonly FieldEdit[]): ReadyFix | undefined {
  const [document] = before.documents
  const fix: RuleFix = { safe: true, title: 'test', edits, ...(document && { document }) }
  return readyFix(fix, undefined)
}

const remove = (...path: Path): FieldEdit => ({ op: 'remove', path })
const set = (path: Path, value: string | number | boolean): FieldEdit => ({
  op: 'set',
  path,
  value,
})

describe('a field that is removed', () => {
  it.each<[string, string, Path, string]>([
    ['takes its line', 'spec:\n  a: 1\n  b: 2\n', ['spec', 'a'], 'spec:\n  b: 2\n'],
    [
      'takes the comment behind it, and no other one',
      '# x\nspec:\n  # about a\n  a: 1 # why\n  # about b\n  b: 2\n',
      ['spec', 'a'],
      '# x\nspec:\n  # about a\n  # about b\n  b: 2\n',
    ],
    ['takes all lines of a mapping', 'a:\n  b:\n    c: 1\n\n    d: [1]\ne: 2\n', ['a'], 'e: 2\n'],
    ['takes a block of text', 'a: |\n  one\n\n  two\nb: 2\n', ['a'], 'b: 2\n'],
    ['takes a list in the column of its key', 'a:\n- 1\n- 2\nb: 2\n', ['a'], 'b: 2\n'],
    ['may be without a value', 'a:\nb: 2\n', ['a'], 'b: 2\n'],
    ['may be the last line without an end', 'b: 2\na: 1', ['a'], 'b: 2\n'],
    ['keeps CRLF', 'a: 1\r\nb: 2\r\nc: 3\r\n', ['b'], 'a: 1\r\nc: 3\r\n'],
    ['keeps a byte order mark', '\ufeffa: 1\nb: 2\n', ['a'], '\ufeffb: 2\n'],
    [
      'leaves its place behind a dash to the next',
      'l:\n  - a: 1\n    b: 2\n',
      ['l', 0, 'a'],
      'l:\n  - b: 2\n',
    ],
    ['goes from braces with its comma', 'm: {a: 1, b: 2, c: 3}\n', ['m', 'b'], 'm: {a: 1, c: 3}\n'],
    ['goes from the end of braces', 'm: {a: 1, b: 2}\n', ['m', 'b'], 'm: {a: 1}\n'],
    ['goes from JSON', '{"a": 1, "b": [2]}', ['b'], '{"a": 1}'],
    ['goes from JSON on many lines', '{\n  "a": 1,\n  "b": 2\n}\n', ['a'], '{\n  "b": 2\n}\n'],
    [
      'goes from the end of JSON on many lines',
      '{\n  "a": 1,\n  "b": 2\n}\n',
      ['b'],
      '{\n  "a": 1\n}\n',
    ],
    [
      'takes the annotations with their last entry',
      'metadata:\n  annotations:\n    a: b\n  name: x\n',
      ['metadata', 'annotations', 'a'],
      'metadata:\n  name: x\n',
    ],
    ['may have an anchor that nobody uses', 'a: &x 1\nb: 2\n', ['a'], 'b: 2\n'],
  ])('%s', (_case, text, path, after) => {
    expect(fixed(text, [remove(...path)])).toBe(after)
  })

  it.each<[string, string, Path]>([
    ['that is the last one of a mapping', 'spec:\n  a: 1\nb: 2\n', ['spec', 'a']],
    ['that is not there', 'a: 1\nb: 2\n', ['c']],
    ['behind a dash with a comment below', 'l:\n  - a: 1\n    # b\n    b: 2\n', ['l', 0, 'a']],
    ['with a comment inside braces', 'm: {a: 1 # x\n  , b: 2}\n', ['m', 'a']],
  ])('is refused %s', (_case, text, path) => {
    expect(fixed(text, [remove(...path)])).toBe('refused')
  })

  it.each<[string, string, Path]>([
    ['an anchor that an alias repeats', 'a: &x\n  b: 1\n  c: 2\nd: *x\n', ['a', 'b']],
    ['an anchor that a merge key repeats', 'a: &x\n  b: 1\n  c: 2\nd:\n  <<: *x\n', ['d', 'b']],
    ['blank lines that become text', 'a: |+\n  one\nb: 1\n\n', ['b']],
  ])('is seen to change %s', (_case, text, path) => {
    expect(['unlike', 'refused']).toContain(fixed(text, [remove(...path)]))
  })

  it('stays where an action of a template would go with it', () => {
    const text = 'a: 1 {{- if .x }}\nb: 2\n{{- end }}\nc: 3\n'
    expect(['unlike', 'refused']).toContain(fixed(text, [remove('a')], 'helm'))
    expect(fixed('a: 1\nb: {{ .x }}\n', [remove('a')], 'helm')).toBe('b: {{ .x }}\n')
  })
})

describe('a field that is set', () => {
  it.each<[string, string, Path, string | number | boolean, string]>([
    ['keeps what stands around it', 'a:   1   # one\n', ['a'], 2, 'a:   2   # one\n'],
    ['keeps double quotes', 'a: "x"\n', ['a'], 'y', 'a: "y"\n'],
    ['keeps single quotes', "a: 'x'\n", ['a'], "it's", "a: 'it''s'\n"],
    ['is quoted where it would be no text', 'a: x\n', ['a'], 'yes', 'a: "yes"\n'],
    ['is quoted in braces', 'a: {b: x}\n', ['a', 'b'], 'y', 'a: {b: "y"}\n'],
    ['fills an empty value', 'a:  # why\nb: 1\n', ['a'], 'x', 'a: x  # why\nb: 1\n'],
    ['replaces a block of text', 'a: >-\n  x\n  y\nb: 1\n', ['a'], 'z', 'a: z\nb: 1\n'],
    ['comes first when it is new', 's:\n  b: 1\n', ['s', 'a'], 'x', 's:\n  a: x\n  b: 1\n'],
    ['comes first in CRLF', 's:\r\n  b: 1\r\n', ['s', 'a'], 'x', 's:\r\n  a: x\r\n  b: 1\r\n'],
    ['comes first in braces', 's: {b: 1}\n', ['s', 'a'], 'x', 's: {a: "x", b: 1}\n'],
    ['comes first in JSON', '{"s": {"b": 1}}', ['s', 'a'], 'x', '{"s": {"a": "x", "b": 1}}'],
    [
      'comes first in JSON on many lines',
      '{\n  "b": 1\n}\n',
      ['a'],
      'x',
      '{\n  "a": "x",\n  "b": 1\n}\n',
    ],
    [
      'brings the annotations',
      'metadata:\n  name: x\n',
      ['metadata', 'annotations', 'a/b'],
      'on',
      'metadata:\n  annotations:\n    a/b: "on"\n  name: x\n',
    ],
    [
      'brings the annotations in braces',
      'metadata: {name: x}\n',
      ['metadata', 'annotations', 'a'],
      'b',
      'metadata: {annotations: {a: "b"}, name: x}\n',
    ],
    ['fills braces', 's: {}\n', ['s', 'a'], 1, 's: {a: 1}\n'],
    ['fills JSON braces', '{"s": {}}', ['s', 'a'], 1, '{"s": {"a": 1}}'],
    ['fills a mapping that is empty', 's: # x\nb: 1\n', ['s', 'a'], 1, 's: # x\n  a: 1\nb: 1\n'],
    ['fills a last line without an end', 's:', ['s', 'a'], 1, 's:\n  a: 1'],
  ])('%s', (_case, text, path, value, after) => {
    expect(fixed(text, [set(path, value)])).toBe(after)
  })

  it.each<[string, string, Path]>([
    ['in place of a mapping', 'a: {b: 1}\n', ['a']],
    ['in place of a list', 'a: [1]\n', ['a']],
    ['in a mapping behind a dash', 'l:\n  - b: 1\n', ['l', 0, 'a']],
    ['where two mappings are missing', 'a: 1\n', ['b', 'c', 'd']],
    ['in a list', 'a: [1]\n', ['a', 1]],
  ])('is refused %s', (_case, text, path) => {
    expect(fixed(text, [set(path, 'x')])).toBe('refused')
  })

  it('is seen to change what an alias repeats', () => {
    expect(fixed('a: &x 1\nb: *x\n', [set(['a'], 2)])).toBe('unlike')
  })
})

describe('a key that stands twice', () => {
  const hidden = (text: string, template?: 'helm'): string => {
    const [twice] = reading(text, template).documents[0]?.duplicateKeys ?? []
    if (twice === undefined) return 'none'
    return fixed(text, [{ op: 'remove-hidden', path: twice.path, key: twice.first }], template)
  }

  it.each<[string, string, string]>([
    ['in a block', 'a: 1 # x\nb: 2\na: 3\n', 'b: 2\na: 3\n'],
    ['with a mapping', 'a:\n  b: 1\n  c:\n  - 1\nd: 1\na: {}\n', 'd: 1\na: {}\n'],
    ['with a list in its column', 'a:\n- b: 1\nd: 1\na: 2\n', 'd: 1\na: 2\n'],
    ['with a block of text', 'a: |\n  x\n\n  y\nd: 1\na: 2\n', 'd: 1\na: 2\n'],
    ['behind a dash', 'l:\n- a: 1\n  b: 2\n  a: 3\n', 'l:\n- b: 2\n  a: 3\n'],
    ['in braces', 'm: {a: "x, y", b: 2, a: 3}\n', 'm: {b: 2, a: 3}\n'],
    ['in JSON', '{"a": "{", "b": 2, "a": 3}', '{"b": 2, "a": 3}'],
    ['three times', 'a: 1\na: 2\na: 3\n', 'a: 2\na: 3\n'],
  ])('loses the first one %s', (_case, text, after) => {
    expect(hidden(text)).toBe(after)
  })

  it.each<[string, string]>([
    ['a mapping in braces', 'm: {a: {x: 1}, b: 2, a: 3}\n'],
    ['an explicit key', '? a\n: 1\nb: 2\na: 3\n'],
  ])('is left alone with %s', (_case, text) => {
    expect(hidden(text)).toBe('refused')
  })
})

describe('a comment that suppresses', () => {
  const without = (text: string, rule: string): string => {
    const before = reading(text)
    const [file] = [before.source]
    const start = Buffer.from(text).indexOf('# semel')
    const end = Buffer.from(text).indexOf('\n', start)
    const comment = { source: file, span: { start, end } }
    const edits: readonly FieldEdit[] = [{ op: 'unsuppress', comment, rule }]
    const fix = ready(before, edits)
    if (fix === undefined) return 'refused'
    const after = spliced(text, fix.splices)
    return isAsMeant(before, reading(after), [fix]) ? after : 'unlike'
  }

  it.each<[string, string, string, string]>([
    ['goes with its line', 'a: 1\n  # semel-ignore x: y\nb: 2\n', 'x', 'a: 1\nb: 2\n'],
    ['goes from the end of a line', 'a: 1  # semel-ignore x: y\nb: 2\n', 'x', 'a: 1\nb: 2\n'],
    [
      'keeps its other rules',
      '# semel-ignore x, z,w: y: z\na: 1\n',
      'z',
      '# semel-ignore x, w: y: z\na: 1\n',
    ],
    ['goes from a file', '# semel-ignore-file x: y\na: 1\n', 'x', 'a: 1\n'],
  ])('%s', (_case, text, rule, after) => {
    expect(without(text, rule)).toBe(after)
  })
})

describe('two fixes', () => {
  const fixes = (text: string, one: FieldEdit, other: FieldEdit) => {
    const before = reading(text)
    return [ready(before, [one]), ready(before, [other])] as [ReadyFix, ReadyFix]
  }

  it('can be made together where they stand apart', () => {
    const text = 'a: 1\nb: 2\nc: 3\n'
    expect(standApart(...fixes(text, remove('a'), remove('c')))).toBe(true)
    expect(standApart(...fixes(text, remove('a'), remove('b')))).toBe(false)
    expect(standApart(...fixes(text, remove('a'), set(['a'], 2)))).toBe(false)
    expect(standApart(...fixes(text, set(['d'], 2), set(['e'], 2)))).toBe(false)
  })

  it('are the same when they change the same bytes', () => {
    const [one, other] = fixes('a: 1\nb: 2\n', remove('a'), set(['b'], 3))
    expect(isSameFix(one, one)).toBe(true)
    expect(isSameFix(one, other)).toBe(false)
    expect(isSameFix(undefined, other)).toBe(false)
  })
})

describe('any fix', () => {
  it('stands in a file of its own, never inside another text', () => {
    const before = reading('a: 1\nb: 2\n')
    const outer = { source: before.source, offsetOf: (at: number) => at }
    const [document] = before.documents
    if (document === undefined) throw new Error('no document')
    const inner = { ...document, source: { ...document.source, outer } }
    const fix = { safe: true, title: 't', document: inner, edits: [remove('a')] }
    expect(readyFix(fix, undefined)).toBeUndefined()
  })

  it('is refused where the file came to hold something else', () => {
    const before = reading('a: 1\nb: 2\n')
    const fix = ready(before, [remove('a')])
    if (fix === undefined) throw new Error('no fix')
    expect(isAsMeant(before, reading('b: 2\n'), [fix])).toBe(true)
    expect(isAsMeant(before, reading('b: 3\n'), [fix])).toBe(false)
    expect(isAsMeant(before, reading('b: 2\n---\na: 1\n'), [fix])).toBe(false)
    expect(isAsMeant(before, reading('b: [\n'), [fix])).toBe(false)
  })

  it('changes what it means and nothing else, whatever the layout', () => {
    const key = fc.constantFrom('a', 'b', 'c', '"d"', 'e/f')
    const scalar = fc.constantFrom('1', 'x', '"y z"', "'q'", '', '[1, 2]', '{a: 1, b: 2}', '~')
    const entry = fc.tuple(key, scalar, fc.constantFrom('', ' # note', '  '))
    const node = fc.uniqueArray(entry, { minLength: 2, maxLength: 5, selector: ([name]) => name })
    const text = fc
      .tuple(node, fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
      .map(([entries, br, isEnded, isNested]) => {
        const lines = entries.map(([name, value, tail]) => {
          const note = value === '' ? tail : `${value}${tail}`
          return `${isNested ? '  ' : ''}${name}: ${note}`
        })
        return (isNested ? ['s:', ...lines] : lines).join(br) + (isEnded ? br : '')
      })
    fc.assert(
      fc.property(text, fc.nat(4), fc.boolean(), (written, pick, isRemoval) => {
        const value = reading(written).documents[0]?.value() as Record<string, unknown>
        const nested = 's' in value ? (value['s'] as Record<string, unknown>) : value
        const names = Object.keys(nested)
        const name = names[pick % names.length] ?? ''
        const path = 's' in value ? ['s', name] : [name]
        const edit = isRemoval ? remove(...path) : set([...path.slice(0, -1), 'new'], 'off')
        const after = fixed(written, [edit])
        expect(after, written).not.toBe('unlike')
        expect(after, written).not.toBe('refused')
        if (isRemoval) return
        const back = fixed(after, [remove(...path.slice(0, -1), 'new')])
        expect(back).toBe(written)
      }),
      { numRuns: 400 },
    )
  })
})
