/** Whether a sign belongs to a set. */
export type Class = (sign: string) => boolean

export type Part =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: Class }
  | { readonly kind: 'at'; readonly place: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Part[] }
  | { readonly kind: 'group'; readonly part: Part; readonly index: number | undefined }
  | {
      readonly kind: 'repeat'
      readonly part: Part
      readonly least: number
      readonly most: number | undefined
      readonly isLazy: boolean
    }

export interface Parsed {
  readonly part: Part
  readonly groups: number
  readonly names: readonly (string | undefined)[]
}

/** Go's syntax of regular expressions; throws as regexp.Compile words it. */
export function parsePattern(pattern: string): Parsed {
  const parser = new PatternParser(pattern)
  const part = parser.any()
  if (!parser.isAtEnd()) throw new Error(parsing('unexpected )', pattern))
  return { part, groups: parser.names.length, names: parser.names }
}

function parsing(what: string, where: string): string {
  return `error parsing regexp: ${what}: \`${where}\``
}

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly U: boolean
}

const REPEAT = /^\{(\d+)(,(\d*))?\}/
const MOST_REPEATS = 1000
const MOST_DEPTH = 200

class PatternParser {
  readonly names: (string | undefined)[] = []
  readonly #signs: readonly string[]
  readonly #pattern: string
  #at = 0
  #depth = 0
  #flags: Flags = { i: false, m: false, s: false, U: false }

  constructor(pattern: string) {
    this.#pattern = pattern
    this.#signs = Array.from(pattern)
  }

  isAtEnd(): boolean {
    return this.#at >= this.#signs.length
  }

  any(): Part {
    this.#depth += 1
    if (this.#depth > MOST_DEPTH)
      throw new Error(parsing('expression nests too deeply', this.#pattern))
    const parts = [this.#all()]
    while (this.#take('|')) parts.push(this.#all())
    this.#depth -= 1
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { kind: 'any', parts }
  }

  #all(): Part {
    const parts: Part[] = []
    while (!this.isAtEnd() && this.#peek() !== '|' && this.#peek() !== ')') {
      const atom = this.#atom()
      parts.push(atom === undefined ? { kind: 'empty' } : this.#repeated(atom))
    }
    return { kind: 'all', parts }
  }

  #repeated(atom: Part): Part {
    let part = atom
    let isRepeated = false
    for (;;) {
      const range = this.#range()
      if (range === undefined) return part
      if (isRepeated) throw new Error(parsing('invalid nested repetition operator', this.#pattern))
      isRepeated = true
      const isLazy = this.#take('?') !== this.#flags.U
      part = { kind: 'repeat', part, ...range, isLazy }
    }
  }

  #range(): { readonly least: number; readonly most: number | undefined } | undefined {
    if (this.#take('*')) return { least: 0, most: undefined }
    if (this.#take('+')) return { least: 1, most: undefined }
    if (this.#take('?')) return { least: 0, most: 1 }
    const match = REPEAT.exec(this.#signs.slice(this.#at, this.#at + 20).join(''))
    if (match === null) return undefined
    const [whole, low = '', comma, high = ''] = match
    this.#at += whole.length
    const least = Number(low)
    const most = comma === undefined ? least : high === '' ? undefined : Number(high)
    if (Math.max(least, most ?? 0) > MOST_REPEATS || least > (most ?? least)) {
      throw new Error(parsing('invalid repeat count', whole))
    }
    return { least, most }
  }

  /** Undefined: flags, which match nothing themselves. */
  #atom(): Part | undefined {
    const sign = this.#next()
    switch (sign) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#folded(this.#class()) }
      case '.': {
        const { s } = this.#flags
        return { kind: 'set', set: (one) => s || one !== '\n' }
      }
      case '^':
        return { kind: 'at', place: this.#flags.m ? 'line-start' : 'start' }
      case '$':
        return { kind: 'at', place: this.#flags.m ? 'line-end' : 'end' }
      case '*':
      case '+':
      case '?':
        throw new Error(parsing('missing argument to repetition operator', sign))
      case '\\':
        return this.#escape()
      case undefined:
      default:
        return { kind: 'set', set: this.#folded((one) => one === sign) }
    }
  }

  #group(): Part | undefined {
    const before = this.#flags
    let index: number | undefined
    if (this.#take('?')) {
      const rest = this.#signs.slice(this.#at).join('')
      const named = /^P?<([^>]*)>/.exec(rest)
      const flags = /^([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest)
      if (named !== null) {
        if (!/^\w+$/.test(named[1] ?? ''))
          throw new Error(parsing('invalid named capture', `(?${rest}`))
        this.#at += Array.from(named[0]).length
        index = this.names.push(named[1])
      } else if (flags !== null) {
        this.#at += flags[0].length
        for (const flag of flags[1] ?? '') this.#flags = { ...this.#flags, [flag]: true }
        for (const flag of flags[2] ?? '') this.#flags = { ...this.#flags, [flag]: false }
        if (flags[3] === ')') return undefined
      } else throw new Error(parsing('invalid or unsupported Perl syntax', `(?${rest.slice(0, 1)}`))
    } else index = this.names.push(undefined)
    const part = this.any()
    if (!this.#take(')')) throw new Error(parsing('missing closing )', this.#pattern))
    this.#flags = before
    return { kind: 'group', part, index }
  }

  #escape(): Part {
    const place = PLACES[this.#peek() ?? '']
    if (place !== undefined) {
      this.#at += 1
      return { kind: 'at', place }
    }
    if (this.#take('Q')) {
      const parts: Part[] = []
      while (!this.isAtEnd() && !(this.#peek() === '\\' && this.#signs[this.#at + 1] === 'E')) {
        const sign = this.#next()
        parts.push({ kind: 'set', set: this.#folded((one) => one === sign) })
      }
      this.#at += 2
      return { kind: 'all', parts }
    }
    const found = this.#escaped()
    const set: Class = typeof found === 'string' ? (one) => one === found : found
    return { kind: 'set', set: this.#folded(set) }
  }

  /** Behind a backslash: one sign, or a set. */
  #escaped(): string | Class {
    const sign = this.#next()
    const set = PERL[sign ?? '']
    if (set !== undefined) return set
    if (sign === 'p' || sign === 'P') return this.#property(sign === 'P')
    if (sign === 'x') {
      const match = /^(?:([\da-fA-F]{2})|\{([\da-fA-F]{1,6})\})/.exec(this.#rest(8))
      if (match === null) throw new Error(parsing('invalid escape sequence', '\\x'))
      this.#at += match[0].length
      return String.fromCodePoint(Number.parseInt(match[1] ?? match[2] ?? '0', 16))
    }
    if (sign !== undefined && /[0-7]/.test(sign)) {
      const match = /^[0-7]{0,2}/.exec(this.#rest(2))?.[0] ?? ''
      if (sign !== '0' && match === '')
        throw new Error(parsing('invalid escape sequence', `\\${sign}`))
      this.#at += match.length
      return String.fromCodePoint(Number.parseInt(sign + match, 8))
    }
    const control = CONTROLS[sign ?? '']
    if (control !== undefined) return control
    if (sign === undefined) throw new Error(parsing('trailing backslash at end of expression', ''))
    if (/[A-Za-z0-9]/.test(sign)) throw new Error(parsing('invalid escape sequence', `\\${sign}`))
    return sign
  }

  #property(isNegated: boolean): Class {
    const match = /^(?:([A-Z])|\{(\^?)(\w+)\})/.exec(this.#rest(40))
    if (match === null) throw new Error(parsing('invalid character class range', '\\p'))
    this.#at += match[0].length
    const name = match[1] ?? match[3] ?? ''
    let property: RegExp
    try {
      property = new RegExp(`^\\p{${name.length <= 2 ? name : `Script=${name}`}}$`, 'u')
    } catch {
      throw new Error(parsing('invalid character class range', `\\p{${name}}`))
    }
    const isFlipped = isNegated !== (match[2] === '^')
    return (sign) => property.test(sign) !== isFlipped
  }

  #class(): Class {
    const isNegated = this.#take('^')
    const sets: Class[] = []
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      if (this.isAtEnd()) throw new Error(parsing('missing closing ]', this.#pattern))
      const posix = /^\[:(\^?)(\w+):\]/.exec(this.#rest(20))
      if (posix !== null) {
        const set = POSIX[posix[2] ?? '']
        if (set === undefined) throw new Error(parsing('invalid character class range', posix[0]))
        this.#at += posix[0].length
        const isFlipped = posix[1] === '^'
        sets.push((sign) => set.test(sign) !== isFlipped)
        continue
      }
      const low = this.#member()
      const isRange = this.#peek() === '-' && this.#signs[this.#at + 1] !== ']'
      if (typeof low !== 'string' || !isRange) {
        sets.push(typeof low === 'string' ? (sign) => sign === low : low)
        continue
      }
      this.#at += 1
      const high = this.#member()
      const [from, to] = [codeOf(low), typeof high === 'string' ? codeOf(high) : -1]
      if (to < from) throw new Error(parsing('invalid character class range', `${low}-`))
      sets.push((sign) => codeOf(sign) >= from && codeOf(sign) <= to)
    }
    this.#at += 1
    const fold = this.#folded((sign) => sets.some((set) => set(sign)))
    return (sign) => fold(sign) !== isNegated
  }

  #member(): string | Class {
    if (this.#take('\\')) return this.#escaped()
    return this.#next() ?? ''
  }

  #folded(set: Class): Class {
    if (!this.#flags.i) return set
    return (sign) => set(sign) || set(sign.toLowerCase()) || set(sign.toUpperCase())
  }

  #rest(count: number): string {
    return this.#signs.slice(this.#at, this.#at + count).join('')
  }

  #peek(): string | undefined {
    return this.#signs[this.#at]
  }

  #next(): string | undefined {
    const sign = this.#signs[this.#at]
    this.#at += 1
    return sign
  }

  #take(sign: string): boolean {
    if (this.#peek() !== sign) return false
    this.#at += 1
    return true
  }
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0
}

const PLACES: { readonly [sign: string]: string } = {
  A: 'start',
  z: 'end',
  b: 'border',
  B: 'no-border',
}

const PERL: { readonly [sign: string]: Class } = {
  d: (sign) => /^[0-9]$/.test(sign),
  D: (sign) => !/^[0-9]$/.test(sign),
  w: (sign) => /^\w$/.test(sign),
  W: (sign) => !/^\w$/.test(sign),
  s: (sign) => /^[\t\n\f\r ]$/.test(sign),
  S: (sign) => !/^[\t\n\f\r ]$/.test(sign),
}

const CONTROLS: { readonly [sign: string]: string } = {
  a: '\u0007',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const POSIX: { readonly [name: string]: RegExp } = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  // eslint-disable-next-line no-control-regex
  ascii: /^[\u0000-\u007f]$/,
  blank: /^[\t ]$/,
  // eslint-disable-next-line no-control-regex
  cntrl: /^[\u0000-\u001f\u007f]$/,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[\t\n\v\f\r ]$/,
  upper: /^[A-Z]$/,
  word: /^\w$/,
  xdigit: /^[0-9A-Fa-f]$/,
}
