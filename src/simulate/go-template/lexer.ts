import { TemplateError } from './node.ts'

export interface Delimiters {
  readonly open: string
  readonly close: string
}

export const HELM_DELIMITERS: Delimiters = { open: '{{', close: '}}' }

/** Text and actions of a template, white space trimmed where an action asks for it. */
export interface Piece {
  readonly kind: 'text' | 'action'
  readonly text: string
  readonly at: number
}

/** Splits a template at its delimiters. Comments are dropped. */
export function piecesOf(
  name: string,
  text: string,
  { open, close }: Delimiters,
): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let trimNext = false
  for (;;) {
    const start = text.indexOf(open, at)
    let plain = text.slice(at, start < 0 ? text.length : start)
    if (trimNext) plain = plain.replace(/^[ \t\r\n]+/, '')
    if (start < 0) {
      if (plain !== '') pieces.push({ kind: 'text', text: plain, at })
      return pieces
    }
    let inner = start + open.length
    if (text[inner] === '-' && isSpace(text[inner + 1])) {
      plain = plain.replace(/[ \t\r\n]+$/, '')
      inner += 2
    }
    if (plain !== '') pieces.push({ kind: 'text', text: plain, at })
    const comment = /^\s*\/\*/.exec(text.slice(inner))
    const end = comment === null ? actionEnd(text, inner, close) : commentEnd(text, inner, close)
    if (end < 0) throw new TemplateError(name, 'unclosed action', start)
    let body = text.slice(inner, end)
    trimNext = /[ \t\r\n]-$/.test(body)
    if (trimNext) body = body.slice(0, -2)
    if (comment === null) pieces.push({ kind: 'action', text: body, at: inner })
    at = end + close.length
  }
}

function isSpace(letter: string | undefined): boolean {
  return letter !== undefined && /[ \t\r\n]/.test(letter)
}

/** Delimiters inside of quotes do not count. */
function actionEnd(text: string, from: number, close: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith(close, at)) return at
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      at += 1
      while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
    } else if (quote === '`') {
      at = text.indexOf('`', at + 1)
      if (at < 0) return -1
    }
  }
  return -1
}

function commentEnd(text: string, from: number, close: string): number {
  const end = text.indexOf('*/', from)
  return end < 0 ? -1 : text.indexOf(close, end)
}

export interface Token {
  readonly kind: 'word' | 'field' | 'variable' | 'number' | 'string' | 'char' | 'sign'
  readonly text: string
  readonly at: number
  /** White space stood before it: `$a .b` are two operands, `$a.b` is one. */
  readonly spaced: boolean
}

const TOKEN =
  /(\s+)|(\$\w*)|(\.\w+)|("(?:\\.|[^"\\\n])*"|`[^`]*`)|('(?:\\.|[^'\\])+')|([+-]?(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?))|(\w+)|(:=|[|(),.=])|([\s\S])/y

/** The tokens of one action. */
export function tokensOf(name: string, { text, at: start }: Piece): readonly Token[] {
  const tokens: Token[] = []
  let spaced = false
  TOKEN.lastIndex = 0
  for (;;) {
    const at = TOKEN.lastIndex
    const match = at < text.length ? TOKEN.exec(text) : null
    if (match === null) return tokens
    const [whole, space, variable, field, string, char, number, word, sign, other] = match
    if (space !== undefined) {
      spaced = true
      continue
    }
    if (other !== undefined) {
      throw new TemplateError(name, `unexpected ${JSON.stringify(other)} in action`, start + at)
    }
    const kind =
      variable !== undefined
        ? 'variable'
        : field !== undefined
          ? 'field'
          : string !== undefined
            ? 'string'
            : char !== undefined
              ? 'char'
              : number !== undefined
                ? 'number'
                : word !== undefined
                  ? 'word'
                  : 'sign'
    if (kind === 'sign' && sign === undefined) return tokens
    tokens.push({ kind, text: whole, at: start + at, spaced })
    spaced = false
  }
}
