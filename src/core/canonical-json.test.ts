import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { Fault } from './faults.ts'
import { sha256Hex } from './hash.ts'
import type { Json } from './json.ts'

const intentLine = (tag: string): string =>
  `{"kind":"Job","spec":{},"template":{"spec":{"automountServiceAccountToken":false,"containers":[{"command":["sh","-c","./migrate.sh"],"env":[{"name":"NAMESPACE","valueFrom":{"fieldRef":{"fieldPath":"metadata.namespace"}}}],"image":"my/migrator:${tag}","imagePullPolicy":"IfNotPresent","name":"migrate"}],"restartPolicy":"Never","serviceAccountName":"default"}}}`

describe('canonicalJson', () => {
  it.each<[string, Json, string]>([
    ['an empty object', {}, '{}'],
    ['an empty list', [], '[]'],
    ['no white space', { a: [1, { b: null }], c: true }, '{"a":[1,{"b":null}],"c":true}'],
    [
      'keys sorted by code unit',
      { b: 1, a: 2, B: 3, '10': 4, '9': 5 },
      '{"10":4,"9":5,"B":3,"a":2,"b":1}',
    ],
    [
      'a key of two code units before a later single one',
      { '\uFB33': 1, '\u{1F600}': 2, '\u20AC': 3, '\r': 4, '\u0080': 5, ö: 6 },
      '{"\\r":4,"\u0080":5,"ö":6,"\u20AC":3,"\u{1F600}":2,"\uFB33":1}',
    ],
    ['short escapes', '\b\t\n\f\r"\\', String.raw`"\b\t\n\f\r\"\\"`],
    ['other control characters in lower case hex', '\u000f\u001f', String.raw`"\u000f\u001f"`],
    ['no escape for / and DEL', '/\u007f', '"/\u007f"'],
    ['no Unicode normalisation', 'A\u030a', '"A\u030a"'],
    ['negative zero', -0, '0'],
    ['a large number in exponent form', 1e21, '1e+21'],
    ['the last number without exponent', 1e20, '100000000000000000000'],
    ['a small number in exponent form', 1e-7, '1e-7'],
    ['a fraction', 4.5, '4.5'],
    ['a fraction with a trailing zero', 2.0, '2'],
    ['the smallest number', 5e-324, '5e-324'],
    ['the largest number', Number.MAX_VALUE, '1.7976931348623157e+308'],
    ['digits that round trip', Number('333333333.33333329'), '333333333.3333333'],
    ['a bigint in full', 123456789012345678901234567890n, '123456789012345678901234567890'],
    ['members that are undefined left out', { a: undefined, b: 1 }, '{"b":1}'],
    [
      'an own key that is called __proto__',
      JSON.parse('{"__proto__":1}') as Json,
      '{"__proto__":1}',
    ],
    [
      'an object without prototype',
      Object.assign(Object.create(null), { a: 1 }) as Json,
      '{"a":1}',
    ],
  ])('writes %s', (_name, value, expected) => {
    expect(canonicalJson(value)).toBe(expected)
  })

  it.each([
    ['v1', '0231d2e97649814295d3aa9c5627178f329a1f0826d6073954171c84d8e621fd'],
    ['v2', '9d5fdc30'],
  ])('gives the published digest of the job group example, %s', (tag, digest) => {
    const line = canonicalJson(JSON.parse(intentLine(tag)) as Json)
    expect(line).toBe(intentLine(tag))
    expect(sha256Hex(`semel.intent/v1\n${line}`).slice(0, digest.length)).toBe(digest)
  })

  it.each<[string, unknown, string]>([
    ['NaN', { spec: { limit: Number.NaN } }, 'spec.limit is NaN'],
    ['Infinity', [1, -Infinity], '[1] is -Infinity'],
    ['half a surrogate pair', { a: ['\ud800'] }, 'a[0] is text with half a surrogate pair'],
    [
      'half a surrogate pair in a key',
      { 'x\udfff': 1 },
      'the value is text with half a surrogate pair',
    ],
    ['undefined in a list', { args: ['a', undefined] }, 'args[1] is undefined'],
    // oxlint-disable-next-line no-sparse-arrays
    ['a hole in a list', { args: ['a', , 'b'] }, 'args[1] is undefined'],
    ['a map', { a: new Map() }, 'a is an instance of Map'],
    ['a date', { a: new Date(0) }, 'a is an instance of Date'],
    ['a boxed string', { a: Object('x') as unknown }, 'a is an instance of String'],
    ['bytes', { a: new Uint8Array(1) }, 'a is an instance of Uint8Array'],
    ['a function', { a: () => 1 }, 'a is function'],
    ['a symbol', Symbol('x'), 'the value is symbol'],
  ])('refuses %s and names the field', (_name, value, what) => {
    expect(() => canonicalJson(value as Json)).toThrow(Fault)
    expect(() => canonicalJson(value as Json)).toThrow(
      expect.objectContaining({ code: 'VALUE_NOT_CANONICAL', message: what }) as Error,
    )
  })

  it('says the same for a value and for its copy in another key order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = reversedKeys(value)
        expect(canonicalJson(copy)).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(copy))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('says different things for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other)
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
        expect(same).toBe(
          JSON.stringify(sortedKeys(plain(one))) === JSON.stringify(sortedKeys(plain(other))),
        )
      }),
    )
  })
})

function reversedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as Record<string, Json>).toReversed()
  return Object.fromEntries(entries.map(([key, item]) => [key, reversedKeys(item)]))
}

/** As a list of pairs, so that integer-like keys cannot move. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sortedKeys)]
  if (typeof value !== 'object' || value === null) return value
  return [
    'map',
    ...Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sortedKeys(item)]),
  ]
}
