import type { Functions } from './exec.ts'
import { text } from './sprig-texts.ts'
import { isNil, type Value } from './value.ts'

/** cast.ToInt64: what is no number is 0. */
export function int(value: Value): bigint {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number') {
    return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : 0n
  }
  if (typeof value !== 'string') return 0n
  const plain = value.replace(/^([^.]*)\.0*$/, '$1').replaceAll('_', '')
  const [whole, sign = '', digits = ''] =
    /^([-+]?)(0[xX][\da-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9]\d*)$/.exec(plain) ?? []
  if (whole === undefined) return 0n
  const read = BigInt(digits.replace(/^0(?=[0-7])/, '0o'))
  const signed = sign === '-' ? -read : read
  return BigInt.asIntN(64, signed) === signed ? signed : 0n
}

function float(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (
    typeof value !== 'string' ||
    !/^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(value)
  ) {
    return 0
  }
  return Number(value)
}

function divided(one: bigint, other: bigint, isRest: boolean): bigint {
  if (other === 0n) throw new Error('runtime error: integer divide by zero')
  return isRest ? one % other : one / other
}

function folded(values: readonly Value[], step: (one: bigint, other: bigint) => bigint): bigint {
  return values.map(int).reduce((one, other) => BigInt.asIntN(64, step(one, other)))
}

function biggest(...values: Value[]): Value {
  return folded(values, (one, other) => (one > other ? one : other))
}

/** As with decimals: the digits that people see, not those of the binary fraction. */
function exactly(values: readonly Value[], step: (one: number, other: number) => number): number {
  const made = values.map(float).reduce(step)
  return Number(made.toPrecision(15))
}

function rounded(value: Value, places: Value, on: Value): number {
  const border = isNil(on) ? 0.5 : float(on)
  const power = 10 ** Number(int(places))
  const digit = power * float(value)
  const rest = digit - Math.trunc(digit)
  if (digit >= 0) return (rest >= border ? Math.ceil(digit) : Math.floor(digit)) / power
  return (Math.abs(rest) >= border ? Math.floor(digit) : Math.ceil(digit)) / power
}

export const numbers: Functions = {
  add: (...values) => (values.length === 0 ? 0n : folded(values, (one, other) => one + other)),
  add1: (value) => int(value) + 1n,
  sub: (one, other) => BigInt.asIntN(64, int(one) - int(other)),
  mul: (...values) => folded(values, (one, other) => one * other),
  div: (one, other) => divided(int(one), int(other), false),
  mod: (one, other) => divided(int(one), int(other), true),
  max: biggest,
  biggest,
  min: (...values) => folded(values, (one, other) => (one < other ? one : other)),
  maxf: (...values) => Math.max(...values.map(float)),
  minf: (...values) => Math.min(...values.map(float)),
  add1f: (value) => exactly([value, 1], (one, other) => one + other),
  addf: (...values) => exactly([0, ...values], (one, other) => one + other),
  subf: (...values) => exactly(values, (one, other) => one - other),
  mulf: (...values) => exactly(values, (one, other) => one * other),
  divf: (...values) => {
    return values.map(float).reduce((one, other) => Number((one / other).toFixed(16)))
  },
  int,
  int64: int,
  float64: (value) => float(value),
  atoi: (value) => (/^[-+]?\d+$/.test(text(value)) ? BigInt(text(value).replace('+', '')) : 0n),
  toDecimal: (value) => {
    const digits = text(value)
    return /^[-+]?[0-7]+$/.test(digits) ? BigInt(Number.parseInt(digits, 8)) : 0n
  },
  ceil: (value) => Math.ceil(float(value)),
  floor: (value) => Math.floor(float(value)),
  round: rounded,
}
