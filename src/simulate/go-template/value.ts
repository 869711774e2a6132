/**
 * Values of a template, with Go's kinds: bigint is an int, number a float64, a string is text.
 * Maps are plain objects; a GoObject is what only functions and Helm itself give.
 */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | ValueMap
  | GoObject
export type ValueMap = { readonly [key: string]: Value }
export type Method = (...values: Value[]) => Value

/** A value of a Go type with fields and methods: a time, a version, the files of a chart. */
export class GoObject {
  /** As `typeOf` says it. */
  readonly type: string
  readonly kind: string
  readonly fields: ValueMap
  readonly methods: { readonly [name: string]: Method }
  /** As `%v` and `toString` print it. */
  readonly text: string
  /** As `toJson` and `toYaml` write it. */
  readonly json: Value

  constructor(parts: GoParts) {
    this.type = parts.type
    this.kind = parts.kind ?? 'struct'
    this.fields = parts.fields ?? {}
    this.methods = parts.methods ?? {}
    this.text = parts.text ?? ''
    this.json = parts.json ?? parts.fields ?? parts.text
  }
}

export interface GoParts {
  readonly type: string
  readonly kind?: string
  readonly fields?: ValueMap
  readonly methods?: { readonly [name: string]: Method }
  readonly text?: string
  readonly json?: Value
}

export function isGoObject(value: Value): value is GoObject {
  return value instanceof GoObject
}

/** Also what Go calls a map by another name (the files of a chart). */
export function isMap(value: Value): value is ValueMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof GoObject)
  )
}

export function isSequence(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function isNil(value: Value): value is null | undefined {
  return value === null || value === undefined
}

/** Entries of what `range` and `len` take as a map. */
export function entriesOf(value: Value): ValueMap | undefined {
  if (isMap(value)) return value
  return isGoObject(value) && value.kind === 'map' ? value.fields : undefined
}

/** Items of what `range` and the functions of lists take as a list. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (isSequence(value)) return value
  return isGoObject(value) && value.kind === 'slice' && isSequence(value.json)
    ? value.json
    : undefined
}

/** Go's truth: zero, empty and nil are false; a struct is always true. */
export function truth(value: Value): boolean {
  if (isNil(value)) return false
  const entries = entriesOf(value)
  if (entries !== undefined) return Object.keys(entries).length > 0
  if (isGoObject(value)) return value.kind === 'slice' ? value.text !== '' : true
  if (isSequence(value)) return value.length > 0
  return typeof value === 'bigint' ? value !== 0n : Boolean(value)
}

/** As `%v` prints it. */
export function printed(value: Value, isInner = false): string {
  if (isNil(value)) return isInner ? '<nil>' : '<no value>'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return floatText(value)
  if (typeof value !== 'object') return String(value)
  if (isSequence(value)) return `[${value.map((item) => printed(item, true)).join(' ')}]`
  if (isGoObject(value)) return value.type === '[]uint8' ? bytesText(value.text) : value.text
  const keys = Object.keys(value).sort()
  return `map[${keys.map((key) => `${key}:${printed(value[key], true)}`).join(' ')}]`
}

function bytesText(text: string): string {
  return `[${[...new TextEncoder().encode(text)].join(' ')}]`
}

/** strconv's shortest form with exponent from 1e+06 on, as `%v` of a float64. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 6) return withExponent(digits, exponent)
  return String(value).includes('e') ? value.toFixed(20).replace(/0+$/, '') : String(value)
}

function withExponent(digits: string, exponent: number): string {
  const sign = exponent < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

export function typeOf(value: Value): string {
  if (isNil(value)) return '<nil>'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  if (isGoObject(value)) return value.type
  return isSequence(value) ? '[]interface {}' : 'map[string]interface {}'
}

export function kindOf(value: Value): string {
  if (isNil(value)) return 'invalid'
  if (isGoObject(value)) return value.kind
  if (typeof value !== 'object') return typeOf(value)
  return isSequence(value) ? 'slice' : 'map'
}

/** reflect.DeepEqual. */
export function deepEqual(one: Value, other: Value): boolean {
  if (isNil(one) || isNil(other)) return isNil(one) && isNil(other)
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  if (isSequence(one) || isSequence(other)) {
    if (!isSequence(one) || !isSequence(other) || one.length !== other.length) return false
    return one.every((item, at) => deepEqual(item, other[at]))
  }
  if (isGoObject(one) || isGoObject(other)) {
    return (
      isGoObject(one) && isGoObject(other) && one.type === other.type && one.text === other.text
    )
  }
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && deepEqual(one[key], other[key]))
}

/** Names such as `__proto__` stay plain keys. */
export function put(map: ValueMap, key: string, value: Value): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true })
}

export function own(map: ValueMap, key: string): Value {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
