/**
 * Kubernetes quantities by value: `1000m`, `1` and `1e0` are one value, `1G` and `1Gi` are two.
 * Exact arithmetic; what Kubernetes rounds is rounded as it does: up, to whole n, and in resource
 * lists to whole m, so that a request is never lost.
 */
export type QuantityScale = 'nano' | 'milli'

const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/
const NANO_DIGITS = 9
const NANO = 10n ** 9n
const MILLI_IN_NANO = 10n ** 6n
/** Kubernetes caps quantities with a binary suffix here, and only those. */
const BINARY_MAX = (2n ** 63n - 1n) * NANO

const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/**
 * The value as a plain decimal number (`0.5`, `1073741824`), the same text for the same value.
 * Undefined when Kubernetes would not take it for a quantity; then its text is all there is.
 */
export function canonicalQuantity(
  value: string | number | bigint,
  scale: QuantityScale = 'nano',
): string | undefined {
  const nano = toNano(String(value).trim())
  if (nano === undefined) return undefined
  return decimal(scale === 'milli' ? divideUp(nano, MILLI_IN_NANO) * MILLI_IN_NANO : nano)
}

function toNano(text: string): bigint | undefined {
  const match = QUANTITY.exec(text)
  if (match === null || text === '') return undefined
  const [, sign, whole = '', fraction = '', suffix = '', exponentText] = match
  // Kubernetes takes a suffix without digits for nothing of it: `Mi` is 0.
  const digits = BigInt(`0${whole}${fraction}`)
  const binary = BINARY_SUFFIXES.indexOf(suffix)
  const exponent = exponentText === undefined ? (DECIMAL_EXPONENTS[suffix] ?? 0) : +exponentText
  const shift = NANO_DIGITS + exponent - fraction.length
  const scaled = binary > 0 ? digits * 1024n ** BigInt(binary) : digits
  const nano = shift >= 0 ? scaled * 10n ** BigInt(shift) : divideUp(scaled, 10n ** BigInt(-shift))
  const capped = binary > 0 && nano > BINARY_MAX ? BINARY_MAX : nano
  return sign === '-' ? -capped : capped
}

/** Away from zero. */
function divideUp(value: bigint, by: bigint): bigint {
  const quotient = value / by
  if (value % by === 0n) return quotient
  return value < 0n ? quotient - 1n : quotient + 1n
}

function decimal(nano: bigint): string {
  const positive = nano < 0n ? -nano : nano
  const fraction = (positive % NANO).toString().padStart(NANO_DIGITS, '0').replace(/0+$/, '')
  const text = `${positive / NANO}${fraction === '' ? '' : `.${fraction}`}`
  return nano < 0n ? `-${text}` : text
}
