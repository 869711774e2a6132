/**
 * A quantity as the API server writes it back: in its own kind of suffix, with the largest unit
 * that leaves a whole number. What already reads like that is kept letter by letter (`+1`, `010`).
 */
export type QuantityForm = { readonly text: string } | { readonly fault: string }

const FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const SUFFIX = `unable to parse quantity's suffix`

type Style = 'decimal' | 'binary' | 'exponent'

const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const MAX_INT64 = 2n ** 63n - 1n
const NANO = 9

/** `milli`: rounded up to thousandths, as amounts of resources are. */
export function quantityForm(written: string | number | bigint, milli = false): QuantityForm {
  const text = String(written).replaceAll(/^ +| +$/g, '')
  if (text === '') return { fault: FORMAT }
  if (text === '0') return { text }
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text)
  if (match === null) return { fault: FORMAT }
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  const unit = unitOf(suffix)
  if (unit === undefined) return { fault: SUFFIX }
  const num = whole === '' ? '0' : whole
  const kept = canonicalAsWritten({ num, fraction, unit })
  const number = numberOf({ num, fraction, unit })
  const isTooSmall = milli && number.scale > 3
  if (kept && !isTooSmall) return { text }
  const rounded = isTooSmall ? roundedUp(number, 3) : number
  return { text: canonical(rounded, { negative: sign === '-', style: number.style }) }
}

interface Unit {
  readonly style: Style
  /** Of ten, or of two. */
  readonly exponent: number
  readonly suffix: string
}

function unitOf(suffix: string): Unit | undefined {
  const decimal = DECIMAL[suffix]
  if (decimal !== undefined) return { style: 'decimal', exponent: decimal, suffix }
  const binary = BINARY.indexOf(suffix)
  if (binary > 0) return { style: 'binary', exponent: binary * 10, suffix }
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1]
  if (exponent === undefined) return undefined
  return { style: 'exponent', exponent: Number(exponent), suffix }
}

interface Written {
  readonly num: string
  readonly fraction: string
  readonly unit: Unit
}

/** The server's quick test for text that is in its own form already. */
function canonicalAsWritten({ num, fraction, unit }: Written): boolean {
  const { style, exponent } = unit
  const digits = num + fraction
  if (style === 'binary') {
    if (exponent < 0 || fraction !== '') return false
    const precision = 15 - num.length - Math.trunc(Math.fround((exponent * 3) / 10)) - 1
    if (precision < 0) return false
    const value = BigInt(digits)
    return value * 2n ** BigInt(exponent) <= MAX_INT64 && exponent % 10 === 0 && (value & 7n) !== 0n
  }
  if (18 - digits.length < 0) return false
  const scale = exponent - fraction.length
  return scale >= -NANO && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
}

interface Amount {
  readonly value: bigint
  /** Digits behind the point; never negative. */
  readonly scale: number
  readonly style: Style
}

function numberOf({ num, fraction, unit }: Written): Amount {
  const digits = BigInt(num + fraction)
  const value = unit.style === 'binary' ? digits * 2n ** BigInt(unit.exponent) : digits
  const shift = unit.style === 'binary' ? 0 : unit.exponent
  const scale = fraction.length - shift
  const plain = scale < 0 ? { value: value * 10n ** BigInt(-scale), scale: 0 } : { value, scale }
  const nano = plain.scale > NANO ? roundedUp({ ...plain, style: unit.style }, NANO) : plain
  if (unit.style !== 'binary') return { ...nano, style: unit.style }
  const one = 10n ** BigInt(nano.scale)
  const capped = nano.value > MAX_INT64 * one ? { value: MAX_INT64, scale: 0 } : nano
  const isFraction = capped.value < one && capped.value > 0n
  return { ...capped, style: isFraction ? 'decimal' : 'binary' }
}

function roundedUp({ value, scale, style }: Amount, to: number): Amount {
  const by = 10n ** BigInt(scale - to)
  const up = value % by === 0n ? 0n : 1n
  return { value: value / by + up, scale: to, style }
}

function canonical(
  { value, scale }: Amount,
  { negative, style }: { readonly negative: boolean; readonly style: Style },
): string {
  if (value === 0n) return '0'
  const sign = negative ? '-' : ''
  if (style === 'binary') {
    const text = binaryText(value, scale)
    if (text !== undefined) return sign + text
  }
  let digits = value
  let exponent = -scale
  while (digits % 10n === 0n) {
    digits /= 10n
    exponent += 1
  }
  while (exponent % 3 !== 0) {
    digits *= 10n
    exponent -= 1
  }
  if (style === 'exponent') return `${sign}${digits}${exponent === 0 ? '' : `e${exponent}`}`
  const suffix = Object.entries(DECIMAL).find(([, power]) => power === exponent)?.[0]
  return `${sign}${digits}${suffix ?? `e${exponent}`}`
}

/** Undefined where the amount is less than 1024 or no whole number: then it is written decimally. */
function binaryText(value: bigint, scale: number): string | undefined {
  const one = 10n ** BigInt(scale)
  if (value % one !== 0n || value / one < 1024n) return undefined
  let whole = value / one
  let power = 0
  while (whole % 1024n === 0n && power < BINARY.length - 1) {
    whole /= 1024n
    power += 1
  }
  return `${whole}${BINARY[power] ?? ''}`
}
