import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullParser } from '../../../test/stamp/harness.ts'
import { readFile } from './read-file.ts'
import { doubleQuoted, isPlainText, singleQuoted } from './write-scalar.ts'

/** What both readings make of a scalar behind a key. */
function read(scalar: string): readonly unknown[] {
  const source = { path: 'a', bytes: new TextEncoder().encode(`a: ${scalar} # b\n`) }
  const wanted = { all: true, needles: [] }
  const [document] = readFile(source, { wanted, fullParser }).documents
  return [document?.value('kubernetes'), document?.value('kustomize')]
}

const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.constantFrom(
    '',
    'yes',
    '1e3',
    '0x1f',
    '12:30:45',
    '2024-01-01',
    'null',
    '~',
    'a: b',
    'it’s',
    "it's",
  ),
)

describe('text written as a scalar', () => {
  it('reads as itself in double quotes', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(doubleQuoted(text))).toEqual([{ a: text }, { a: text }])
      }),
    )
  })

  it('reads as itself in single quotes and without any, where these can hold it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const single = singleQuoted(text)
        if (single !== undefined) expect(read(single)).toEqual([{ a: text }, { a: text }])
        if (isPlainText(text)) expect(read(text)).toEqual([{ a: text }, { a: text }])
      }),
    )
  })

  it.each([
    ['app:1.2', true],
    ['a/b@c', true],
    ['yes', false],
    ['1.20', false],
    ['1e3', false],
    ['a:', false],
    ['a b', false],
    ['-a', false],
    ['', false],
  ])('needs quotes or not: %s', (text, isPlain) => {
    expect(isPlainText(text)).toBe(isPlain)
  })

  it('cannot be held by single quotes where a sign is not printable', () => {
    expect(singleQuoted("it's")).toBe("'it''s'")
    expect(singleQuoted('a\nb')).toBeUndefined()
    expect(singleQuoted('a\u2028b')).toBeUndefined()
  })
})
