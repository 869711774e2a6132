import { printed, isMap, isSequence, truth, type Value, type ValueMap } from './value.ts'
import type { Functions } from './exec.ts'

/** Go's own functions: comparison, printing, indexing. */
export const builtins: Functions = {
  not: (value) => !truth(value),
  eq: (one, ...others) => others.some((other) => compare(one, other) === 0),
  ne: (one, other) => compare(one, other) !== 0,
  lt: (one, other) => compare(one, other) < 0,
  le: (one, other) => compare(one, other) <= 0,
  gt: (one, other) => compare(one, other) > 0,
  ge: (one, other) => compare(one, other) >= 0,
  len: (value) => {
    if (typeof value === 'string') return BigInt(new TextEncoder().encode(value).length)
    if (isSequence(value)) return BigInt(value.length)
    if (isMap(value)) return BigInt(Object.keys(value).length)
    throw new Error(`len of ${printed(value)}`)
  },
  index: (value, ...keys) => keys.reduce<Value>(indexed, value),
  slice: (value, from = 0n, to) => {
    if (typeof value !== 'string' && !isSequence(value)) throw new Error('cannot slice')
    return value.slice(Number(from), to === undefined ? undefined : Number(to))
  },
  print: (...values) => spaced(values),
  println: (...values) => `${values.map((value) => printed(value)).join(' ')}\n`,
  printf: (format, ...values) => sprintf(printed(format), values),
  html: (value) => printed(value),
  urlquery: (value) => encodeURIComponent(printed(value)).replaceAll('%20', '+'),
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

function indexed(value: Value, key: Value): Value {
  if (value === null || value === undefined) throw new Error('index of untyped nil')
  if (isSequence(value)) {
    const at = Number(key)
    if (at < 0 || at >= value.length) throw new Error(`index out of range: ${at}`)
    return value[at]
  }
  if (!isMap(value)) throw new Error(`can't index item of type ${typeof value}`)
  const name = printed(key)
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** Go refuses to compare an int with a float; nil equals nil alone. */
function compare(one: Value, other: Value): number {
  const isNil = (value: Value): boolean => value === null || value === undefined
  if (isNil(one) || isNil(other)) return isNil(one) && isNil(other) ? 0 : 1
  if (typeof one !== typeof other) {
    throw new Error('incompatible types for comparison')
  }
  if (typeof one === 'object' || typeof other === 'object') {
    throw new Error('non-comparable type in comparison')
  }
  const [left, right] = [one as string | number | bigint | boolean, other]
  if (left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

/** The verbs of fmt that templates use: s, v, d, q, t, f, e, g, x, X, c, o, b, U, T, %. */
function sprintf(format: string, values: readonly Value[]): string {
  let next = 0
  const text = format.replaceAll(
    /%([-+# 0]*)(\d+|\*)?(?:\.(\d+))?([a-zA-Z%])/g,
    (_, flags: string, width: string | undefined, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%'
      const size = width === '*' ? Number(values[next++]) : Number(width ?? 0)
      if (next >= values.length) return `%!${verb}(MISSING)`
      const value = values[next]
      next += 1
      return padded(formatted(value, verb, flags, precision), size, flags, value)
    },
  )
  if (next >= values.length) return text
  const extra = values.slice(next).map((value) => `${goType(value)}=${printed(value, true)}`)
  return `${text}%!(EXTRA ${extra.join(', ')})`
}

function formatted(
  value: Value,
  verb: string,
  flags: string,
  precision: string | undefined,
): string {
  const isNumber = typeof value === 'bigint' || typeof value === 'number'
  const sign = flags.includes('+') && isNumber && value >= 0 ? '+' : ''
  switch (verb) {
    case 'v':
      return sign + printed(value, true)
    case 's': {
      if (isNumber || typeof value === 'boolean') return `%!s(${goType(value)}=${printed(value)})`
      const text = value === null || value === undefined ? '%!s(<nil>)' : printed(value, true)
      return precision === undefined ? text : Array.from(text).slice(0, Number(precision)).join('')
    }
    case 'd':
      return typeof value === 'bigint'
        ? sign + String(value)
        : `%!d(${goType(value)}=${printed(value)})`
    case 'q':
      return JSON.stringify(printed(value))
    case 't':
      return typeof value === 'boolean' ? String(value) : `%!t(${goType(value)}=${printed(value)})`
    case 'f':
    case 'F':
      return typeof value === 'number'
        ? sign + value.toFixed(Number(precision ?? 6))
        : `%!f(${goType(value)}=${printed(value)})`
    case 'g':
      return typeof value === 'number'
        ? sign + printed(value)
        : `%!g(${goType(value)}=${printed(value)})`
    case 'x':
    case 'X': {
      const hex = hexOf(value)
      return verb === 'X' ? hex.toUpperCase() : hex
    }
    case 'o':
      return typeof value === 'bigint' ? value.toString(8) : printed(value)
    case 'b':
      return typeof value === 'bigint' ? value.toString(2) : printed(value)
    case 'c':
      return typeof value === 'bigint' ? String.fromCodePoint(Number(value)) : printed(value)
    case 'T':
      return goType(value)
    default:
      return `%!${verb}(${goType(value)}=${printed(value)})`
  }
}

function hexOf(value: Value): string {
  if (typeof value === 'bigint') return value.toString(16)
  const bytes = new TextEncoder().encode(printed(value))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function padded(text: string, width: number, flags: string, value: Value): string {
  if (flags.includes('-')) return text.padEnd(width)
  const isNumber = typeof value === 'bigint' || typeof value === 'number'
  return text.padStart(width, flags.includes('0') && isNumber ? '0' : ' ')
}

function goType(value: Value): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return isSequence(value) ? '[]interface {}' : 'map[string]interface {}'
}

export function asMap(value: Value): ValueMap {
  if (value === undefined || value === null) return {}
  if (!isMap(value)) throw new Error(`expected a map, got ${printed(value)}`)
  return value
}
