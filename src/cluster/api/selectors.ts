import { labelKeyFaults, labelValueFaults } from '../kinds/names.ts'
import { goQuote } from './go-text.ts'
import { badRequest, type Refusal } from './status.ts'

export type LabelMatch = (labels: { readonly [key: string]: string }) => boolean

type Operator = '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin' | 'exists' | '!'
const BINARY: readonly string[] = ['=', '!=', '==', 'in', 'notin', '>', '<']
/** As texts of errors list them. */
const EXPECTED = 'in, notin, =, ==, !=, gt, lt'

interface Token {
  readonly type: 'symbol' | 'word' | 'end'
  readonly text: string
}

/** The match of a label selector of a query (`a=b,c in (d,e),!f`); undefined when it is empty. */
export function parseLabelSelector(text: string): LabelMatch | undefined | Refusal {
  if (text.trim() === '') return undefined
  const parsed = new Parser(tokensOf(text)).parse()
  if (typeof parsed === 'string') return badRequest(parsed)
  return (labels) => parsed.every((matches) => matches(labels))
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(/([=!<>]=?|[(),])|([^\s=!(),<>]+)/g)) {
    const [, symbol, word] = match
    if (symbol === undefined) tokens.push({ type: 'word', text: word ?? '' })
    else for (const part of symbolParts(symbol)) tokens.push({ type: 'symbol', text: part })
  }
  tokens.push({ type: 'end', text: '' })
  return tokens
}

/** `>=` is no operator: two symbols. */
function symbolParts(symbol: string): readonly string[] {
  return symbol === '>=' || symbol === '<=' ? [symbol.charAt(0), '='] : [symbol]
}

/** One after the other, with the words of the server's parser for what it does not expect. */
class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): readonly LabelMatch[] | string {
    const matches: LabelMatch[] = []
    for (;;) {
      const first = this.#peek()
      if (first.type === 'end') return matches
      if (first.type !== 'word' && first.text !== '!') {
        return `found '${first.text}', expected: !, identifier, or 'end of string'`
      }
      const requirement = this.#requirement()
      if (typeof requirement === 'string') return `unable to parse requirement: ${requirement}`
      matches.push(requirement)
      const next = this.#take()
      if (next.type === 'end') return matches
      if (next.text !== ',') return `found '${next.text}', expected: ',' or 'end of string'`
      const after = this.#peek()
      if (after.type !== 'word' && after.text !== '!') {
        return `found '${after.text}', expected: identifier after ','`
      }
    }
  }

  #requirement(): LabelMatch | string {
    const isNot = this.#peek().text === '!'
    if (isNot) this.#take()
    const key = this.#take()
    if (key.type !== 'word') return `found '${key.text}', expected: identifier`
    const faults = labelKeyFaults(key.text)
    if (faults.length > 0) return `<nil>: Invalid value: ${goQuote(key.text)}: ${faults.join('; ')}`
    const next = this.#peek()
    if (isNot) return matchOf(key.text, '!', [])
    if (next.type === 'end' || next.text === ',') return matchOf(key.text, 'exists', [])
    const operator = this.#take().text
    if (!BINARY.includes(operator)) return `found '${operator}', expected: ${EXPECTED}`
    const values = operator === 'in' || operator === 'notin' ? this.#values() : this.#value()
    if (typeof values === 'string') return values
    return valueFault(key.text, operator, values) ?? matchOf(key.text, operator as Operator, values)
  }

  #value(): readonly string[] | string {
    const next = this.#peek()
    if (next.type === 'end' || next.text === ',') return ['']
    const { type, text } = this.#take()
    return type === 'word' ? [text] : `found '${text}', expected: identifier`
  }

  #values(): readonly string[] | string {
    const open = this.#take()
    if (open.text !== '(') return `found '${open.text}' expected: '('`
    const values: string[] = []
    let isValueNext = true
    for (;;) {
      const { type, text } = this.#take()
      if (type === 'word' && isValueNext) {
        values.push(text)
        isValueNext = false
      } else if (text === ',') {
        if (isValueNext) values.push('')
        isValueNext = true
      } else if (text === ')') {
        if (isValueNext) values.push('')
        return values
      } else {
        const expected = values.length === 0 ? "',', ')' or identifier" : "',', or identifier"
        return `found '${text}', expected: ${isValueNext ? expected : "',' or ')'"}`
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { type: 'end', text: '' }
  }

  #take(): Token {
    const token = this.#peek()
    this.#at += 1
    return token
  }
}

function valueFault(key: string, operator: string, values: readonly string[]): string | undefined {
  if (operator === '>' || operator === '<') {
    const [value = ''] = values
    if (/^[+-]?\d+$/.test(value)) return undefined
    return `values[0]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`
  }
  for (const [index, value] of values.entries()) {
    const faults = labelValueFaults(value)
    if (faults.length === 0) continue
    return `values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${faults.join('; ')}`
  }
  return undefined
}

function matchOf(key: string, operator: Operator, values: readonly string[]): LabelMatch {
  const [only = ''] = values
  switch (operator) {
    case '=':
    case '==':
      return (labels) => labels[key] === only
    case '!=':
      return (labels) => labels[key] !== only
    case 'in':
      return (labels) => values.includes(labels[key] ?? '\u0000')
    case 'notin':
      return (labels) => !values.includes(labels[key] ?? '\u0000')
    case 'exists':
      return (labels) => labels[key] !== undefined
    case '!':
      return (labels) => labels[key] === undefined
    case '>':
      return (labels) => isWhole(labels[key]) && Number(labels[key]) > Number(only)
    case '<':
      return (labels) => isWhole(labels[key]) && Number(labels[key]) < Number(only)
    default:
      return operator satisfies never
  }
}

function isWhole(value: string | undefined): boolean {
  return value !== undefined && /^[+-]?\d+$/.test(value)
}
