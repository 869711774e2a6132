import {
  TemplateError,
  type Command,
  type Node,
  type Operand,
  placeIn,
  type Pipe,
  type Source,
  type Template,
} from './node.ts'
import { piecesOf, tokensOf, type Delimiters, type Piece, type Token } from './lexer.ts'

/** The templates of one file: itself, and those that it defines. */
export function parseTemplate(
  name: string,
  text: string,
  delimiters: Delimiters,
  isFunction: (name: string) => boolean = () => true,
): readonly Template[] {
  const source = { name, text }
  try {
    return new Parser(source, piecesOf(name, text, delimiters), isFunction).all()
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new TemplateError(placeIn(source, error.at), error.message, error.at)
  }
}

/** Who ended a list of nodes: the end of the file, or one of these words. */
type Ending = 'eof' | 'end' | 'else'

class Parser {
  readonly #source: Source
  readonly #pieces: readonly Piece[]
  readonly #isFunction: (name: string) => boolean
  readonly #defined: Template[] = []
  #at = 0
  #tokens: readonly Token[] = []
  #token = 0

  constructor(source: Source, pieces: readonly Piece[], isFunction: (name: string) => boolean) {
    this.#source = source
    this.#isFunction = isFunction
    this.#pieces = pieces
  }

  all(): readonly Template[] {
    const { nodes, ending } = this.#list()
    if (ending !== 'eof') throw this.#error(`unexpected {{${ending}}}`)
    return [{ name: this.#source.name, nodes, source: this.#source }, ...this.#defined]
  }

  #list(): { readonly nodes: readonly Node[]; readonly ending: Ending } {
    const nodes: Node[] = []
    for (;;) {
      const piece = this.#pieces[this.#at]
      if (piece === undefined) return { nodes, ending: 'eof' }
      this.#at += 1
      if (piece.kind === 'text') {
        nodes.push({ kind: 'text', text: piece.text })
        continue
      }
      this.#tokens = tokensOf(this.#source.name, piece)
      this.#token = 0
      const word = this.#peek()?.kind === 'word' ? this.#peek()?.text : undefined
      if (word === 'end' || word === 'else') {
        this.#token += 1
        return { nodes, ending: word }
      }
      const node = this.#node(word)
      if (node !== undefined) nodes.push(node)
    }
  }

  #node(word: string | undefined): Node | undefined {
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        this.#token += 1
        return this.#branch(word)
      case 'define':
        this.#token += 1
        this.#define(this.#text())
        return undefined
      case 'block': {
        const at = this.#peek()?.at ?? 0
        this.#token += 1
        const name = this.#text()
        const pipe = this.#pipe()
        this.#define(name)
        return { kind: 'template', at, name, pipe }
      }
      case 'template': {
        const at = this.#peek()?.at ?? 0
        this.#token += 1
        const name = this.#text()
        const pipe = this.#peek() ? this.#wholePipe() : undefined
        return { kind: 'template', at, name, pipe }
      }
      case 'break':
      case 'continue':
        if (this.#tokens.length === 1) return { kind: word }
        break
      case undefined:
      default:
    }
    if (this.#tokens.length === 0) throw this.#error('missing value for command')
    return { kind: 'action', pipe: this.#wholePipe() }
  }

  #branch(kind: 'if' | 'with' | 'range'): Node {
    const pipe = this.#wholePipe()
    const { nodes: body, ending } = this.#list()
    if (ending === 'eof') throw this.#error('unexpected EOF')
    if (ending === 'end') return { kind, pipe, body, otherwise: [] }
    const next = this.#peek()
    if (next?.kind === 'word' && (next.text === 'if' || next.text === 'with')) {
      this.#token += 1
      return { kind, pipe, body, otherwise: [this.#branch(next.text)] }
    }
    const rest = this.#list()
    if (rest.ending !== 'end') throw this.#error('unexpected EOF')
    return { kind, pipe, body, otherwise: rest.nodes }
  }

  #define(name: string): void {
    const { nodes, ending } = this.#list()
    if (ending !== 'end') throw this.#error('unexpected EOF')
    const isEmpty = isBlank(nodes)
    if (!isEmpty && this.#defined.some((one) => one.name === name && !isBlank(one.nodes))) {
      throw this.#error(`multiple definition of template ${JSON.stringify(name)}`)
    }
    this.#defined.push({ name, nodes, source: this.#source })
  }

  #wholePipe(): Pipe {
    const pipe = this.#pipe()
    const left = this.#peek()
    if (left !== undefined) throw this.#error(`unexpected ${JSON.stringify(left.text)}`, left)
    return pipe
  }

  #pipe(): Pipe {
    const at = this.#peek()?.at ?? 0
    const { variables, isAssign } = this.#declaration()
    const commands: Command[] = []
    for (;;) {
      commands.push(this.#command())
      if (this.#peek()?.text !== '|') break
      this.#token += 1
    }
    return { at, variables, isAssign, commands }
  }

  /** `$a :=`, `$i, $v :=`, `$a =`. */
  #declaration(): { readonly variables: readonly string[]; readonly isAssign: boolean } {
    const start = this.#token
    const variables: string[] = []
    while (this.#peek()?.kind === 'variable') {
      variables.push(this.#peek()?.text ?? '')
      this.#token += 1
      const sign = this.#peek()?.text
      this.#token += 1
      if (sign === ':=' || sign === '=') return { variables, isAssign: sign === '=' }
      if (sign !== ',') break
    }
    this.#token = start
    return { variables: [], isAssign: false }
  }

  #command(): Command {
    const at = this.#peek()?.at ?? 0
    const operands: Operand[] = []
    for (;;) {
      const token = this.#peek()
      if (token === undefined || token.text === '|' || token.text === ')') break
      operands.push(this.#operand(token))
    }
    if (operands.length === 0) throw this.#error('missing value for command')
    const last = this.#tokens[this.#token - 1]
    return { at, end: last === undefined ? at : last.at + last.text.length, operands }
  }

  #operand(token: Token): Operand {
    this.#token += 1
    switch (token.kind) {
      case 'string':
        return { kind: 'value', value: unquote(token.text) }
      case 'char':
        return {
          kind: 'value',
          value: BigInt(unquote(`"${token.text.slice(1, -1)}"`).codePointAt(0) ?? 0),
        }
      case 'number':
        return { kind: 'value', value: numberOf(token.text) }
      case 'variable':
        return { kind: 'variable', at: token.at, name: token.text, names: this.#chain() }
      case 'field':
        return { kind: 'field', at: token.at, names: [token.text.slice(1), ...this.#chain()] }
      case 'word':
        if (token.text === 'true' || token.text === 'false') {
          return { kind: 'value', value: token.text === 'true' }
        }
        return token.text === 'nil' ? { kind: 'value', value: null } : this.#function(token)
      case 'sign':
        break
    }
    if (token.text === '.') return { kind: 'field', at: token.at, names: [] }
    if (token.text !== '(') throw this.#error(`unexpected ${JSON.stringify(token.text)}`, token)
    const pipe = this.#pipe()
    if (this.#peek()?.text !== ')') throw this.#error('unclosed left paren', token)
    this.#token += 1
    return { kind: 'pipe', at: token.at, pipe, names: this.#chain() }
  }

  /** `inputs.tag`: a field of what a function without arguments returns. */
  #function(token: Token): Operand {
    const { text, at } = token
    if (!this.#isFunction(text)) throw this.#error(`function "${text}" not defined`, token)
    const called: Operand = { kind: 'function', at, name: text }
    const names = this.#chain()
    if (names.length === 0) return called
    const commands = [{ at, end: at + text.length, operands: [called] }]
    return { kind: 'pipe', at, pipe: { at, variables: [], isAssign: false, commands }, names }
  }

  /** Fields that stand directly behind an operand. */
  #chain(): string[] {
    const names: string[] = []
    for (;;) {
      const token = this.#peek()
      if (token?.kind !== 'field' || token.spaced) return names
      names.push(token.text.slice(1))
      this.#token += 1
    }
  }

  #text(): string {
    const token = this.#peek()
    if (token?.kind !== 'string') throw this.#error('a template needs a name in quotes')
    this.#token += 1
    return unquote(token.text)
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#token]
  }

  #error(message: string, token: Token | undefined = this.#peek()): TemplateError {
    const piece = this.#pieces[this.#at - 1]
    return new TemplateError(this.#source.name, message, token?.at ?? piece?.at)
  }
}

/** Nothing but white space: as if it were not there. */
export function isBlank(nodes: readonly Node[]): boolean {
  return nodes.every((node) => node.kind === 'text' && node.text.trim() === '')
}

function unquote(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1)
  return text
    .slice(1, -1)
    .replaceAll(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([\s\S]))/g,
      (_, x?: string, u?: string, big?: string, octal?: string, letter?: string) => {
        const hex = x ?? u ?? big
        if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
        return ESCAPES[letter ?? ''] ?? letter ?? ''
      },
    )
}

const ESCAPES: { readonly [letter: string]: string } = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** A whole number is an int (bigint here), what has a point or an exponent a float. */
function numberOf(text: string): number | bigint {
  const plain = text.replaceAll('_', '')
  if (/^[+-]?\d+$/.test(plain)) return BigInt(plain.replace(/^\+/, ''))
  if (/^[+-]?0[xXoObB]/.test(plain)) {
    const sign = plain.startsWith('-') ? -1n : 1n
    return sign * BigInt(plain.replace(/^[+-]/, ''))
  }
  return Number(plain)
}
