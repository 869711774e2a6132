import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { readFile } from '../yaml/read-file.ts'
import { yamlStream } from './write-stream.ts'

/** Every reader that somebody may put behind us: YAML 1.1 and 1.2, Kubernetes, kustomize. */
function readings(text: string): readonly unknown[] {
  const source = { path: 'out.yaml', bytes: new TextEncoder().encode(text) }
  const wanted = { all: true, needles: [] }
  const reading = readFile(source, { wanted, fullParser: undefined })
  expect(reading.errors).toEqual([])
  const [document] = reading.documents
  return [
    parse(text, { version: '1.1' }),
    parse(text, { version: '1.2' }),
    load(text),
    document?.value('kubernetes'),
    document?.value('kustomize'),
  ]
}

function expectSame(object: JsonObject): void {
  for (const read of readings(yamlStream([object]))) expect(read).toEqual(object)
}

describe('yamlStream', () => {
  it.each<[string, string]>([
    ['a word', 'shop'],
    ['an image', 'my/app:4.2.0@sha256:11'],
    ['a schedule', '0 2 * * *'],
    ['an option', '--rows=100'],
    ['a reference', '-$(A)'],
  ])('leaves %s without quotes', (_case, text) => {
    expect(yamlStream([{ a: text }])).toBe(`a: ${text}\n`)
    expectSame({ a: text })
  })

  const WORDS = `yes No ON off y N true False null Null ~ = << . .5 .inf - -- ... # a: : ? *a &a !a [a] {a} a]
    \`a\` @a %a "a" 'a' a"b a'b 1 -1 +1 1.0 1e3 1E3 0x1f 0o17 017 0b1 1_000 12:30 190:20:30 1. 2024-01-01 e0
    2024-01-01T00:00:00Z 123e45 12e3 0e1 1e 5423a156 00000000 1-2 1.2.3 10.0.0.1 1,000 a|b | > é 😀`
  const SPACED = [
    ['', ' ', ' x', 'x ', '- x', '--- x', 'a #b', 'a: b', 'a, b', '2024-1-1 1:1:1', '\t', 'a\tb'],
    ['\u0085', '\u2028', '\ufeffa', '\u0000', '\u007f'],
  ].flat()
  const ODD = [WORDS.split(/\s+/), SPACED].flat()

  it.each(ODD)(
    'writes %j so that every reader takes it for text, as value, key and item',
    (text) => {
      expectSame({ a: text })
      expectSame({ [text]: 'x' })
      expectSame({ a: [text, { b: text }] })
    },
  )

  it.each<[string, string]>([
    ['a script', 'set -e\n./migrate.sh\n  indented\n\nend'],
    ['a script with an end', 'set -e\n./migrate.sh\n'],
    ['two ends', 'a\nb\n\n'],
    ['a beginning with space', '  a\nb'],
    ['a beginning with an empty line', '\na\nb'],
    ['space at the end of a line', 'a \nb'],
    ['a line of spaces', 'a\n  \nb'],
    ['a tab', 'a\n\tb'],
    ['a carriage return', 'a\r\nb'],
    ['a document mark', 'a\n---\nb'],
    ['a comment', 'a\n# b\nc'],
    ['an odd sign', 'a\n\u0001b'],
    ['only line ends', '\n\n'],
  ])('writes text of several lines: %s', (_case, text) => {
    expectSame({ a: text, b: [text, [text]], c: { d: text } })
  })

  it('writes scripts as blocks', () => {
    expect(yamlStream([{ a: ['x\n  y', { b: 'c\nd\n' }] }])).toBe(
      'a:\n- |-\n  x\n    y\n- b: |\n    c\n    d\n',
    )
  })

  it('puts --- between objects and nothing before the first', () => {
    expect(yamlStream([])).toBe('')
    expect(yamlStream([{ a: 1 }, { b: null }])).toBe('a: 1\n---\nb: null\n')
  })

  const SIGNS = '01eExob_.:-+ \n\ta#"\'[]{},&*!|>%@`~=<yno'

  it('comes back from every reader as it was, whatever it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({
        unit: fc.constantFrom(...Array.from(SIGNS)),
        maxLength: 6,
      }),
      fc.constantFrom(...ODD),
    )
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(
        fc.dictionary(text, value, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
        (object) => {
          fc.pre(!JSON.stringify(object).includes('__proto__'))
          expectSame(object)
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 300) },
    )
  })
})
