import { parseTemplate } from './parser.ts'
import { HELM_DELIMITERS, type Delimiters } from './lexer.ts'
import {
  TemplateError,
  type Command,
  type Node,
  type Operand,
  type Pipe,
  type Template,
} from './node.ts'
import { isMap, isSequence, printed, truth, type Value } from './value.ts'

/** What templates can call. `and`, `or`, `include`, `tpl` need the run and are built in. */
export type Functions = { readonly [name: string]: (...values: Value[]) => Value }

/** How much a template may do: it comes from people whom nobody checked. */
export interface Limits {
  readonly outputBytes: number
  readonly steps: number
  readonly depth: number
}

const LIMITS: Limits = { outputBytes: 8 << 20, steps: 2_000_000, depth: 200 }

/**
 * A set of templates as Go's text/template runs them, with missing keys as Helm has them (empty).
 * Pure: what a clock or chance would give is a function that the caller hands in.
 */
export class TemplateSet {
  readonly #templates = new Map<string, readonly Node[]>()
  readonly #functions: Functions
  readonly #delimiters: Delimiters

  constructor(functions: Functions, delimiters: Delimiters = HELM_DELIMITERS) {
    this.#functions = functions
    this.#delimiters = delimiters
  }

  /** Reads one file; later definitions of a name replace earlier ones. */
  add(name: string, text: string): void {
    for (const template of parseTemplate(name, text, this.#delimiters)) this.#put(template)
  }

  run(name: string, data: Value, limits: Limits = LIMITS): string {
    return new Run(this.#templates, this.#functions, this.#delimiters, limits).template(name, data)
  }

  #put({ name, nodes }: Template): void {
    const isEmpty = nodes.every((node) => node.kind === 'text' && node.text.trim() === '')
    if (isEmpty && this.#templates.has(name)) return
    this.#templates.set(name, nodes)
  }
}

/** `break` and `continue` leave the body of their range. */
type Flow = 'on' | 'break' | 'continue'

/** Variables in scope; an inner one hides an outer one of its name. */
type Scope = { readonly name: string; value: Value }[]

class Run {
  readonly #templates: Map<string, readonly Node[]>
  readonly #functions: Functions
  readonly #delimiters: Delimiters
  readonly #limits: Limits
  #name = ''
  #steps = 0
  #bytes = 0
  #depth = 0

  constructor(
    templates: ReadonlyMap<string, readonly Node[]>,
    functions: Functions,
    delimiters: Delimiters,
    limits: Limits,
  ) {
    this.#templates = new Map(templates)
    this.#functions = functions
    this.#delimiters = delimiters
    this.#limits = limits
  }

  template(name: string, data: Value): string {
    const nodes = this.#templates.get(name)
    if (nodes === undefined) {
      throw new TemplateError(this.#name, `no template ${JSON.stringify(name)} associated`)
    }
    this.#depth += 1
    if (this.#depth > this.#limits.depth) {
      throw new TemplateError(
        name,
        `templates include each other more than ${this.#limits.depth} deep`,
      )
    }
    const before = this.#name
    this.#name = name
    const out: string[] = []
    this.#nodes(nodes, data, [{ name: '$', value: data }], out)
    this.#name = before
    this.#depth -= 1
    return out.join('')
  }

  #nodes(nodes: readonly Node[], dot: Value, scope: Scope, out: string[]): Flow {
    for (const node of nodes) {
      this.#step()
      const flow = this.#node(node, dot, scope, out)
      if (flow !== 'on') return flow
    }
    return 'on'
  }

  #node(node: Node, dot: Value, scope: Scope, out: string[]): Flow {
    switch (node.kind) {
      case 'text':
        this.#write(node.text, out)
        return 'on'
      case 'action': {
        const value = this.#pipe(node.pipe, dot, scope)
        if (node.pipe.variables.length === 0) this.#write(helmText(value), out)
        return 'on'
      }
      case 'template':
        this.#write(this.template(node.name, node.pipe && this.#pipe(node.pipe, dot, scope)), out)
        return 'on'
      case 'if':
      case 'with': {
        const inner = [...scope]
        const value = this.#pipe(node.pipe, dot, inner)
        if (!truth(value)) return this.#nodes(node.otherwise, dot, [...scope], out)
        return this.#nodes(node.body, node.kind === 'with' ? value : dot, inner, out)
      }
      case 'range':
        return this.#range(node, dot, scope, out)
      case 'break':
      case 'continue':
      default:
        return node.kind
    }
  }

  #range(node: Extract<Node, { kind: 'range' }>, dot: Value, scope: Scope, out: string[]): Flow {
    const { variables, ...plain } = node.pipe
    const value = this.#pipe({ ...plain, variables: [] }, dot, [...scope])
    const entries = this.#entriesOf(value, node.pipe)
    if (entries.length === 0) return this.#nodes(node.otherwise, dot, [...scope], out)
    const [first, second] = variables
    for (const [key, item] of entries) {
      this.#step()
      const inner = [...scope]
      if (second !== undefined) {
        inner.push({ name: first ?? '', value: key }, { name: second, value: item })
      } else if (first !== undefined) inner.push({ name: first, value: item })
      if (this.#nodes(node.body, item, inner, out) === 'break') break
    }
    return 'on'
  }

  #entriesOf(value: Value, pipe: Pipe): readonly (readonly [Value, Value])[] {
    if (value === null || value === undefined) return []
    if (isSequence(value)) return value.map((item, at) => [BigInt(at), item])
    if (isMap(value)) {
      return Object.keys(value)
        .sort()
        .map((key) => [key, value[key]])
    }
    if (typeof value === 'bigint') {
      if (value > BigInt(this.#limits.steps)) throw this.#error('range is too long', pipe.at)
      return Array.from({ length: Math.max(0, Number(value)) }, (_, at) => [BigInt(at), BigInt(at)])
    }
    throw this.#error(`range can't iterate over ${printed(value)}`, pipe.at)
  }

  #pipe(pipe: Pipe, dot: Value, scope: Scope): Value {
    let value: Value
    pipe.commands.forEach((command, at) => {
      value = this.#command(command, dot, scope, at === 0 ? [] : [value])
    })
    for (const name of pipe.variables) {
      if (!pipe.isAssign) scope.push({ name, value })
      else {
        const variable = scope.findLast((one) => one.name === name)
        if (variable === undefined) throw this.#error(`undefined variable ${name}`, pipe.at)
        variable.value = value
      }
    }
    return value
  }

  #command(command: Command, dot: Value, scope: Scope, piped: readonly Value[]): Value {
    this.#step()
    const [first, ...rest] = command.operands
    if (first === undefined) return undefined
    if (first.kind === 'function') {
      return this.#call(first.name, rest, { dot, scope, piped, at: command.at })
    }
    const value = this.#operand(first, dot, scope)
    if (rest.length > 0 || piped.length > 0) {
      throw this.#error(`can't give argument to non-function ${printed(value)}`, command.at)
    }
    return value
  }

  #operand(operand: Operand, dot: Value, scope: Scope): Value {
    switch (operand.kind) {
      case 'value':
        return operand.value
      case 'field':
        return this.#fields(dot, operand.names)
      case 'variable': {
        const variable = scope.findLast((one) => one.name === operand.name)
        if (variable === undefined) throw this.#error(`undefined variable ${operand.name}`)
        return this.#fields(variable.value, operand.names)
      }
      case 'pipe':
        return this.#fields(this.#pipe(operand.pipe, dot, [...scope]), operand.names)
      case 'function':
      default:
        return this.#call(operand.name, [], { dot, scope, piped: [], at: undefined })
    }
  }

  #fields(value: Value, names: readonly string[]): Value {
    let here = value
    for (const name of names) {
      if (here === null || here === undefined) {
        throw this.#error(`nil pointer evaluating interface {}.${name}`)
      }
      if (!isMap(here)) throw this.#error(`can't evaluate field ${name} in type ${typeName(here)}`)
      here = Object.hasOwn(here, name) ? here[name] : undefined
    }
    return here
  }

  #call(
    name: string,
    operands: readonly Operand[],
    {
      dot,
      scope,
      piped,
      at,
    }: { dot: Value; scope: Scope; piped: readonly Value[]; at: number | undefined },
  ): Value {
    if (name === 'and' || name === 'or') {
      let value: Value
      const rest = [...operands]
      for (const operand of rest) {
        value = this.#operand(operand, dot, scope)
        if (truth(value) !== (name === 'and')) return value
      }
      for (const one of piped) {
        value = one
        if (truth(value) !== (name === 'and')) return value
      }
      return value
    }
    const values = [...operands.map((operand) => this.#operand(operand, dot, scope)), ...piped]
    if (name === 'include') return this.template(printed(values[0]), values[1])
    if (name === 'tpl') return this.#tpl(printed(values[0]), values[1])
    const own = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined
    if (own === undefined) throw this.#error(`function "${name}" not defined`, at)
    try {
      return own(...values)
    } catch (error) {
      if (error instanceof TemplateError) throw error
      const why = error instanceof Error ? error.message : String(error)
      throw this.#error(`error calling ${name}: ${why}`, at)
    }
  }

  #tpl(text: string, data: Value): string {
    const name = `${this.#name} (tpl)`
    for (const { name: defined, nodes } of parseTemplate(name, text, this.#delimiters)) {
      this.#templates.set(defined, nodes)
    }
    return this.template(name, data)
  }

  #write(text: string, out: string[]): void {
    this.#bytes += text.length
    if (this.#bytes > this.#limits.outputBytes) {
      throw this.#error(`the output is larger than ${this.#limits.outputBytes} bytes`)
    }
    out.push(text)
  }

  #step(): void {
    this.#steps += 1
    if (this.#steps > this.#limits.steps) {
      throw this.#error(`it takes more than ${this.#limits.steps} steps`)
    }
  }

  #error(message: string, at?: number): TemplateError {
    return new TemplateError(this.#name, message, at)
  }
}

/** Helm prints nothing for what is missing. */
function helmText(value: Value): string {
  return value === undefined || value === null ? '' : printed(value)
}

function typeName(value: Value): string {
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'boolean') return 'bool'
  return isSequence(value) ? '[]interface {}' : 'string'
}
