/**
 * Quantities as Go's resource.Quantity keeps and prints them: a value in nano units and the family
 * of suffixes that it was written with.
 */
export interface Quantity {
  readonly nano: bigint
  readonly format: 'decimal' | 'exponent' | 'binary'
}

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/
const NANO = 1_000_000_000n
const MILLI = 1_000_000n
const DECIMAL: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const BINARY: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const BINARY_MAX = (2n ** 63n - 1n) * NANO

export const ZERO: Quantity = { nano: 0n, format: 'decimal' }

/** Undefined for text that is no quantity. */
export function readQuantity(text: string): Quantity | undefined {
  const match = PATTERN.exec(text)
  if (match === null || text === '') return undefined
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match
  const binary = BINARY.indexOf(suffix)
  const format = exponent !== undefined ? 'exponent' : binary > 0 ? 'binary' : 'decimal'
  const digits = BigInt(`0${whole}${fraction}`)
  const scaled = binary > 0 ? digits * 1024n ** BigInt(binary) : digits
  const power =
    exponent === undefined ? DECIMAL.indexOf(binary > 0 ? '' : suffix) * 3 - 9 : +exponent
  const shift = 9 + power - fraction.length
  const size = shift >= 0 ? scaled * 10n ** BigInt(shift) : divideUp(scaled, 10n ** BigInt(-shift))
  const capped = format === 'binary' && size > BINARY_MAX ? BINARY_MAX : size
  return { nano: sign === '-' ? -capped : capped, format }
}

/** Rounded up, away from zero, to whole thousandths, as in lists of resources. */
function roundToMilli({ nano, format }: Quantity): Quantity {
  return nano % MILLI === 0n ? { nano, format } : { nano: divideUp(nano, MILLI) * MILLI, format }
}

/** In whole units, rounded up. */
export function unitsOf({ nano }: Quantity): bigint {
  return divideUp(nano, NANO)
}

export function isWhole({ nano }: Quantity): boolean {
  return divideUp(nano, MILLI) % 1000n === 0n
}

/** Canonical text: the largest suffix without a fraction. */
export function quantityText({ nano, format }: Quantity): string {
  if (nano === 0n) return '0'
  const binary =
    format === 'binary' && nano % NANO === 0n && (nano <= -1024n * NANO || nano >= 1024n * NANO)
  if (binary) {
    const [amount, times] = withoutFactors(nano / NANO, 1024n, BINARY.length - 1)
    return `${amount}${BINARY[times]}`
  }
  const most = format === 'exponent' ? 1000 : DECIMAL.length - 1
  const [amount, times] = withoutFactors(nano, 1000n, most)
  if (format !== 'exponent') return `${amount}${DECIMAL[times]}`
  return times === 3 ? `${amount}` : `${amount}e${times * 3 - 9}`
}

/** As the API answers a written quantity; text that is none stays as it is. */
export function canonicalText(text: string, milli: boolean): string {
  if (/^[1-9]\d{0,2}(?:[mkMGT]|[KMGT]i)?$/.test(text)) return text
  const quantity = readQuantity(text)
  if (quantity === undefined) return text
  return quantityText(milli ? roundToMilli(quantity) : quantity)
}

function withoutFactors(value: bigint, factor: bigint, most: number): readonly [bigint, number] {
  let left = value
  let times = 0
  while (times < most && left % factor === 0n) {
    left /= factor
    times += 1
  }
  return [left, times]
}

function divideUp(value: bigint, by: bigint): bigint {
  const quotient = value / by
  if (value % by === 0n) return quotient
  return value < 0n ? quotient - 1n : quotient + 1n
}
