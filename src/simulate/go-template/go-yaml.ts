import { resolvePlain } from '../../core/yaml/resolve.ts'
import { goTimestamp } from '../../core/yaml/timestamp.ts'
import { floatText, isMap, isNil, isSequence, printed, type Value, type ValueMap } from './value.ts'

/**
 * `toYaml` to the letter, as sigs.k8s.io/yaml writes: charts put the digest of such texts into pod
 * templates. Without the last line end, as Helm trims it.
 */
export function goYaml(value: Value, indentLists = false): string {
  const writer = new Writer(indentLists)
  writer.node(value, -1, 'root')
  return writer.text.replace(/^\n/, '').replace(/\n$/, '')
}

const WIDTH = 80
const STEP = 2

type Place = 'root' | 'key' | 'value' | 'item'

class Writer {
  text = ''
  #column = 0
  readonly #indentLists: boolean

  constructor(indentLists: boolean) {
    this.#indentLists = indentLists
  }

  /** `indent`: of the collection around it. */
  node(value: Value, indent: number, place: Place): void {
    if (isSequence(value)) this.#list(value, indent, place)
    else if (isMap(value)) this.#map(value, indent, place)
    else this.#scalar(value, indent, place)
  }

  #list(items: readonly Value[], indent: number, place: Place): void {
    if (items.length === 0) return this.#word('[]')
    const isFlush = place === 'value' && !this.#indentLists
    const own = indent < 0 ? 0 : isFlush ? indent : indent + STEP
    items.forEach((item, at) => {
      if (at > 0 || place !== 'item') this.#line(own)
      else this.#put(' ')
      this.#put('-')
      this.node(item, own, 'item')
    })
  }

  #map(map: ValueMap, indent: number, place: Place): void {
    const keys = Object.keys(map).sort(compareKeys)
    if (keys.length === 0) return this.#word('{}')
    const own = indent < 0 ? 0 : indent + STEP
    keys.forEach((key, at) => {
      if (at > 0 || place !== 'item') this.#line(own)
      else this.#put(' ')
      this.#scalar(key, own, 'key')
      this.#put(':')
      this.node(map[key], own, 'value')
    })
  }

  #scalar(value: Value, indent: number, place: Place): void {
    if (typeof value !== 'string') return this.#word(plainText(value))
    const style = styleOf(value, place === 'key')
    const own = Math.max(indent, 0) + STEP
    const breaks = place !== 'key'
    if (this.#column > 0 && place !== 'key') this.#put(' ')
    if (style === 'literal') this.#literal(value, own)
    else if (style === 'double') this.#double(value, own, breaks)
    else this.#flowing(value, own, { breaks, isQuoted: style === 'single' })
  }

  #word(text: string): void {
    this.#put(this.#column > 0 ? ` ${text}` : text)
  }

  #flowing(
    text: string,
    indent: number,
    { breaks, isQuoted }: { breaks: boolean; isQuoted: boolean },
  ): void {
    if (isQuoted) this.#put("'")
    let wasSpace = false
    const signs = Array.from(text)
    signs.forEach((sign, at) => {
      const isInside = !isQuoted || (at > 0 && at < signs.length - 1)
      const mayFold = breaks && !wasSpace && this.#column > WIDTH && isInside
      if (sign === ' ' && mayFold && signs[at + 1] !== ' ') this.#line(indent)
      else this.#put(isQuoted && sign === "'" ? "''" : sign)
      wasSpace = sign === ' '
    })
    if (isQuoted) this.#put("'")
  }

  #double(text: string, indent: number, breaks: boolean): void {
    this.#put('"')
    let wasSpace = false
    const signs = Array.from(text)
    signs.forEach((sign, at) => {
      const isInside = at > 0 && at < signs.length - 1
      if (sign === ' ' && breaks && !wasSpace && this.#column > WIDTH && isInside) {
        this.#line(indent)
        if (signs[at + 1] === ' ') this.#put('\\')
      } else this.#put(escaped(sign))
      wasSpace = sign === ' '
    })
    this.#put('"')
  }

  #literal(text: string, indent: number): void {
    const hint = /^[ \n]/.test(text) ? String(STEP) : ''
    const chomp = !text.endsWith('\n') ? '-' : text.length === 1 || text.endsWith('\n\n') ? '+' : ''
    this.#put(`|${hint}${chomp}`)
    const isEnded = text.endsWith('\n')
    const lines = (isEnded ? text.slice(0, -1) : text).split('\n')
    const margin = ' '.repeat(indent)
    this.text += lines.map((line) => `\n${line === '' ? '' : margin}${line}`).join('')
    this.#column = 1
  }

  #line(indent: number): void {
    this.text += `\n${' '.repeat(indent)}`
    this.#column = indent
  }

  #put(text: string): void {
    this.text += text
    this.#column += text.length
  }
}

function plainText(value: Value): string {
  if (isNil(value)) return 'null'
  if (typeof value !== 'number') return printed(value)
  return Number.isInteger(value) && Math.abs(value) < 1e19
    ? String(BigInt(value))
    : floatText(value)
}

type Style = 'plain' | 'single' | 'double' | 'literal'

function styleOf(text: string, isKey: boolean): Style {
  const allowed = allowedStyles(text)
  if (text.includes('\n')) return allowed.has('literal') && !isKey ? 'literal' : 'double'
  if (!isText(text)) return 'double'
  if (allowed.has('plain')) return 'plain'
  return allowed.has('single') ? 'single' : 'double'
}

/** Nothing else than text to a reader that sees it without quotes. */
function isText(text: string): boolean {
  if (text === '' || text === '<<' || /^(?:y|n)$/i.test(text)) return false
  if (/^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/.test(text)) return false
  if (/^[-+]?\.(?:inf|nan)$/i.test(text)) return false
  if (/^\d{4}-/.test(text) && goTimestamp(text) !== undefined) return false
  return resolvePlain(text, 'kubernetes') === text
}

// eslint-disable-next-line no-control-regex
const SPECIAL = /[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** As libyaml analyses a scalar. */
function allowedStyles(text: string): ReadonlySet<Style> {
  const isSpecial = SPECIAL.test(text) || / [\n\u0085\u2028\u2029]/.test(text)
  if (isSpecial) return new Set(['double'])
  const styles = new Set<Style>(['double', 'single', 'plain', 'literal'])
  if (text.endsWith(' ')) styles.delete('literal')
  if (/[\n\u0085\u2028\u2029] /.test(text)) styles.delete('single')
  const hasIndicator =
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](?:[\s]|$)/.test(text) ||
    /:(?:\s|$)|\s#/.test(text)
  if (hasIndicator || /^ | $|[\n\u0085\u2028\u2029]/.test(text)) styles.delete('plain')
  return styles
}

const ESCAPES: { readonly [sign: string]: string } = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
}

function escaped(sign: string): string {
  const short = ESCAPES[sign]
  if (short !== undefined) return short
  if (!SPECIAL.test(sign)) return sign
  const code = sign.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** Letters behind other signs, numbers inside of names by their value. */
function compareKeys(one: string, other: string): number {
  const [left, right] = [Array.from(one), Array.from(other)]
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at += 1) {
    const [a = '', b = ''] = [left[at], right[at]]
    if (a === b) continue
    const [isLetterA, isLetterB] = [/\p{L}/u.test(a), /\p{L}/u.test(b)]
    if (isLetterA !== isLetterB) return isLetterB ? -1 : 1
    if (isLetterA) return order(a, b)
    let start = 0
    if (a === '0' || b === '0') {
      for (let back = at - 1; back >= 0 && isDigit(left[back]); back -= 1) {
        if (left[back] !== '0') start = 1
      }
    }
    const [numberA, numberB] = [digitsAt(left, at), digitsAt(right, at)]
    const [valueA, valueB] = [Number(`${start}${numberA}`), Number(`${start}${numberB}`)]
    if (valueA !== valueB) return valueA - valueB
    if (numberA.length !== numberB.length) return numberA.length - numberB.length
    return order(a, b)
  }
  return left.length - right.length
}

function order(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0)
}

function digitsAt(signs: readonly string[], at: number): string {
  let end = at
  while (isDigit(signs[end])) end += 1
  return signs.slice(at, end).join('')
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && /^\p{Nd}$/u.test(sign)
}
