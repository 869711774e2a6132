import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf } from './bytes.ts'
import { JsonParser } from './json-parser.ts'
import { readFile } from './read-file.ts'

const parser = new JsonParser()

function value(text: string): unknown {
  const { documents } = readFile(
    { path: 'a.json', bytes: bytesOf(text) },
    { wanted: { all: true, needles: [] }, fullParser: undefined },
  )
  return documents[0]?.value()
}

describe('JSON documents', () => {
  it('have the values of JSON.parse', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent ? 2 : undefined)
        expect(value(text)).toEqual(asGo(JSON.parse(text)))
      }),
    )
  })

  it.each<[string, unknown]>([
    ['{"a": 9007199254740993}', { a: 9007199254740993n }],
    ['{"a": 12345678901234567890}', { a: 12345678901234567000 }],
    ['{"a": 1e3, "b": -0, "c": 1.50}', { a: 1000, b: 0, c: 1.5 }],
    ['{"a": "\\ud83d\\ude00", "b": "\\ud83d", "c": "\\/\\b"}', { a: '😀', b: '\ufffd', c: '/\b' }],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['\t{\r\n\t"a" : [ ] }', { a: [] }],
  ])('%s', (text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  it.each([
    ['{"a": 01}', 7],
    ['{"a": 1,}', 8],
    ['{"a": .5}', 6],
    ['{"a": "x', 8],
    ['{"a": "\t"}', 7],
    ['{"a": "\\q"}', 7],
    ['{"a": nul}', 6],
    ['{a: 1}', 1],
    ['{"a" 1}', 5],
    ['{"a": 1e999}', 11],
    ['[1 2]', 3],
  ])('%s is wrong at %i', (text, at) => {
    const bytes = bytesOf(text)
    expect(parser.parse(bytes, 0, bytes.length, 50)).toMatchObject({ outcome: 'invalid', at })
  })

  it('that are nested too deep are refused', () => {
    const bytes = bytesOf('['.repeat(60))
    expect(parser.parse(bytes, 0, bytes.length, 50)).toMatchObject({ outcome: 'too-deep', at: 50 })
  })
})

/** Half surrogates are U+FFFD for Go, -0 is 0, and whole numbers of 64 bits stay exact. */
function asGo(json: unknown): unknown {
  if (typeof json === 'string') return Buffer.from(json).toString()
  if (typeof json === 'number') {
    const isExact =
      Number.isInteger(json) && !Number.isSafeInteger(json) && Math.abs(json) < 2 ** 63
    return isExact ? BigInt(String(json)) : json + 0
  }
  if (Array.isArray(json)) return json.map(asGo)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, item]) => [Buffer.from(key).toString(), asGo(item)]),
  )
}
