import {
  floatText,
  isGoObject,
  isMap,
  isNil,
  isSequence,
  printed,
  typeOf,
  type Value,
} from './value.ts'

const VERB = /%([-+# 0]*)(\d+|\*)?(?:\.(\d+|\*)?)?([\s\S]|$)/gu
/** A wider field is refused: a template may not fill memory with one verb. */
const WIDEST = 100_000

/** fmt.Sprintf, with its words for operands that are missing, left over or of another kind. */
export function sprintf(format: string, values: readonly Value[]): string {
  let next = 0
  const text = format.replaceAll(VERB, (whole, flags: string, width, precision, verb: string) => {
    if (verb === '') return '%!(NOVERB)'
    const size = width === '*' ? Number(values[next++]) : Number(width ?? 0)
    const digits = precision === '*' ? Number(values[next++]) : Number(precision ?? 0)
    if (size > WIDEST || digits > WIDEST)
      throw new Error(`${whole} asks for more than ${WIDEST} letters`)
    if (verb === '%') return '%'
    if (next >= values.length) return `%!${verb}(MISSING)`
    const value = values[next]
    next += 1
    const hasPrecision = /\.[^.]*$/.test(whole.slice(0, -1))
    const made = formatted(value, { verb, flags, precision: hasPrecision ? digits : undefined })
    return padded(made, size, flags, value)
  })
  if (next >= values.length) return text
  const extra = values.slice(next).map((value) => wrong(value).slice(1, -1))
  return `${text}%!(EXTRA ${extra.join(', ')})`
}

interface Spec {
  readonly verb: string
  readonly flags: string
  readonly precision: number | undefined
}

function formatted(value: Value, spec: Spec): string {
  const { verb, flags, precision } = spec
  if (verb === 'T') return typeOf(value)
  if (verb === 'v') {
    if (flags.includes('#')) return goSyntax(value)
    if (typeof value === 'number' && precision !== undefined)
      return signed(value, significant(value, precision), flags)
    return signed(value, printed(value, true), flags)
  }
  if (isNil(value)) return `%!${verb}(<nil>)`
  if (isSequence(value)) return `[${value.map((item) => inside(item, spec)).join(' ')}]`
  if (isMap(value)) {
    const keys = Object.keys(value).sort()
    const text = (item: Value): string => inside(item, spec)
    return `map[${keys.map((key) => `${text(key)}:${text(value[key])}`).join(' ')}]`
  }
  if (typeof value === 'string') return textAs(value, spec)
  if (isGoObject(value)) return textAs(value.text, spec)
  if (typeof value === 'bigint') return intAs(value, spec)
  if (typeof value === 'number') return floatAs(value, spec)
  return verb === 't' ? String(value) : `%!${verb}${wrong(value)}`
}

/** Nil in a list or a map has no verb. */
function inside(item: Value, spec: Spec): string {
  return isNil(item) ? '<nil>' : formatted(item, spec)
}

function textAs(value: string, { verb, flags, precision }: Spec): string {
  const cut = precision === undefined ? value : Array.from(value).slice(0, precision).join('')
  if (verb === 's') return cut
  if (verb === 'q') return flags.includes('#') && !cut.includes('`') ? `\`${cut}\`` : goQuoted(cut)
  if (verb !== 'x' && verb !== 'X') return `%!${verb}${wrong(value)}`
  const bytes = [...new TextEncoder().encode(value)].slice(0, precision)
  const hex = bytes
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(flags.includes(' ') ? ' ' : '')
  return verb === 'X' ? hex.toUpperCase() : hex
}

function intAs(value: bigint, { verb, flags, precision }: Spec): string {
  const base = BASES[verb]
  if (base !== undefined) {
    const digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, '0')
    const prefix = flags.includes('#') ? (PREFIXES[verb] ?? '') : ''
    const text = `${value < 0n ? '-' : ''}${prefix}${digits}`
    return signed(value, verb === 'X' ? text.toUpperCase() : text, flags)
  }
  if (verb === 'c') return String.fromCodePoint(Number(value))
  if (verb === 'q') return `'${String.fromCodePoint(Number(value))}'`
  if (verb === 'U') return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`
  return `%!${verb}${wrong(value)}`
}

const BASES: { readonly [verb: string]: number } = { d: 10, x: 16, X: 16, o: 8, O: 8, b: 2 }
const PREFIXES: { readonly [verb: string]: string } = { x: '0x', X: '0X', o: '0', b: '0b' }

function floatAs(value: number, { verb, flags, precision }: Spec): string {
  switch (verb) {
    case 'f':
    case 'F':
      return signed(value, value.toFixed(Math.min(precision ?? 6, 100)), flags)
    case 'e':
    case 'E': {
      const text = exponential(value.toExponential(Math.min(precision ?? 6, 100)))
      return signed(value, verb === 'E' ? text.toUpperCase() : text, flags)
    }
    case 'g':
    case 'G': {
      const text = precision === undefined ? floatText(value) : significant(value, precision)
      return signed(value, verb === 'G' ? text.toUpperCase() : text, flags)
    }
    default:
      return `%!${verb}${wrong(value)}`
  }
}

/** `%.3g`: so many digits, without zeros at the end. */
function significant(value: number, precision: number): string {
  const digits = Math.max(1, Math.min(precision, 100))
  const exponent = Number(value.toExponential(digits - 1).split('e')[1])
  if (exponent < -4 || exponent >= digits) {
    const [mantissa = '', power = ''] = exponential(value.toExponential(digits - 1)).split('e')
    return `${mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa}e${power}`
  }
  const text = value.toFixed(Math.max(0, digits - 1 - exponent))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function exponential(text: string): string {
  return text.replace(/e([-+])(\d)$/, 'e$10$2')
}

function signed(value: Value, text: string, flags: string): string {
  if ((typeof value !== 'bigint' && typeof value !== 'number') || text.startsWith('-')) return text
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text
}

function wrong(value: Value): string {
  return isNil(value) ? '(<nil>)' : `(${typeOf(value)}=${printed(value, true)})`
}

function padded(text: string, width: number, flags: string, value: Value): string {
  const missing = width - Array.from(text).length
  if (missing <= 0) return text
  if (flags.includes('-')) return text + ' '.repeat(missing)
  const isNumber = typeof value === 'bigint' || typeof value === 'number'
  if (!flags.includes('0') || (!isNumber && typeof value !== 'string'))
    return ' '.repeat(missing) + text
  const sign = isNumber ? (/^[-+ ]/.exec(text)?.[0] ?? '') : ''
  return sign + '0'.repeat(missing) + text.slice(sign.length)
}

/** `%#v` */
function goSyntax(value: Value): string {
  if (isNil(value)) return '<nil>'
  if (typeof value === 'string') return goQuoted(value)
  if (isSequence(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isMap(value)) return printed(value)
  const keys = Object.keys(value).sort()
  const entries = keys.map((key) => `${goQuoted(key)}:${goSyntax(value[key])}`)
  return `map[string]interface {}{${entries.join(', ')}}`
}

/** strconv.Quote */
export function goQuoted(text: string): string {
  let out = '"'
  for (const sign of text) out += SHORT[sign] ?? (isPrintable(sign) ? sign : escapedSign(sign))
  return `${out}"`
}

const SHORT: { readonly [sign: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

function isPrintable(sign: string): boolean {
  return sign === ' ' || !/[\p{C}\p{Z}]/u.test(sign)
}

function escapedSign(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}
