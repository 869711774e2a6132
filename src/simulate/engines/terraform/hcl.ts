import type { Json, JsonObject } from '../../../core/json.ts'

/**
 * The part of Terraform's language that describes a Job: blocks with labels, attributes, strings
 * with escapes, heredocs, numbers, booleans, null, lists and maps, comments. What has to be computed
 * (`var.tag`, a function, a condition) is kept as its text in `${ }` and never evaluated.
 */
export interface HclBlock {
  readonly type: string
  readonly labels: readonly string[]
  readonly attributes: JsonObject
  readonly blocks: readonly HclBlock[]
}

export interface HclFault {
  readonly line: number
  readonly what: string
}

export function readHcl(text: string): HclBlock | HclFault {
  const reader = new Reader(text)
  try {
    return reader.body('', [], false)
  } catch (error) {
    if (error instanceof Unreadable) return { line: reader.line, what: error.message }
    throw error
  }
}

class Unreadable extends Error {}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get line(): number {
    return this.#text.slice(0, this.#at).split('\n').length
  }

  body(type: string, labels: readonly string[], isNested: boolean): HclBlock {
    const attributes: { [name: string]: Json } = {}
    const blocks: HclBlock[] = []
    for (;;) {
      this.#skip(true)
      if (this.#at >= this.#text.length) {
        if (isNested) throw new Unreadable(`the block ${type} is not closed`)
        return { type, labels, attributes, blocks }
      }
      if (isNested && this.#take('}')) return { type, labels, attributes, blocks }
      const name = this.#match(/[A-Za-z_][\w-]*/y)
      if (name === undefined) throw new Unreadable(`a name was expected: ${this.#rest()}`)
      this.#skip(false)
      if (/=(?!=)/y.test(this.#text[this.#at] ?? '') && this.#take('=')) {
        this.#skip(false)
        attributes[name] = this.#expression()
        continue
      }
      const own: string[] = []
      for (;;) {
        this.#skip(false)
        const label = this.#match(/"(?:[^"\\]|\\.)*"/y) ?? this.#match(/[A-Za-z_][\w-]*/y)
        if (label === undefined) break
        own.push(label.replaceAll('"', ''))
      }
      if (!this.#take('{')) throw new Unreadable(`= or { was expected behind ${name}`)
      blocks.push(this.body(name, own, true))
    }
  }

  /** A plain value, or the text of what would have to be computed. */
  #expression(): Json {
    const from = this.#at
    const value = this.#value()
    this.#skip(false)
    const next = this.#text[this.#at]
    const isEnd = next === undefined || /[\n,}\]]/.test(next)
    if (value !== undefined && isEnd) return value
    this.#at = from
    return `\${${this.#computed()}}`
  }

  #value(): Json | undefined {
    const first = this.#text[this.#at]
    if (first === '"') return this.#string()
    if (first === '[') return this.#list()
    if (first === '{') return this.#map()
    if (first === '<') return this.#heredoc()
    const number = this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    if (number !== undefined) return Number(number)
    const word = this.#match(/(?:true|false|null)\b/y)
    if (word === undefined) return undefined
    return word === 'null' ? null : word === 'true'
  }

  #string(): string | undefined {
    let depth = 0
    let text = ''
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const one = this.#text[at] ?? ''
      if (depth === 0 && one === '"') {
        this.#at = at + 1
        return text
      }
      if (depth === 0 && one === '\\') {
        const next = this.#text[at + 1] ?? ''
        text += ESCAPES[next] ?? next
        at += 1
        continue
      }
      if (one === '$' && this.#text[at + 1] === '{') depth += 1
      else if (one === '}' && depth > 0) depth -= 1
      text += one
    }
    throw new Unreadable('a string is not closed')
  }

  #heredoc(): string | undefined {
    const start = this.#match(/<<-?[A-Za-z_]\w*[^\n]*\n/y)
    if (start === undefined) return undefined
    const [, dash = '', mark = ''] = /<<(-?)(\w+)/.exec(start) ?? []
    const lines: string[] = []
    for (;;) {
      const line = this.#match(/[^\n]*(?:\n|$)/y)
      if (line === undefined || line === '') throw new Unreadable(`${mark} does not come again`)
      if (line.trim() === mark) {
        // The line end belongs to what follows.
        if (line.endsWith('\n')) this.#at -= 1
        break
      }
      lines.push(line)
    }
    if (dash === '') return lines.join('')
    const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
    const cut = Math.min(...indents, 1000)
    return lines.map((line) => line.slice(Math.min(cut, line.search(/\S|$/)))).join('')
  }

  #list(): Json {
    this.#at += 1
    const items: Json[] = []
    for (;;) {
      this.#skip(true)
      if (this.#take(']')) return items
      if (this.#at >= this.#text.length) throw new Unreadable('a list is not closed')
      items.push(this.#expression())
      this.#skip(true)
      this.#take(',')
    }
  }

  #map(): Json {
    this.#at += 1
    const map: { [key: string]: Json } = {}
    for (;;) {
      this.#skip(true)
      if (this.#take('}')) return map
      const key = this.#match(/"(?:[^"\\]|\\.)*"/y) ?? this.#match(/[A-Za-z_][\w./-]*/y)
      this.#skip(false)
      if (key === undefined || !(this.#take('=') || this.#take(':'))) {
        throw new Unreadable(`a key was expected: ${this.#rest()}`)
      }
      this.#skip(false)
      map[key.replaceAll('"', '')] = this.#expression()
      this.#skip(true)
      this.#take(',')
    }
  }

  /** To the end of the line, or of the list or map around it. */
  #computed(): string {
    let depth = 0
    const from = this.#at
    for (; this.#at < this.#text.length; this.#at += 1) {
      const one = this.#text[this.#at] ?? ''
      if (depth === 0 && /[\n,\]}#]/.test(one)) break
      if ('([{'.includes(one)) depth += 1
      if (')]}'.includes(one)) depth -= 1
    }
    const text = this.#text.slice(from, this.#at).trim()
    if (text === '') throw new Unreadable(`a value was expected: ${this.#rest()}`)
    return text
  }

  #skip(overLines: boolean): void {
    const space = overLines ? /\s+/y : /[ \t\r]+/y
    while (
      this.#match(space) !== undefined ||
      this.#match(/(?:#|\/\/)[^\n]*/y) !== undefined ||
      this.#match(/\/\*[\s\S]*?\*\//y) !== undefined
    );
  }

  #take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return undefined
    this.#at += found.length
    return found
  }

  #rest(): string {
    return this.#text.slice(this.#at, this.#at + 20).split('\n')[0] ?? ''
  }
}

const ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' }
