import { isList, isObject, type Json } from '../json.ts'
import type { Reading, TreeScalar } from './document.ts'
import { goTimestamp } from './timestamp.ts'

/**
 * What a scalar means. Kubernetes reads with Go's yaml.v2 and then makes JSON of it, kustomize
 * with yaml.v3: `yes`, dates and a few numbers differ. Recorded answers of kubectl, Helm and
 * kustomize are in fixtures/yaml/scalars.json.
 *
 * Undefined means that the value has no JSON form (`.inf`, `!!int abc`), which both refuse.
 */
export function resolveScalar(
  text: string,
  tag: TreeScalar['tag'] | undefined,
  plain: boolean,
  reading: Reading,
): Json | undefined {
  if (tag === undefined) return plain ? resolvePlain(text, reading) : text
  if (tag === 'str') return text
  if (tag === 'binary') return decodeBase64(text)
  if (tag === 'timestamp') return timestamp(text, reading)
  const value = resolvePlain(text, reading)
  return hasTag(value, tag) ? value : undefined
}

/** A plain scalar without a tag. */
export function resolvePlain(text: string, reading: Reading): Json | undefined {
  if (text === '') return null
  switch (hintOf(text.charCodeAt(0))) {
    case HINT_WORD:
      return resolveWord(text, reading)
    case HINT_DOT:
      return resolveDotted(text)
    case HINT_NUMBER:
      return resolveNumber(text, reading)
    default:
      return text
  }
}

/** Whether a plain scalar that starts with this byte can be anything but text. */
export function mayResolve(firstByte: number): boolean {
  return hintOf(firstByte) !== HINT_NONE
}

/**
 * The key that a scalar becomes. Kubernetes resolves it first, so `y` is the key `true`, and
 * refuses null and whole numbers from 2^63 on; kustomize keeps the text.
 */
export function resolveKey(
  text: string,
  tag: TreeScalar['tag'] | undefined,
  plain: boolean,
  reading: Reading,
): string | undefined {
  if (reading === 'kustomize') return text
  const value = resolveScalar(text, tag, plain, reading)
  if (typeof value === 'string') return value
  if (value === undefined) return notANumber(text)
  if (value === null || isList(value) || isObject(value)) return undefined
  return typeof value === 'boolean' ? String(value) : numberKey(withoutUnderscores(text))
}

function notANumber(text: string): string | undefined {
  if (!NO_JSON.test(text)) return undefined
  if (text.startsWith('-')) return '-.inf'
  return /^\+?\.i/i.test(text) ? '.inf' : '.nan'
}

function numberKey(digits: string): string | undefined {
  const whole = bigInteger(digits)
  if (whole === undefined) return formatFloat32(Number(digits))
  if (whole >= INT64_MIN && whole <= INT64_MAX) return String(whole)
  const isUnsigned = whole >= 0n && whole <= UINT64_MAX && !digits.startsWith('+')
  return isUnsigned ? undefined : formatFloat32(Number(digits))
}

const HINT_NONE = 0
const HINT_WORD = 1
const HINT_NUMBER = 2
const HINT_DOT = 3

const INT64_MAX = 9223372036854775807n
const INT64_MIN = -9223372036854775808n
const UINT64_MAX = 18446744073709551615n

/** Go's base-0 integers; a bare leading 0 means octal. */
const INTEGER = /^([+-]?)(?:0[bB]([01]+)|0[oO]?([0-7]+)|0[xX]([0-9a-fA-F]+)|(0|[1-9][0-9]*))$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
/** Here Go allows underscores between digits and nowhere else. */
const DOTTED = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/
const NO_JSON = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

function hintOf(code: number): number {
  if (code >= 48 && code <= 57) return HINT_NUMBER
  switch (code) {
    case 0x2b: // +
    case 0x2d: // -
      return HINT_NUMBER
    case 0x2e: // .
      return HINT_DOT
    case 0x79: // y
    case 0x59:
    case 0x6e: // n
    case 0x4e:
    case 0x74: // t
    case 0x54:
    case 0x66: // f
    case 0x46:
    case 0x6f: // o
    case 0x4f:
    case 0x7e: // ~
      return HINT_WORD
    default:
      return HINT_NONE
  }
}

function resolveWord(text: string, reading: Reading): Json {
  switch (text) {
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
    case 'y':
    case 'Y':
    case 'yes':
    case 'Yes':
    case 'YES':
    case 'on':
    case 'On':
    case 'ON':
      return reading === 'kubernetes' ? true : text
    case 'n':
    case 'N':
    case 'no':
    case 'No':
    case 'NO':
    case 'off':
    case 'Off':
    case 'OFF':
      return reading === 'kubernetes' ? false : text
    default:
      return text
  }
}

function resolveDotted(text: string): Json | undefined {
  if (DOTTED.test(text)) return jsonNumber(Number(withoutUnderscores(text)), text)
  return NO_JSON.test(text) ? undefined : text
}

function resolveNumber(text: string, reading: Reading): Json | undefined {
  if (isShortDecimal(text)) return Number(text)
  if (reading === 'kustomize') {
    const instant = goTimestamp(text)
    if (instant !== undefined) return instant
  }
  if (NO_JSON.test(text)) return undefined
  const digits = withoutUnderscores(text)
  const whole = wholeNumber(digits)
  if (whole !== undefined) return whole
  return FLOAT.test(digits) ? jsonNumber(Number(digits), text) : text
}

/** Up to 15 digits without a leading 0: nearly every number of a manifest. */
function isShortDecimal(text: string): boolean {
  const length = text.length
  if (length > 15) return false
  const first = text.charCodeAt(0)
  if (first === 48) return length === 1
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 48 || code > 57) return false
  }
  return true
}

function withoutUnderscores(text: string): string {
  return text.includes('_') ? text.replaceAll('_', '') : text
}

/** Undefined when it is no whole number of 64 bits; then Go tries a float. */
function wholeNumber(digits: string): Json | undefined {
  const value = bigInteger(digits)
  if (value === undefined) return undefined
  if (value >= INT64_MIN && value <= INT64_MAX) return shortest(value)
  if (value < 0n || value > UINT64_MAX || digits.startsWith('+')) return undefined
  // The API server and its clients read what does not fit an int64 as a float.
  return Number(value)
}

function bigInteger(digits: string): bigint | undefined {
  const match = INTEGER.exec(digits)
  if (match === null) return undefined
  const [, sign, binary, octal, hexadecimal, decimal] = match
  let value: bigint
  if (decimal !== undefined) value = BigInt(decimal)
  else if (octal !== undefined) value = BigInt(`0o${octal}`)
  else if (hexadecimal !== undefined) value = BigInt(`0x${hexadecimal}`)
  else value = BigInt(`0b${binary}`)
  return sign === '-' ? -value : value
}

function shortest(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** A float as it comes back from Go's JSON: whole ones below 1e21 are written as integers. */
function jsonNumber(value: number, text: string): Json {
  if (!Number.isFinite(value)) return text
  if (value === 0) return 0
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value
  if (Math.abs(value) >= 1e21) return value
  const whole = BigInt(String(value))
  return whole >= INT64_MIN && whole <= INT64_MAX ? whole : value
}

function hasTag(value: Json | undefined, tag: 'int' | 'float' | 'bool' | 'null'): boolean {
  if (tag === 'null') return value === null
  if (tag === 'bool') return typeof value === 'boolean'
  if (typeof value === 'bigint') return true
  return tag === 'int' ? Number.isInteger(value) : typeof value === 'number'
}

function timestamp(text: string, reading: Reading): Json | undefined {
  const instant = goTimestamp(text)
  if (instant === undefined) return undefined
  return reading === 'kubernetes' ? text : instant
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function decodeBase64(text: string): string | undefined {
  const digits = text.replace(/[\r\n]/g, '')
  if (digits.length % 4 !== 0) return undefined
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((digits.length / 4) * 3 - padding)
  let buffer = 0
  for (let at = 0; at < digits.length; at += 1) {
    const isPadding = at >= digits.length - padding
    const digit = isPadding ? 0 : BASE64.indexOf(digits.charAt(at))
    if (digit < 0) return undefined
    buffer = (buffer << 6) | digit
    if (at % 4 !== 3) continue
    const target = (at >> 2) * 3
    bytes[target] = (buffer >> 16) & 255
    if (target + 1 < bytes.length) bytes[target + 1] = (buffer >> 8) & 255
    if (target + 2 < bytes.length) bytes[target + 2] = buffer & 255
    buffer = 0
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Go's `FormatFloat(value, 'g', -1, 32)`, which makes the key of a float. */
function formatFloat32(value: number): string {
  const single = Math.fround(value)
  if (!Number.isFinite(single)) return value > 0 ? '.inf' : '-.inf'
  if (single === 0) return Object.is(single, -0) ? '-0' : '0'
  let digits = 1
  while (digits < 17 && Math.fround(Number(single.toExponential(digits - 1))) !== single) {
    digits += 1
  }
  const [mantissa = '', exponentText = '0'] = single.toExponential(digits - 1).split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return plainDecimal(mantissa, exponent)
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
}

function plainDecimal(mantissa: string, exponent: number): string {
  const negative = mantissa.startsWith('-')
  const digits = mantissa.replace('-', '').replace('.', '')
  let text: string
  if (exponent < 0) text = `0.${'0'.repeat(-exponent - 1)}${digits}`
  else if (digits.length <= exponent + 1) text = digits.padEnd(exponent + 1, '0')
  else text = `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`
  return negative ? `-${text}` : text
}
