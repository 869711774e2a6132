import { sha256Hex } from '../../core/hash.ts'
import { adler32, sha1Hex, sha512Hex } from './digests.ts'
import type { Functions } from './exec.ts'
import { base32, base64, unbase32, unbase64 } from './base-n.ts'
import { goQuoted } from './printf.ts'
import { isGoObject, isNil, isSequence, printed, type Value } from './value.ts'

/** More than a mebibyte from one call is refused: a template may not fill memory. */
const MOST = 1 << 20

export function text(value: Value): string {
  return isGoObject(value) ? value.text : printed(value, true)
}

function strings(values: Value): string[] {
  if (isNil(values)) return []
  if (!isSequence(values)) return [text(values)]
  return values.filter((value) => !isNil(value)).map(text)
}

export const texts: Functions = {
  hello: () => 'Hello!',
  trim: (value) => text(value).replace(/^[\s\u0085]+|[\s\u0085]+$/g, ''),
  trimAll: (cut, value) => trimmed(text(value), text(cut)),
  trimall: (cut, value) => trimmed(text(value), text(cut)),
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
  title: (value) =>
    text(value).replaceAll(/(^|[^\p{L}\p{N}_])(\p{L})/gu, (whole) => whole.toUpperCase()),
  untitle: (value) => text(value).replaceAll(/(^|\s)(\S)/g, (whole) => whole.toLowerCase()),
  swapcase: (value) =>
    text(value).replaceAll(/\p{L}/gu, (sign) =>
      sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase(),
    ),
  initials: (value) =>
    text(value)
      .split(/\s+/)
      .map((word) => word.charAt(0))
      .join(''),
  repeat: (times, value) => repeated(text(value), Number(times)),
  replace: (old, by, value) => bounded(text(value).replaceAll(text(old), () => text(by))),
  nospace: (value) => text(value).replaceAll(/\s/g, ''),
  trunc: (size, value) => {
    const bytes = new TextEncoder().encode(text(value))
    const count = Number(size)
    if (count < 0) return bytes.length + count > 0 ? decoded(bytes.slice(count)) : text(value)
    return bytes.length > count ? decoded(bytes.slice(0, count)) : text(value)
  },
  substr: (from, to, value) => {
    const bytes = new TextEncoder().encode(text(value))
    const [start, end] = [Number(from), Number(to)]
    if (start < 0) return decoded(bytes.slice(0, checked(end, 0, bytes.length)))
    if (end < 0 || end > bytes.length) return decoded(bytes.slice(checked(start, 0, bytes.length)))
    return decoded(bytes.slice(checked(start, 0, end), end))
  },
  abbrev: (width, value) => abbreviated(text(value), 0, Number(width)),
  abbrevboth: (left, right, value) => abbreviated(text(value), Number(left), Number(right)),
  wrap: (width, value) => wrapped(text(value), Number(width), '\n'),
  wrapWith: (width, sign, value) => wrapped(text(value), Number(width), text(sign)),
  contains: (part, value) => text(value).includes(text(part)),
  hasPrefix: (part, value) => text(value).startsWith(text(part)),
  hasSuffix: (part, value) => text(value).endsWith(text(part)),
  quote: (...values) => quoted(values, goQuoted),
  squote: (...values) => quoted(values, (value) => `'${value}'`),
  cat: (...values) =>
    values
      .filter((value) => !isNil(value))
      .map(text)
      .join(' '),
  indent: (size, value) => indented(Number(size), text(value)),
  nindent: (size, value) => `\n${indented(Number(size), text(value))}`,
  kebabcase: (value) => joinedWords(text(value), '-'),
  snakecase: (value) => joinedWords(text(value), '_'),
  camelcase: (value) => camelCase(text(value)),
  plural: (one, many, number) => (Number(number) === 1 ? one : many),
  sha1sum: (value) => sha1Hex(text(value)),
  sha256sum: (value) => sha256Hex(text(value)),
  sha512sum: (value) => sha512Hex(text(value)),
  adler32sum: (value) => String(adler32(text(value))),
  b64enc: (value) => base64(text(value)),
  b64dec: (value) => unbase64(text(value)),
  b32enc: (value) => base32(text(value)),
  b32dec: (value) => unbase32(text(value)),
  splitList: (separator, value) => split(text(value), text(separator)),
  split: (separator, value) => numbered(split(text(value), text(separator))),
  splitn: (separator, count, value) => {
    const most = Number(count)
    const parts = most === 0 ? [] : split(text(value), text(separator))
    if (most < 0 || parts.length <= most) return numbered(parts)
    const rest = parts.slice(most - 1).join(text(separator))
    return numbered([...parts.slice(0, most - 1), rest])
  },
  join: (separator, values) => bounded(strings(values).join(text(separator))),
  toStrings: (values) => strings(values),
  toString: (value: Value) => text(value),
  sortAlpha: (value) => strings(value).sort(),
}

function checked(at: number, least: number, most: number): number {
  if (at < least || at > most) throw new Error(`slice bounds out of range [${at}]`)
  return at
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function split(value: string, separator: string): string[] {
  return separator === '' ? Array.from(value) : value.split(separator)
}

function numbered(parts: readonly string[]): Value {
  return Object.fromEntries(parts.map((part, at) => [`_${at}`, part]))
}

function bounded(made: string): string {
  if (made.length > MOST * 8) throw new Error('one call makes more than 8 MiB')
  return made
}

function repeated(value: string, times: number): string {
  if (times < 0) throw new Error('strings: negative Repeat count')
  if (value.length * times > MOST) throw new Error('repeat makes more than 1 MiB')
  return value.repeat(times)
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
    .filter((value) => !isNil(value))
    .map((value) => quote(text(value)))
    .join(' ')
}

function indented(size: number, value: string): string {
  const pad = repeated(' ', size)
  const lines = value.split('\n')
  if (lines.length * size + value.length > MOST * 8) throw new Error('indent makes more than 8 MiB')
  return pad + lines.join(`\n${pad}`)
}

/** goutils.AbbreviateFull: `left` is the offset from which something must be seen. */
function abbreviated(value: string, left: number, width: number): string {
  if (width < 4 || (left > 0 && width < 7) || value.length <= width) return value
  let offset = Math.min(left, value.length)
  if (value.length - offset < width - 3) offset = value.length - (width - 3)
  if (offset <= 4) return `${value.slice(0, width - 3)}...`
  if (offset + width - 3 < value.length) {
    return `...${abbreviated(value.slice(offset), 0, width - 3)}`
  }
  return `...${value.slice(value.length - (width - 3))}`
}

/** At spaces, longer words stay whole. */
function wrapped(value: string, width: number, sign: string): string {
  const size = Math.max(1, width)
  let out = ''
  let at = 0
  while (value.length - at > size) {
    if (value[at] === ' ') {
      at += 1
      continue
    }
    let space = value.lastIndexOf(' ', size + at)
    if (space < at) space = value.indexOf(' ', size + at)
    if (space < 0) break
    out += value.slice(at, space) + sign
    at = space + 1
  }
  return out + value.slice(at)
}

/** Words end where small letters, numbers or separators do; `HTTPServer` is two of them. */
function joinedWords(value: string, sign: string): string {
  return value
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, `$1${sign}$2`)
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, `$1${sign}$2`)
    .replaceAll(/(\p{L})(\p{N})/gu, `$1${sign}$2`)
    .replaceAll(/[-_ ]/g, sign)
    .replaceAll(new RegExp(`${sign}+`, 'g'), sign)
    .toLowerCase()
}

/** Of several separators one is taken away; those in front and at the end stay. */
function camelCase(value: string): string {
  const [, start = '', middle = '', end = ''] = /^([-_ ]*)([\s\S]*?)([-_ ]*)$/.exec(value) ?? []
  const words = middle
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1-$2')
    .replaceAll(/[-_ ]([-_ ]*)([^-_ ]+)/g, (_, more: string, word: string) => more + titled(word))
  const first = /^[^-_ ]+/.exec(middle)?.[0] ?? ''
  const isSplit = /^[\p{Lu}\p{N}]*\p{Ll}[\p{Ll}\p{N}]*\p{Lu}/u.test(first)
  const length = isSplit ? first.search(/[\p{Ll}\p{N}]\p{Lu}/u) + 1 : first.length
  return start + titled(words.slice(0, length)) + words.slice(length) + end
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}
