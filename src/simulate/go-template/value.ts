/**
 * Values of a template, with Go's kinds: bigint is an int, number a float64, a string is text.
 * Maps are plain objects; what only functions return (a Time) is not modelled.
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
export type ValueMap = { readonly [key: string]: Value }

export function isMap(value: Value): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSequence(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** Go's truth: zero, empty and nil are false. */
export function truth(value: Value): boolean {
  if (value === null || value === undefined) return false
  if (typeof value === 'object') {
    return isSequence(value) ? value.length > 0 : Object.keys(value).length > 0
  }
  return typeof value === 'bigint' ? value !== 0n : Boolean(value)
}

/** As `%v` prints it. */
export function printed(value: Value, isInner = false): string {
  if (value === null || value === undefined) return isInner ? '<nil>' : '<no value>'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return floatText(value)
  if (typeof value !== 'object') return String(value)
  if (isSequence(value)) return `[${value.map((item) => printed(item, true)).join(' ')}]`
  const keys = Object.keys(value).sort()
  return `map[${keys.map((key) => `${key}:${printed(value[key], true)}`).join(' ')}]`
}

/** strconv's shortest form with exponent from 1e+06 on, as `%v` of a float64. */
function floatText(value: number): string {
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
