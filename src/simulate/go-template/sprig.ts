import { sha256Hex } from '../../core/hash.ts'
import { isMap, isSequence, printed, truth, type Value, type ValueMap } from './value.ts'
import type { Functions } from './exec.ts'
import { asMap } from './functions.ts'

/**
 * The functions of sprig and slim-sprig that charts and ResourceSets use most: text, defaults,
 * lists, dicts, whole numbers, digests. What reads a clock, chance or the world is not here.
 */
export const sprig: Functions = {
  ...texts(),
  ...defaults(),
  ...lists(),
  ...dicts(),
  ...numbers(),
  ...conversions(),
}

function text(value: Value): string {
  return printed(value)
}

function count(value: Value): number {
  return Number(typeof value === 'string' ? value.trim() : (value as number | bigint))
}

function int(value: Value): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  const number = Number(typeof value === 'string' ? value.trim() : value)
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : 0n
}

function texts(): Functions {
  return {
    trim: (value) => text(value).trim(),
    trimAll: (cut, value) => trimmed(text(value), text(cut)),
    trimPrefix: (cut, value) => {
      const whole = text(value)
      return whole.startsWith(text(cut)) ? whole.slice(text(cut).length) : whole
    },
    trimSuffix: (cut, value) => {
      const whole = text(value)
      return whole.endsWith(text(cut)) ? whole.slice(0, whole.length - text(cut).length) : whole
    },
    upper: (value) => text(value).toUpperCase(),
    lower: (value) => text(value).toLowerCase(),
    title: (value) => text(value).replaceAll(/(^|\s)(\S)/g, (whole) => whole.toUpperCase()),
    untitle: (value) => text(value).replaceAll(/(^|\s)(\S)/g, (whole) => whole.toLowerCase()),
    repeat: (times, value) => {
      const whole = text(value)
      if (whole.length * count(times) > 1 << 20) throw new Error('repeat makes more than 1 MiB')
      return whole.repeat(Math.max(0, count(times)))
    },
    replace: (old, by, value) => text(value).replaceAll(text(old), text(by)),
    nospace: (value) => text(value).replaceAll(/\s/g, ''),
    trunc: (size, value) => {
      const whole = text(value)
      const length = count(size)
      return length < 0 ? whole.slice(Math.max(0, whole.length + length)) : whole.slice(0, length)
    },
    substr: (from, to, value) => {
      const whole = text(value)
      const start = Math.max(0, count(from))
      return count(to) < 0 || count(to) > whole.length
        ? whole.slice(start)
        : whole.slice(start, count(to))
    },
    contains: (part, value) => text(value).includes(text(part)),
    hasPrefix: (part, value) => text(value).startsWith(text(part)),
    hasSuffix: (part, value) => text(value).endsWith(text(part)),
    quote: (...values) => quoted(values, (value) => JSON.stringify(value)),
    squote: (...values) => quoted(values, (value) => `'${value}'`),
    cat: (...values) =>
      values
        .filter((value) => value !== null && value !== undefined)
        .map(text)
        .join(' '),
    indent: (size, value) => indented(count(size), text(value)),
    nindent: (size, value) => `\n${indented(count(size), text(value))}`,
    kebabcase: (value) => joinedWords(text(value), '-'),
    snakecase: (value) => joinedWords(text(value), '_'),
    camelcase: (value) =>
      text(value).replaceAll(/(?:^|[-_ ]+)([a-zA-Z0-9])/g, (_, letter: string) =>
        letter.toUpperCase(),
      ),
    plural: (one, many, number) => (count(number) === 1 ? one : many),
    sha256sum: (value) => sha256Hex(text(value)),
    b64enc: (value) => base64(text(value)),
    b64dec: (value) => unbase64(text(value)),
    splitList: (separator, value) => text(value).split(text(separator)),
    split: (separator, value) => {
      const parts = text(value).split(text(separator))
      return Object.fromEntries(parts.map((part, at) => [`_${at}`, part]))
    },
    join: (separator, values) => strings(values).join(text(separator)),
    toStrings: (values) => strings(values),
    regexMatch: (pattern, value) => safeRegExp(pattern).test(text(value)),
    regexReplaceAll: (pattern, value, by) =>
      text(value).replace(safeRegExp(pattern, 'g'), text(by).replaceAll(/\$\{(\w+)\}/g, '$$$1')),
    regexReplaceAllLiteral: (pattern, value, by) =>
      text(value).replace(safeRegExp(pattern, 'g'), () => text(by)),
    regexFind: (pattern, value) => safeRegExp(pattern).exec(text(value))?.[0] ?? '',
  }
}

/** A template's own pattern, bounded: long patterns are refused. */
function safeRegExp(pattern: Value, flags = ''): RegExp {
  if (text(pattern).length > 1000) throw new Error('the pattern is longer than 1000 letters')
  return new RegExp(text(pattern), flags)
}

function trimmed(value: string, cut: string): string {
  let start = 0
  let end = value.length
  while (start < end && cut.includes(value.charAt(start))) start += 1
  while (end > start && cut.includes(value.charAt(end - 1))) end -= 1
  return value.slice(start, end)
}

function quoted(values: readonly Value[], quote: (value: string) => string): string {
  return values
    .filter((value) => value !== null && value !== undefined)
    .map((value) => quote(text(value)))
    .join(' ')
}

function indented(size: number, value: string): string {
  const pad = ' '.repeat(Math.max(0, Math.min(size, 1000)))
  return pad + value.replaceAll('\n', `\n${pad}`)
}

function joinedWords(value: string, sign: string): string {
  return value
    .replaceAll(/([a-z0-9])([A-Z])/g, `$1${sign}$2`)
    .replaceAll(/[-_\s]+/g, sign)
    .toLowerCase()
}

function strings(values: Value): string[] {
  if (values === null || values === undefined) return []
  if (!isSequence(values)) return [text(values)]
  return values.filter((value) => value !== null && value !== undefined).map(text)
}

function defaults(): Functions {
  return {
    default: (fallback, value) => (truth(value) ? value : fallback),
    empty: (value) => !truth(value),
    coalesce: (...values) => values.find(truth),
    all: (...values) => values.every(truth),
    any: (...values) => values.some(truth),
    ternary: (yes, no, value) => (truth(value) ? yes : no),
    fail: (message) => {
      throw new Error(text(message))
    },
    required: (message, value) => {
      if (value === null || value === undefined || value === '') throw new Error(text(message))
      return value
    },
    kindIs: (kind, value) => kindOf(value) === text(kind),
    kindOf,
    typeOf: kindOf,
    typeIs: (kind, value) => kindOf(value) === text(kind),
    lookup: () => ({}),
  }
}

function kindOf(value: Value): string {
  if (value === null || value === undefined) return 'invalid'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return isSequence(value) ? 'slice' : 'map'
}

function lists(): Functions {
  const list = (value: Value): readonly Value[] => {
    if (value === null || value === undefined) return []
    if (!isSequence(value)) throw new Error(`expected a list, got ${printed(value)}`)
    return value
  }
  return {
    list: (...values) => values,
    tuple: (...values) => values,
    first: (value) => list(value)[0],
    last: (value) => list(value).at(-1),
    rest: (value) => list(value).slice(1),
    initial: (value) => list(value).slice(0, -1),
    append: (value, item) => [...list(value), item],
    prepend: (value, item) => [item, ...list(value)],
    concat: (...values) => values.flatMap((value) => [...list(value)]),
    reverse: (value) => list(value).toReversed(),
    uniq: (value) => [
      ...new Map(list(value).map((item) => [JSON.stringify(plain(item)), item])).values(),
    ],
    without: (value, ...cut) => list(value).filter((item) => !cut.some((one) => same(one, item))),
    has: (item, value) => list(value).some((one) => same(one, item)),
    compact: (value) => list(value).filter(truth),
    sortAlpha: (value) => strings(value).sort(),
    until: (end) => upTo(0n, int(end), 1n),
    untilStep: (from, to, step) => upTo(int(from), int(to), int(step)),
  }
}

function upTo(from: bigint, to: bigint, step: bigint): bigint[] {
  if (step === 0n) return []
  const items: bigint[] = []
  for (let at = from; step > 0n ? at < to : at > to; at += step) {
    if (items.length >= 100_000) throw new Error('the list is longer than 100,000')
    items.push(at)
  }
  return items
}

function plain(value: Value): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (value === undefined) return null
  if (isSequence(value)) return value.map(plain)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, plain(value[key])]),
  )
}

function same(one: Value, other: Value): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

function dicts(): Functions {
  return {
    dict: (...values) => {
      const made: { [key: string]: Value } = {}
      for (let at = 0; at < values.length; at += 2)
        put(made, text(values[at]), values[at + 1] ?? '')
      return made
    },
    get: (map, key) => own(asMap(map), text(key)) ?? '',
    set: (map, key, value) => {
      put(asMap(map), text(key), value)
      return map
    },
    unset: (map, key) => {
      Reflect.deleteProperty(asMap(map), text(key))
      return map
    },
    hasKey: (map, key) => Object.hasOwn(asMap(map), text(key)),
    keys: (...maps) => maps.flatMap((map) => Object.keys(asMap(map)).sort()),
    values: (map) => Object.values(asMap(map)),
    pick: (map, ...keys) => only(asMap(map), (key) => keys.some((one) => text(one) === key)),
    omit: (map, ...keys) => only(asMap(map), (key) => !keys.some((one) => text(one) === key)),
    merge: (target, ...others) => mergeInto(target, others, false),
    mustMerge: (target, ...others) => mergeInto(target, others, false),
    mergeOverwrite: (target, ...others) => mergeInto(target, others, true),
    mustMergeOverwrite: (target, ...others) => mergeInto(target, others, true),
    deepCopy: copyOf,
    dig: (...values) => {
      const map = values.at(-1)
      const fallback = values.at(-2)
      let here: Value = map
      for (const key of values.slice(0, -2)) {
        if (!isMap(here) || !Object.hasOwn(here, text(key))) return fallback
        here = here[text(key)]
      }
      return here
    },
  }
}

/** Names such as `__proto__` stay plain keys. */
function put(map: ValueMap, key: string, value: Value): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true })
}

function own(map: ValueMap, key: string): Value {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function only(map: ValueMap, wants: (key: string) => boolean): ValueMap {
  const kept: { [key: string]: Value } = {}
  for (const key of Object.keys(map)) if (wants(key)) put(kept, key, map[key])
  return kept
}

function mergeInto(target: Value, others: readonly Value[], wins: boolean): Value {
  const map = asMap(target)
  for (const other of others) {
    for (const [key, value] of Object.entries(asMap(other))) {
      const there = own(map, key)
      if (isMap(there) && isMap(value)) mergeInto(there, [value], wins)
      else if (there === undefined || wins) put(map, key, copyOf(value))
    }
  }
  return map
}

function copyOf(value: Value): Value {
  if (isSequence(value)) return value.map(copyOf)
  if (!isMap(value)) return value
  const copy: { [key: string]: Value } = {}
  for (const [key, item] of Object.entries(value)) put(copy, key, copyOf(item))
  return copy
}

function numbers(): Functions {
  return {
    add: (...values) => values.reduce<bigint>((sum, value) => sum + int(value), 0n),
    add1: (value) => int(value) + 1n,
    sub: (one, other) => int(one) - int(other),
    mul: (...values) => values.reduce<bigint>((product, value) => product * int(value), 1n),
    div: (one, other) => divided(int(one), int(other)),
    mod: (one, other) => {
      if (int(other) === 0n) throw new Error('integer divide by zero')
      return int(one) % int(other)
    },
    max: (...values) => values.map(int).reduce((one, other) => (one > other ? one : other)),
    min: (...values) => values.map(int).reduce((one, other) => (one < other ? one : other)),
    int,
    int64: int,
    float64: (value: Value) => Number(value),
    atoi: (value) => int(value),
    ceil: (value: Value) => Math.ceil(Number(value)),
    floor: (value) => Math.floor(Number(value)),
  }
}

function divided(one: bigint, other: bigint): bigint {
  if (other === 0n) throw new Error('integer divide by zero')
  return one / other
}

function conversions(): Functions {
  return {
    toString: (value: Value) => text(value),
    toJson: (value) => JSON.stringify(jsonOf(value)),
    fromJson: (value) => valueOf(JSON.parse(text(value)) as unknown),
  }
}

/** As Go's encoder: keys in order. */
export function jsonOf(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value === undefined) return null
  if (isSequence(value)) return value.map(jsonOf)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, jsonOf(value[key])]),
  )
}

/** JSON numbers are float64 in templates. */
export function valueOf(json: unknown): Value {
  if (Array.isArray(json)) return json.map(valueOf)
  if (typeof json !== 'object' || json === null) return json as Value
  const map: { [key: string]: Value } = {}
  for (const [key, item] of Object.entries(json)) put(map, key, valueOf(item))
  return map
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function base64(value: string): string {
  const bytes = new TextEncoder().encode(value)
  let out = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3)
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    out += LETTERS.charAt(bits >> 18) + LETTERS.charAt((bits >> 12) & 63)
    out += b === undefined ? '=' : LETTERS.charAt((bits >> 6) & 63)
    out += c === undefined ? '=' : LETTERS.charAt(bits & 63)
  }
  return out
}

function unbase64(value: string): string {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of value.replaceAll(/[\r\n=]/g, '')) {
    const at = LETTERS.indexOf(letter)
    if (at < 0) throw new Error(`illegal base64 data at ${JSON.stringify(letter)}`)
    bits = (bits << 6) | at
    held += 6
    if (held < 8) continue
    held -= 8
    bytes.push((bits >> held) & 255)
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}
