import { createHash } from 'node:crypto'

/** FNV-1a over 64 bits, as Go's hash/fnv sums it up: eight bytes, most significant first. */
export function fnv64a(bytes: Uint8Array): Uint8Array {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  const sum = new Uint8Array(8)
  new DataView(sum.buffer).setBigUint64(0, hash)
  return sum
}

/** Go's encoding/json: keys in order, and what HTML could take for markup escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(sorted(value))
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function sorted(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] =
    value instanceof Map
      ? [...value].map(([key, item]) => [String(key), item])
      : Object.entries(value)
  const ordered = entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  return Object.fromEntries(ordered.map(([key, item]) => [key, sorted(item)]))
}

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** kro's random.seededString: four bytes of a hash of the seed choose each letter. */
export function seededText(length: bigint, seed: string): string {
  if (length <= 0n) throw new Error('random.seededString length must be positive')
  const bytes = createHash('sha256').update(seed, 'utf8').digest()
  let text = ''
  for (let at = 0; at < Number(length); at += 1) {
    text += LETTERS[bytes.readUInt32BE((at * 4) % bytes.length) % LETTERS.length]
  }
  return text
}

/** kro's random.seededInt: a whole number from `least` up to, without, `limit`. */
export function seededInt(least: bigint, limit: bigint, seed: string): bigint {
  if (least >= limit) throw new Error('random.seededInt min must be less than max')
  const first = createHash('sha256').update(seed, 'utf8').digest().readBigUInt64BE()
  return least + (first % (limit - least))
}

/** `format` of CEL's strings extension: %s, %d, %f, %e, %b, %o, %x and %X. */
export function goFormat(text: string, given: readonly unknown[]): string {
  let next = 0
  const made = text.replace(
    /%(?:\.(\d+))?(.)/g,
    (_, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%'
      if (next >= given.length) throw new Error(`index ${next} out of range`)
      const value = given[next]
      next += 1
      return formatOne(verb, value, precision === undefined ? 6 : Number(precision))
    },
  )
  return made
}

function formatOne(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case 's':
      return plainText(value)
    case 'd':
      if (typeof value === 'bigint') return String(value)
      break
    case 'f':
      if (isNumber(value)) return Number(value).toFixed(precision)
      break
    case 'e':
      if (isNumber(value)) return exponent(Number(value), precision)
      break
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      if (typeof value === 'bigint') return value.toString(2)
      break
    case 'o':
      if (typeof value === 'bigint') return value.toString(8)
      break
    case 'x':
    case 'X': {
      const hex = hexOf(value)
      if (hex !== undefined) return verb === 'X' ? hex.toUpperCase() : hex
      break
    }
    default:
      throw new Error(`unrecognized formatting clause "${verb}"`)
  }
  throw new Error(`error during formatting: %${verb} cannot show ${plainText(value)}`)
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** JavaScript writes `1e+0`, Go `1e+00`. */
function exponent(value: number, precision: number): string {
  return value.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2')
}

function hexOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString(16)
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return undefined
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (Array.isArray(value)) return `[${value.map(plainText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  const shown = entries.map(([key, item]) => `${plainText(key)}: ${plainText(item)}`).sort()
  return `{${shown.join(', ')}}`
}
