import type { Functions } from './exec.ts'
import { sprintf } from './printf.ts'
import {
  entriesOf,
  isGoObject,
  isMap,
  isNil,
  isSequence,
  own,
  printed,
  truth,
  typeOf,
  type Value,
  type ValueMap,
} from './value.ts'

/** Go's own functions: comparison, printing, indexing. */
export const builtins: Functions = {
  not: (value) => !truth(value),
  eq: (one, ...others) => {
    if (others.length === 0) throw new Error('missing argument for comparison')
    return others.some((other) => isEqual(one, other))
  },
  ne: (one, other) => !isEqual(one, other),
  lt: (one, other) => compare(one, other) < 0,
  le: (one, other) => compare(one, other) <= 0,
  gt: (one, other) => compare(one, other) > 0,
  ge: (one, other) => compare(one, other) >= 0,
  len: lengthOf,
  index: (value, ...keys) => keys.reduce<Value>(indexed, value),
  slice: (value, from = 0n, to) => {
    if (typeof value !== 'string' && !isSequence(value)) throw new Error('cannot slice')
    return value.slice(Number(from), to === undefined ? undefined : Number(to))
  },
  print: (...values) => spaced(values),
  println: (...values) => `${values.map((value) => printed(value, true)).join(' ')}\n`,
  printf: (format, ...values) => sprintf(printed(format), values),
  html: (...values) => spaced(values).replaceAll(/[<>&'"\0]/g, (sign) => HTML[sign] ?? sign),
  js: (...values) =>
    // eslint-disable-next-line no-control-regex
    spaced(values).replaceAll(/[\\'"<>&=\u0000-\u001f]/g, (sign) => {
      const hex = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      return '\\\'"'.includes(sign) ? `\\${sign}` : `\\u${hex}`
    }),
  urlquery: (...values) => queryEscaped(spaced(values)),
  call: (value) => {
    throw new Error(`non-function of type ${typeOf(value)}`)
  },
}

const HTML: { readonly [sign: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&#39;',
  '"': '&#34;',
  '\0': '\ufffd',
}

function queryEscaped(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** fmt.Sprint: a space between two operands when neither is text. */
function spaced(values: readonly Value[]): string {
  let text = ''
  values.forEach((value, at) => {
    const before = values[at - 1]
    if (at > 0 && typeof before !== 'string' && typeof value !== 'string') text += ' '
    text += printed(value, true)
  })
  return text
}

function lengthOf(value: Value): bigint {
  if (typeof value === 'string') return BigInt(new TextEncoder().encode(value).length)
  if (isSequence(value)) return BigInt(value.length)
  const map = entriesOf(value)
  if (map !== undefined) return BigInt(Object.keys(map).length)
  if (isNil(value)) throw new Error('len of nil pointer')
  throw new Error(`len of type ${typeOf(value)}`)
}

function indexed(value: Value, key: Value): Value {
  if (isNil(value)) throw new Error('index of untyped nil')
  if (isSequence(value) || typeof value === 'string') {
    if (typeof key !== 'bigint')
      throw new Error(`cannot index slice/array with type ${typeOf(key)}`)
    const items = typeof value === 'string' ? new TextEncoder().encode(value) : value
    const at = Number(key)
    if (at < 0 || at >= items.length) throw new Error(`index out of range: ${at}`)
    const item = items[at]
    return typeof value === 'string' ? BigInt(Number(item)) : item
  }
  const map = entriesOf(value)
  if (map === undefined) throw new Error(`can't index item of type ${typeOf(value)}`)
  if (typeof key !== 'string') {
    throw new Error(`value has type ${typeOf(key)}; should be string`)
  }
  return own(map, key)
}

/** Nil equals nil alone; other kinds are compared with their own only. */
function isEqual(one: Value, other: Value): boolean {
  if (isNil(one) || isNil(other)) {
    if (isSequence(one) || isMap(one))
      throw new Error(`uncomparable type ${typeOf(one)}: ${printed(one)}`)
    return isNil(one) && isNil(other)
  }
  if (isGoObject(one) && isGoObject(other)) return one.text === other.text
  if (typeof one === 'object') throw new Error(`uncomparable type ${typeOf(one)}: ${printed(one)}`)
  return compare(one, other) === 0
}

/** Go refuses to compare an int with a float. */
function compare(one: Value, other: Value): number {
  const isBad = (value: Value): boolean => isNil(value) || typeof value === 'object'
  if (isBad(one) || (isBad(other) && isNil(other))) throw new Error('invalid type for comparison')
  if (typeof one !== typeof other) throw new Error('incompatible types for comparison')
  const [left, right] = [one as string | number | bigint | boolean, other]
  if (left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

export function asMap(value: Value): ValueMap {
  if (isNil(value)) return {}
  if (!isMap(value)) throw new Error(`expected a map, got ${printed(value)}`)
  return value
}
